//! The search index: a growing tail in memory and immutable segments, searched as one.

mod bitmap;
mod format;
mod gather;
mod partition;
mod parts;
mod postings;
mod query;
mod record;
mod seal;
mod search;
mod segment;
mod tail;
#[cfg(test)]
pub(crate) mod tests;
mod top;
mod totals;

pub use query::FORM_TENTHS;
pub use record::Record;
pub use seal::SealedSegment;
pub use search::{Hit, SearchRequest, SearchResponse};

use crate::analysis::Analyzer;
use crate::error::{CoreError, ErrorCode};
use crate::id::Kbid;
use crate::snippet::{snippet, Wanted};
use fst::Streamer;
use partition::Partition;
use parts::Parts;
use search::Board;
use segment::Segment;
use std::collections::BTreeMap;
use std::rc::Rc;
use totals::Totals;

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

/// A searchable set of sections and other entries.
pub struct SearchIndex {
    analyzer: Analyzer,
    parts: Parts,
    totals: Totals,
    board: Board,
    /// Counts changes, so that what was computed for an older state is not used.
    epoch: u64,
    wanted: Option<(u64, Wanted)>,
    segment_terms: Option<u64>,
}

impl SearchIndex {
    /// An empty index for texts in this Snowball language.
    pub fn new(language: &str) -> Result<Self, CoreError> {
        Ok(Self {
            analyzer: Analyzer::new(language)?,
            parts: Parts::default(),
            totals: Totals::default(),
            board: Board::default(),
            epoch: 0,
            wanted: None,
            segment_terms: None,
        })
    }

    /// How this index sees a text.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// Adds an entry in place of a live one with the same key; returns how many different words it holds.
    pub fn add(&mut self, record: &Record, body: &str) -> Result<u32, CoreError> {
        let id: Kbid = record.kbid.parse()?;
        self.remove_id(id)?;
        let words = self.parts.tail.add(id, record, body, &self.analyzer);
        let length = self
            .parts
            .tail
            .entries
            .last()
            .and_then(|entry| entry.length);
        self.totals.add(&record.kind, length);
        self.epoch += 1;
        Ok(words)
    }

    /// Takes an entry out; false where no live one has this key.
    pub fn remove(&mut self, kbid: &str) -> Result<bool, CoreError> {
        self.remove_id(kbid.parse()?)
    }

    fn remove_id(&mut self, id: Kbid) -> Result<bool, CoreError> {
        let Some(doc) = self.parts.find(id) else {
            return Ok(false);
        };
        self.totals
            .remove(&self.parts.record(doc)?, self.parts.length(doc));
        self.parts.kill(doc);
        self.epoch += 1;
        Ok(true)
    }

    /// The live entry with this key.
    pub fn get(&self, kbid: &str) -> Result<Option<Record>, CoreError> {
        let found = self.parts.find(kbid.parse()?);
        found.map(|doc| self.parts.record(doc)).transpose()
    }

    /// Sections that hold any word of the query, best first.
    pub fn search(&mut self, request: &SearchRequest) -> Result<SearchResponse, CoreError> {
        let words = query::parse(&request.query, &self.analyzer);
        self.board
            .search(&self.parts, &self.totals, &words, request)
    }

    /// About `width` characters of `body` around the rarest word of the query.
    pub fn snippet(&mut self, query: &str, body: &str, width: usize) -> String {
        let is_current =
            |(epoch, wanted): &(u64, Wanted)| *epoch == self.epoch && wanted.query == query;
        if !self.wanted.as_ref().is_some_and(is_current) {
            self.wanted = Some((self.epoch, self.wanted(query)));
        }
        let wanted = self.wanted.as_ref().map(|(_, wanted)| wanted);
        wanted.map_or_else(String::new, |wanted| {
            snippet(&self.analyzer, wanted, body, width)
        })
    }

    /// All forms of the query's words in this index, each with its worth.
    fn wanted(&self, query: &str) -> Wanted {
        let mut wanted = Wanted::new(query);
        for word in query::parse(query, &self.analyzer) {
            let mut forms = vec![(word.term.clone(), query::EXACT_TENTHS)];
            let mut holders = 0u32;
            self.parts.forms(&word, &mut |term, weight, postings| {
                holders = holders.saturating_add(postings.stated());
                forms.push((term.to_string(), weight));
            });
            let idf = self.totals.idf(f64::from(holders));
            for (form, weight) in forms {
                wanted.add(form, idf * f64::from(weight));
            }
        }
        wanted
    }

    /// Turns the tail into a segment that is searched from the returned bytes; none where nothing lives
    /// in it.
    pub fn seal(&mut self) -> Result<Option<SealedSegment>, CoreError> {
        let tail = std::mem::take(&mut self.parts.tail);
        self.epoch += 1;
        let sealed = seal::seal(tail, &self.analyzer)?;
        if let Some(sealed) = &sealed {
            let segment = Segment::load(sealed.terms.clone(), sealed.corpus.clone(), &[])?;
            self.push(segment);
        }
        Ok(sealed)
    }

    /// Appends a sealed segment; `dead` is what `dead()` gave, or empty.
    pub fn load(&mut self, terms: Vec<u8>, corpus: Vec<u8>, dead: &[u8]) -> Result<(), CoreError> {
        let segment = Segment::load(Rc::new(terms), Rc::new(corpus), dead)?;
        let mut totals = self.totals.clone();
        totals.add_segment(&segment)?;
        self.totals = totals;
        self.push(segment);
        Ok(())
    }

    fn push(&mut self, segment: Segment) {
        self.parts.segments.push(segment);
        self.segment_terms = None;
        self.epoch += 1;
    }

    /// The set of dead entries of a segment, one bit each, lowest bit first.
    pub fn dead(&self, segment: usize) -> Result<&[u8], CoreError> {
        let found = self.parts.segments.get(segment);
        found
            .map(|segment| segment.dead().as_bytes())
            .ok_or_else(|| {
                let held = self.parts.segments.len();
                let sentence =
                    format!("Cannot tell the dead of segment {segment}: there are {held} segments");
                CoreError::new(ErrorCode::BadArgument, sentence)
            })
    }

    /// Live entries of a kind in key order, from above `after` on.
    pub fn list(
        &self,
        kind: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, CoreError> {
        let after = after.map(str::parse).transpose()?;
        let docs = self.parts.list(kind, after, limit);
        docs.into_iter().map(|doc| self.parts.record(doc)).collect()
    }

    /// Entries in the tail, dead ones included, and about how many bytes it takes; cheap, unlike
    /// [`SearchIndex::stats`], so that a caller may ask after every entry.
    pub fn tail(&self) -> (usize, usize) {
        (self.parts.tail.entries.len(), self.parts.tail.memory())
    }

    /// Numbers about the index.
    pub fn stats(&mut self) -> Stats {
        let (tail_entries, tail_bytes) = self.tail();
        Stats {
            kinds: self.totals.kinds.clone(),
            terms: self.terms(),
            segments: self.parts.segments.len(),
            tail_entries,
            tail_bytes,
            segment_bytes: self.parts.segments.iter().map(Segment::memory).sum(),
        }
    }

    fn terms(&mut self) -> u64 {
        let segments = &self.parts.segments;
        let sealed = *self
            .segment_terms
            .get_or_insert_with(|| count_words(segments));
        let is_new = |term: &str| segments.iter().all(|segment| segment.term(term).is_none());
        let fresh = self
            .parts
            .tail
            .words
            .iter()
            .filter(|word| is_new(&word.term))
            .count();
        sealed + fresh as u64
    }
}

fn count_words(segments: &[Segment]) -> u64 {
    let mut union = segments
        .iter()
        .fold(fst::map::OpBuilder::new(), |all, segment| {
            all.add(segment.words())
        })
        .union();
    let mut count = 0;
    while union.next().is_some() {
        count += 1;
    }
    count
}
