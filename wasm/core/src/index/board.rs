//! Scores of the sections that hold words of a query: BM25 over all forms of each word, term by term.

use super::bitmap::Bitmap;
use super::filter::Filter;
use super::gather::Gatherer;
use super::parts::Parts;
use super::query::{QueryWord, EXACT_TENTHS};
use super::search::{Match, SearchRequest};
use super::totals::Totals;
use crate::error::CoreError;

/// How soon further occurrences of a word count less.
const K1: f64 = 1.2;

/// How much long sections are held back.
const B: f64 = 0.75;

/// Words that a section's mask remembers; matches of later ones are looked up for the page only.
const MASKED: usize = 64;

/// A request with what is needed to answer it.
pub(super) struct Query<'a> {
    pub(super) parts: &'a Parts,
    totals: &'a Totals,
    pub(super) words: Vec<QueryWord>,
    pub(super) request: &'a SearchRequest,
    /// The entries that pass all filters; none where there is no filter.
    allowed: Option<Bitmap>,
}

impl<'a> Query<'a> {
    pub(super) fn new(
        parts: &'a Parts,
        totals: &'a Totals,
        words: Vec<QueryWord>,
        request: &'a SearchRequest,
    ) -> Self {
        let allowed = allowed(parts, request);
        Self {
            parts,
            totals,
            words,
            request,
            allowed,
        }
    }

    /// Whether the entry passes all filters.
    pub(super) fn allows(&self, doc: u32) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed.has(doc))
    }

    /// Whether an entry with this cell matches.
    fn is_met(&self, doc: u32, cell: Cell) -> bool {
        let is_complete = !self.wants_all() || cell.held == self.words.len() as u64;
        cell.score > 0.0 && is_complete && self.allows(doc)
    }

    fn wants_all(&self) -> bool {
        self.request.matching == Match::All
    }

    /// The words that an entry with this cell holds in some form.
    pub(super) fn held(&self, doc: u32, held: u64) -> Vec<String> {
        let is_held = |&(number, word): &(usize, &QueryWord)| match number {
            _ if self.wants_all() => true,
            0..MASKED => held >> number & 1 == 1,
            _ => self.parts.holds(doc, word),
        };
        let words = self.words.iter().enumerate().filter(is_held);
        words.map(|(_, word)| word.term.clone()).collect()
    }
}

/// What a search knows of an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) score: f64,
    /// Which of the first words it holds, one bit each; where all words are wanted, how many it holds.
    pub(super) held: u64,
}

/// Scores by entry, kept from search to search; between searches all are zero.
#[derive(Default)]
pub(super) struct Board {
    cells: Vec<Cell>,
    touched: Vec<u32>,
    gatherer: Gatherer,
}

impl Board {
    /// Scores what holds words of the query; calls `seen` with the holders of each word.
    pub(super) fn score(&mut self, query: &Query<'_>, mut seen: impl FnMut(&Gatherer)) {
        let docs = query.parts.docs();
        self.cells.resize(docs as usize, Cell::default());
        self.gatherer.resize(docs);
        for (number, word) in query.words.iter().enumerate() {
            query.parts.gather(word, &mut self.gatherer);
            seen(&self.gatherer);
            self.add(number, query);
        }
    }

    /// Adds what the gathered matches of a word are worth.
    fn add(&mut self, number: usize, query: &Query<'_>) {
        let idf = query.totals.idf(self.gatherer.holders() as f64);
        // Counts are in tenths, so the norm is too.
        let tenths = f64::from(EXACT_TENTHS);
        let base = tenths * K1 * (1.0 - B);
        let slope = tenths * K1 * B / query.totals.average_length();
        let wants_all = query.wants_all();
        let bit = if number < MASKED { 1 << number } else { 0 };
        self.gatherer.drain(|doc, count, length| {
            let cell = &mut self.cells[doc as usize];
            if wants_all && cell.held != number as u64 {
                return;
            }
            if cell.score == 0.0 {
                self.touched.push(doc);
            }
            let (count, norm) = (f64::from(count), base + slope * f64::from(length));
            cell.score += idf * (K1 + 1.0) * count / (count + norm);
            cell.held = if wants_all {
                cell.held + 1
            } else {
                cell.held | bit
            };
        });
    }

    /// How many entries hold words of the query; those that filters keep out count.
    pub(super) fn touched(&self) -> usize {
        self.touched.len()
    }

    /// What is known of an entry; none where it does not match.
    pub(super) fn matched(&self, query: &Query<'_>, doc: u32) -> Option<Cell> {
        let cell = *self.cells.get(doc as usize)?;
        query.is_met(doc, cell).then_some(cell)
    }

    /// Hands over each match with its number and forgets all scores.
    pub(super) fn drain(
        &mut self,
        query: &Query<'_>,
        mut each: impl FnMut(u32, Cell) -> Result<(), CoreError>,
    ) -> Result<(), CoreError> {
        let mut outcome = Ok(());
        for doc in self.touched.drain(..) {
            let cell = std::mem::take(&mut self.cells[doc as usize]);
            if outcome.is_ok() && query.is_met(doc, cell) {
                outcome = each(doc, cell);
            }
        }
        outcome
    }
}

fn allowed(parts: &Parts, request: &SearchRequest) -> Option<Bitmap> {
    let mut sets = Vec::new();
    for tag in &request.tags {
        sets.push(parts.filtered(Filter::Tag, std::slice::from_ref(tag)));
    }
    for (filter, values) in [
        (Filter::Type, &request.types),
        (Filter::Docid, &request.docids),
    ] {
        if !values.is_empty() {
            sets.push(parts.filtered(filter, values));
        }
    }
    sets.into_iter().reduce(|mut left, right| {
        left.intersect(&right);
        left
    })
}
