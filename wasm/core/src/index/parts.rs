//! The segments and the tail as one row of entries, numbered through.

use super::bitmap::Bitmap;
use super::filter::{type_start, Filter};
use super::gather::Gatherer;
use super::partition::Partition;
use super::postings::{Docs, Postings};
use super::query::{forms, QueryWord};
use super::record::{Record, Stored};
use super::segment::Segment;
use super::tail::Tail;
use crate::error::CoreError;
use crate::id::Kbid;
use std::ops::Range;

/// All parts of an index, oldest first, the tail last.
#[derive(Default)]
pub(super) struct Parts {
    segments: Vec<Segment>,
    /// The number of the first entry behind each segment.
    ends: Vec<u32>,
    pub(super) tail: Tail,
}

impl Parts {
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Puts `segment` in the place of these segments.
    pub(super) fn replace(&mut self, segments: Range<usize>, segment: Option<Segment>) {
        self.segments.splice(segments, segment);
        let mut end = 0;
        let count = |segment: &Segment| {
            end += segment.docs();
            end
        };
        self.ends = self.segments.iter().map(count).collect();
    }

    /// Appends a segment.
    pub(super) fn push(&mut self, segment: Segment) {
        let end = self.segments.len();
        self.replace(end..end, Some(segment));
    }

    /// The number of the first entry of the part at this place.
    fn first(&self, part: usize) -> u32 {
        part.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Each part with the number of its first entry.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, &dyn Partition)> {
        let segments = self
            .segments
            .iter()
            .map(|segment| segment as &dyn Partition);
        let parts = segments.chain([&self.tail as &dyn Partition]);
        parts.enumerate().map(|(at, part)| (self.first(at), part))
    }

    /// How many entries there are, dead ones included.
    pub(super) fn docs(&self) -> u32 {
        self.first(self.segments.len()) + self.tail.docs()
    }

    fn locate(&self, doc: u32) -> (u32, &dyn Partition) {
        let at = self.ends.partition_point(|&end| end <= doc);
        let part = self.segments.get(at);
        let part = part.map_or(&self.tail as &dyn Partition, |segment| segment);
        (doc - self.first(at), part)
    }

    pub(super) fn id(&self, doc: u32) -> Kbid {
        let (doc, part) = self.locate(doc);
        part.id(doc)
    }

    pub(super) fn stored(&self, doc: u32) -> Result<Stored<'_>, CoreError> {
        let (doc, part) = self.locate(doc);
        part.stored(doc)
    }

    pub(super) fn record(&self, doc: u32) -> Result<Record, CoreError> {
        let (doc, part) = self.locate(doc);
        part.record(doc)
    }

    /// The live entry with this key.
    pub(super) fn find(&self, id: Kbid) -> Option<u32> {
        self.rows()
            .find_map(|(first, part)| Some(first + part.find(id)?))
    }

    pub(super) fn length(&self, doc: u32) -> Option<u32> {
        let (doc, part) = self.locate(doc);
        part.length(doc)
    }

    /// Marks an entry dead.
    pub(super) fn kill(&mut self, doc: u32) {
        let at = self.ends.partition_point(|&end| end <= doc);
        let doc = doc - self.first(at);
        match self.segments.get_mut(at) {
            Some(segment) => segment.kill(doc),
            None => self.tail.kill(doc),
        }
    }

    /// Gathers the live sections that hold a form of `word`.
    pub(super) fn gather(&self, word: &QueryWord, gatherer: &mut Gatherer) {
        for (at, segment) in self.segments.iter().enumerate() {
            gatherer.gather(segment, self.first(at), word);
        }
        gatherer.gather(&self.tail, self.first(self.segments.len()), word);
    }

    /// Calls `each` with every form of `word` in any part.
    pub(super) fn forms<'a>(
        &'a self,
        word: &QueryWord,
        each: &mut dyn FnMut(&str, u32, Postings<'a>),
    ) {
        self.segments
            .iter()
            .for_each(|segment| forms(segment, word, each));
        forms(&self.tail, word, each);
    }

    /// Whether the entry holds a form of `word`.
    pub(super) fn holds(&self, doc: u32, word: &QueryWord) -> bool {
        let at = self.ends.partition_point(|&end| end <= doc);
        let doc = doc - self.first(at);
        match self.segments.get(at) {
            Some(segment) => part_holds(segment, doc, word),
            None => part_holds(&self.tail, doc, word),
        }
    }

    /// The entries under a filter value; `image/*` stands for all types that begin so.
    pub(super) fn filtered(&self, filter: Filter, values: &[String]) -> Bitmap {
        let mut set = Bitmap::with_size(self.docs());
        for (first, part) in self.rows() {
            let lists = values.iter().flat_map(|value| lists(part, filter, value));
            lists
                .flatten()
                .filter(|&doc| doc < part.docs())
                .for_each(|doc| set.set(first + doc));
        }
        set
    }
}

/// The lists of entries of a part that have this value; no entry is in two of them.
pub(super) fn lists<'a>(part: &'a dyn Partition, filter: Filter, value: &str) -> Vec<Docs<'a>> {
    match (filter, type_start(value)) {
        (Filter::Type, Some(start)) => {
            let start = filter.key(start);
            part.filters(&start, &start).map(|(_, docs)| docs).collect()
        }
        _ => part.filter(&filter.key(value)).into_iter().collect(),
    }
}

fn part_holds<P: Partition>(part: &P, doc: u32, word: &QueryWord) -> bool {
    let mut holds = false;
    forms(part, word, &mut |_, _, mut postings| {
        holds = holds || postings.any(|posting| posting.doc == doc);
    });
    holds
}
