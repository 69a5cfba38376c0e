//! New numbers for the entries that stay, and their lists under these numbers.

use super::bitmap::Bitmap;
use super::postings::{DocWriter, Docs, PostingWriter, Postings};
use crate::bytes::Reader;

/// Stands for an entry that goes.
const GONE: u32 = u32::MAX;

/// Entry numbers without the dead.
pub(super) struct Renumbered {
    /// New number by old number.
    new: Vec<u32>,
    /// The number behind the last one.
    pub(super) next: u32,
}

impl Renumbered {
    /// Numbers the entries that are not dead from `first` on.
    pub(super) fn new(docs: u32, dead: &Bitmap, first: u32) -> Self {
        let mut next = first;
        let number = |old| {
            if dead.has(old) {
                return GONE;
            }
            next += 1;
            next - 1
        };
        let new = (0..docs).map(number).collect();
        Self { new, next }
    }

    /// Old numbers of those that stay.
    pub(super) fn staying(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.new.len() as u32).filter(|&old| self.new[old as usize] != GONE)
    }

    /// The new number of an entry that stays; the outer option is none where there is no such entry.
    fn number(&self, old: u32) -> Option<Option<u32>> {
        let new = *self.new.get(old as usize)?;
        Some((new != GONE).then_some(new))
    }
}

/// A word's lists being gathered.
#[derive(Default)]
pub(super) struct WordList {
    pub(super) postings: PostingWriter,
    pub(super) places: Vec<u8>,
}

impl WordList {
    pub(super) fn clear(&mut self) {
        self.postings.clear();
        self.places.clear();
    }

    /// Adds what stays of these lists; none where they are damaged.
    pub(super) fn add(
        &mut self,
        mut postings: Postings<'_>,
        places: &[u8],
        numbers: &Renumbered,
    ) -> Option<()> {
        let mut places = Reader::new(places);
        let mut left = postings.stated();
        let mut above = 0;
        for mut posting in &mut postings {
            let own = places.numbers(u64::from(posting.body) + u64::from(posting.title))?;
            let new = numbers.number(posting.doc)?;
            if posting.doc < above {
                return None;
            }
            above = posting.doc + 1;
            left -= 1;
            if let Some(new) = new {
                posting.doc = new;
                self.postings.push(posting);
                self.places.extend_from_slice(own);
            }
        }
        let is_used_up = postings.as_bytes().is_empty() && places.as_bytes().is_empty();
        (left == 0 && is_used_up).then_some(())
    }
}

impl DocWriter {
    /// Adds what stays of this list; none where it is damaged.
    pub(super) fn add(&mut self, mut docs: Docs<'_>, numbers: &Renumbered) -> Option<()> {
        let mut left = docs.stated();
        let mut above = 0;
        for doc in &mut docs {
            let new = numbers.number(doc)?;
            if doc < above {
                return None;
            }
            above = doc + 1;
            left -= 1;
            if let Some(new) = new {
                self.push(new);
            }
        }
        (left == 0 && docs.as_bytes().is_empty()).then_some(())
    }
}
