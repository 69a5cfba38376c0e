//! The search index: a growing tail in memory and immutable segments, searched as one.

mod bitmap;
mod board;
mod documents;
mod filter;
mod format;
mod gather;
mod id_filter;
mod join;
mod list;
mod merge;
mod partition;
mod parts;
mod postings;
mod query;
mod record;
mod renumber;
mod replace;
mod seal;
mod search;
mod segment;
mod stats;
mod tail;
#[cfg(test)]
pub(crate) mod tests;
mod top;
mod totals;
mod writer;

pub use documents::{DocumentHit, DocumentResponse};
pub use filter::EntryFilter;
pub use list::{ValueCount, ValueKind};
pub use merge::SegmentMerger;
pub use query::FORM_TENTHS;
pub use record::Record;
pub use replace::{Replaced, SegmentBytes};
pub use search::{Hit, Match, QueryStats, SearchRequest, SearchResponse, TermCount};
pub use stats::{SegmentSize, Stats};
pub use writer::SealedSegment;

use crate::analysis::Analyzer;
use crate::error::{CoreError, ErrorCode};
use crate::id::Kbid;
use crate::snippet::{snippet, Wanted};
use board::Board;
use partition::Partition;
use parts::Parts;
use segment::Segment;
use stats::CountedWords;
use std::rc::Rc;
use totals::Totals;

/// A searchable set of sections and other entries.
pub struct SearchIndex {
    analyzer: Analyzer,
    parts: Parts,
    totals: Totals,
    board: Board,
    /// Counts changes, so that what was computed for an older state is not used.
    epoch: u64,
    wanted: Option<(u64, Wanted)>,
    /// `None` where segments have changed.
    counted: Option<CountedWords>,
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
            counted: None,
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
        let kind = self.parts.stored(doc)?.kind;
        self.totals.remove(kind, self.parts.length(doc));
        self.parts.kill(doc);
        self.epoch += 1;
        Ok(true)
    }

    /// The live entry with this key.
    pub fn get(&self, kbid: &str) -> Result<Option<Record>, CoreError> {
        let found = self.parts.find(kbid.parse()?);
        found.map(|doc| self.parts.record(doc)).transpose()
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
        self.counted = None;
        self.epoch += 1;
        let sealed = seal::seal(tail)?;
        if let Some(sealed) = &sealed {
            let segment = Segment::load(sealed.terms.clone(), sealed.corpus.clone(), &[])?;
            self.push(segment);
        }
        Ok(sealed)
    }

    /// Appends a sealed segment; `dead` is what `dead()` gave, or empty.
    pub fn load(
        &mut self,
        terms: impl Into<Rc<Vec<u8>>>,
        corpus: impl Into<Rc<Vec<u8>>>,
        dead: &[u8],
    ) -> Result<(), CoreError> {
        let segment = Segment::load(terms.into(), corpus.into(), dead)?;
        let mut totals = self.totals.clone();
        totals.add_segment(&segment)?;
        self.totals = totals;
        self.push(segment);
        Ok(())
    }

    fn push(&mut self, segment: Segment) {
        self.parts.push(segment);
        self.counted = None;
        self.epoch += 1;
    }

    /// The set of dead entries of a segment, one bit each, lowest bit first.
    pub fn dead(&self, segment: usize) -> Result<&[u8], CoreError> {
        let found = self.parts.segments().get(segment);
        found
            .map(|segment| segment.dead().as_bytes())
            .ok_or_else(|| {
                let held = self.parts.segments().len();
                let sentence =
                    format!("Cannot tell the dead of segment {segment}: there are {held} segments");
                CoreError::new(ErrorCode::BadArgument, sentence)
            })
    }
}
