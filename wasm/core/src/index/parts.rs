//! The segments and the tail as one row of entries, numbered through.

use super::bitmap::Bitmap;
use super::gather::Gatherer;
use super::partition::Partition;
use super::postings::{Docs, Postings};
use super::query::{forms, QueryWord};
use super::record::{Filter, Record};
use super::segment::Segment;
use super::tail::Tail;
use crate::error::CoreError;
use crate::id::Kbid;

/// All parts of an index, oldest first, the tail last.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) segments: Vec<Segment>,
    pub(super) tail: Tail,
}

impl Parts {
    /// Each part with the number of its first entry.
    fn rows(&self) -> impl Iterator<Item = (u32, &dyn Partition)> {
        let segments = self
            .segments
            .iter()
            .map(|segment| segment as &dyn Partition);
        let mut base = 0;
        segments
            .chain([&self.tail as &dyn Partition])
            .map(move |part| {
                let first = base;
                base += part.docs();
                (first, part)
            })
    }

    /// How many entries there are, dead ones included.
    pub(super) fn docs(&self) -> u32 {
        self.rows().map(|(_, part)| part.docs()).sum()
    }

    fn locate(&self, doc: u32) -> (u32, &dyn Partition) {
        let inside = |(first, part): &(u32, &dyn Partition)| doc < first + part.docs();
        let (first, part) = self.rows().find(inside).unwrap_or((0, &self.tail));
        (doc - first, part)
    }

    pub(super) fn id(&self, doc: u32) -> Kbid {
        let (doc, part) = self.locate(doc);
        part.id(doc)
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
        let mut first = 0;
        for segment in &mut self.segments {
            if doc < first + segment.docs() {
                return segment.kill(doc - first);
            }
            first += segment.docs();
        }
        self.tail.kill(doc - first);
    }

    /// Gathers the live sections that hold a form of `word`.
    pub(super) fn gather(&self, word: &QueryWord, gatherer: &mut Gatherer) {
        let mut base = 0;
        for segment in &self.segments {
            gatherer.gather(segment, base, word);
            base += segment.docs();
        }
        gatherer.gather(&self.tail, base, word);
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
        let mut first = 0;
        for segment in &self.segments {
            if doc < first + segment.docs() {
                return part_holds(segment, doc - first, word);
            }
            first += segment.docs();
        }
        part_holds(&self.tail, doc - first, word)
    }

    /// The entries under a filter value; `image/*` stands for all types that begin so.
    pub(super) fn filtered(&self, filter: Filter, values: &[String]) -> Bitmap {
        let mut set = Bitmap::with_size(self.docs());
        for (first, part) in self.rows() {
            let mut add = |docs: Docs<'_>| {
                docs.filter(|&doc| doc < part.docs())
                    .for_each(|doc| set.set(first + doc))
            };
            for value in values {
                match (filter, value.strip_suffix('*')) {
                    (Filter::Type, Some(start)) if start.ends_with('/') => {
                        part.filters(&filter.key(start), &mut |_, docs| add(docs));
                    }
                    _ => part
                        .filter(&filter.key(value))
                        .into_iter()
                        .for_each(&mut add),
                }
            }
        }
        set
    }

    /// The first `limit` live entries of `kind` in key order, above `after`.
    pub(super) fn list(&self, kind: &str, after: Option<Kbid>, limit: usize) -> Vec<u32> {
        let wanted = self.filtered(Filter::Kind, &[kind.to_string()]);
        let mut found: Vec<(Kbid, u32)> = Vec::new();
        for (first, part) in self.rows() {
            let mut left = limit;
            part.ordered(after, &mut |id, doc| {
                if left > 0 && wanted.has(first + doc) {
                    found.push((id, first + doc));
                    left -= 1;
                }
                left > 0
            });
        }
        found.sort_unstable();
        found.truncate(limit);
        found.into_iter().map(|(_, doc)| doc).collect()
    }
}

fn part_holds<P: Partition>(part: &P, doc: u32, word: &QueryWord) -> bool {
    let mut holds = false;
    forms(part, word, &mut |_, _, mut postings| {
        holds = holds || postings.any(|posting| posting.doc == doc);
    });
    holds
}
