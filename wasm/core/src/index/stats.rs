//! Numbers about an index.

use super::partition::Partition;
use super::segment::{Dictionary, Segment};
use super::SearchIndex;
use fst::map::OpBuilder;
use fst::Streamer;
use std::collections::BTreeMap;

/// Numbers about an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Live entries by kind.
    pub kinds: BTreeMap<String, u64>,
    /// Different words; words that only dead entries hold count until they are merged away.
    pub terms: u64,
    /// Immutable segments.
    pub segments: usize,
    /// Entries in the tail, dead ones included.
    pub tail_entries: usize,
    /// About how many bytes the tail takes.
    pub tail_bytes: usize,
    /// Bytes of the segments held in memory.
    pub segment_bytes: usize,
}

/// How large a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentSize {
    /// Entries, dead ones included.
    pub entries: u32,
    /// The dead among them.
    pub dead: u32,
    /// Bytes held in memory, which places of words are not.
    pub bytes: usize,
}

impl SearchIndex {
    /// Entries in the tail, dead ones included, and about how many bytes it takes; cheap, unlike
    /// [`SearchIndex::stats`], so that a caller may ask after every entry.
    pub fn tail(&self) -> (usize, usize) {
        (self.parts.tail.entries.len(), self.parts.tail.memory())
    }

    /// The segments in their order, for choosing what to merge.
    pub fn segments(&self) -> Vec<SegmentSize> {
        let size = |segment: &Segment| SegmentSize {
            entries: segment.docs(),
            dead: segment.dead().count(),
            bytes: segment.memory(),
        };
        self.parts.segments().iter().map(size).collect()
    }

    /// Numbers about the index.
    pub fn stats(&mut self) -> Stats {
        let (tail_entries, tail_bytes) = self.tail();
        let segments = self.parts.segments();
        Stats {
            kinds: self.totals.kinds.clone(),
            segments: segments.len(),
            tail_entries,
            tail_bytes,
            segment_bytes: segments.iter().map(Segment::memory).sum(),
            terms: self.terms(),
        }
    }

    /// Only words that came in since the last count are looked up.
    fn terms(&mut self) -> u64 {
        let segments = self.parts.segments();
        let counted = self.counted.get_or_insert_with(|| CountedWords {
            words: count_words(segments),
            of_tail: 0,
        });
        let is_new = |term: &str| segments.iter().all(|segment| segment.term(term).is_none());
        let tail = &self.parts.tail.words;
        let fresh = tail[counted.of_tail..].iter();
        counted.words += fresh.filter(|word| is_new(&word.term)).count() as u64;
        counted.of_tail = tail.len();
        counted.words
    }
}

/// Distinct words as of the last count; the tail's words only grow until it is sealed.
pub(super) struct CountedWords {
    words: u64,
    /// How many words of the tail are counted.
    of_tail: usize,
}

fn count_words(segments: &[Segment]) -> u64 {
    let words = segments
        .iter()
        .map(|segment| segment.keys(Dictionary::Words));
    let mut union = words.collect::<OpBuilder<'_>>().union();
    let mut count = 0;
    while union.next().is_some() {
        count += 1;
    }
    count
}
