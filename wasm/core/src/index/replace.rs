//! Putting a merged segment in the place of those it was merged from.

use super::bitmap::Bitmap;
use super::partition::Partition;
use super::segment::Segment;
use super::totals::Totals;
use super::SearchIndex;
use crate::error::{CoreError, ErrorCode};
use crate::id::Kbid;
use std::rc::Rc;

/// The segments that a merge replaces.
#[derive(Clone, Copy, Debug)]
pub struct Replaced<'a> {
    /// The first of them, counted from 0.
    pub first: usize,
    /// For each of them the dead entries that the merge left out, as [`SearchIndex::dead`] gave them.
    pub dead_at_merge: &'a [Vec<u8>],
}

/// A segment to load.
#[derive(Clone, Debug)]
pub struct SegmentBytes<'a> {
    /// As sealed or merged.
    pub terms: Rc<Vec<u8>>,
    /// As sealed or merged.
    pub corpus: Rc<Vec<u8>>,
    /// Its dead entries, or empty.
    pub dead: &'a [u8],
}

impl SearchIndex {
    /// Puts a merged segment in the place of those it was merged from, or nothing where no entry lived in
    /// them. Entries that died since the merge are dead in it too. What does not fit together is refused,
    /// and the index stays as it was.
    pub fn replace_segments(
        &mut self,
        replaced: Replaced<'_>,
        merged: Option<SegmentBytes<'_>>,
    ) -> Result<(), CoreError> {
        let Replaced {
            first,
            dead_at_merge,
        } = replaced;
        let held = self.parts.segments().len();
        let range = first..first.saturating_add(dead_at_merge.len());
        let segments = self
            .parts
            .segments()
            .get(range.clone())
            .filter(|found| !found.is_empty());
        let segments = segments.ok_or_else(|| {
            let sentence = format!("segments {range:?} are asked for, there are {held}");
            refused(ErrorCode::BadArgument, &sentence)
        })?;
        let merged = merged
            .map(|bytes| Segment::load(bytes.terms, bytes.corpus, bytes.dead))
            .transpose()?;
        let merged = follow(segments, dead_at_merge, merged)?;
        if totals(segments)? != totals(merged.as_slice())? {
            return Err(misfit());
        }
        self.parts.replace(range, merged);
        self.counted = None;
        self.epoch += 1;
        Ok(())
    }
}

/// The merged segment without what died since the merge; refused where its entries are not those that
/// lived in `segments` then.
fn follow(
    segments: &[Segment],
    dead_at_merge: &[Vec<u8>],
    mut merged: Option<Segment>,
) -> Result<Option<Segment>, CoreError> {
    let mut next = 0;
    for (segment, dead) in segments.iter().zip(dead_at_merge) {
        let dead = Bitmap::from_bytes(dead, segment.docs()).ok_or_else(misfit)?;
        for doc in (0..segment.docs()).filter(|&doc| !dead.has(doc)) {
            let merged = merged.as_mut().ok_or_else(misfit)?;
            if entry(merged, next) != entry(segment, doc) {
                return Err(misfit());
            }
            if !segment.is_live(doc) {
                merged.kill(next);
            }
            next += 1;
        }
    }
    let is_whole = merged.as_ref().is_none_or(|merged| merged.docs() == next);
    is_whole.then_some(merged).ok_or_else(misfit)
}

/// What tells whether two entries are the same.
fn entry(segment: &Segment, doc: u32) -> Option<(Kbid, Option<u32>)> {
    (doc < segment.docs()).then(|| (segment.id(doc), segment.length(doc)))
}

fn totals(segments: &[Segment]) -> Result<Totals, CoreError> {
    let mut totals = Totals::default();
    segments
        .iter()
        .try_for_each(|segment| totals.add_segment(segment))?;
    Ok(totals)
}

fn misfit() -> CoreError {
    refused(
        ErrorCode::CorruptIndex,
        "the merged segment does not hold what lived in them. Merge them again",
    )
}

fn refused(code: ErrorCode, state: &str) -> CoreError {
    CoreError::new(code, format!("Cannot replace segments: {state}"))
}
