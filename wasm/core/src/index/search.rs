//! Ranked search for any of the words: BM25 over all forms of each word, term by term.

use super::bitmap::Bitmap;
use super::gather::{Gatherer, Match};
use super::parts::Parts;
use super::query::{QueryWord, EXACT_TENTHS};
use super::record::{Filter, Record};
use super::top::{Ranked, Top};
use super::totals::Totals;
use crate::error::CoreError;

/// How soon further occurrences of a word count less.
const K1: f64 = 1.2;

/// How much long sections are held back.
const B: f64 = 0.75;

/// Words that a section's mask remembers; matches of later ones are looked up for the page only.
const MASKED: usize = 64;

/// What to search for.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Words in any form.
    pub query: String,
    /// Size of the page.
    pub limit: usize,
    /// How many results come before the page.
    pub offset: usize,
    /// Only sections with all of these tags.
    pub tags: Vec<String>,
    /// Only sections with one of these types; `image/*` stands for all that begin so.
    pub types: Vec<String>,
    /// Only sections in one of these documents.
    pub docids: Vec<String>,
}

impl SearchRequest {
    /// The first `limit` sections for these words.
    pub fn new(query: &str, limit: usize) -> Self {
        Self {
            query: query.to_string(),
            limit,
            ..Self::default()
        }
    }
}

/// One section found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What was stored with the section.
    pub record: Record,
    /// The words of the query that it holds in some form.
    pub matched_terms: Vec<String>,
    /// Rounded to 1e-6.
    pub score: f64,
}

/// A page of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResponse {
    /// Exact number of sections that match.
    pub total: usize,
    /// The page, best first; equal scores in key order.
    pub items: Vec<Hit>,
}

/// What a search knows of an entry.
#[derive(Clone, Copy, Default)]
struct Cell {
    score: f64,
    /// Which of the first words it holds.
    mask: u64,
}

/// Scores by entry, kept from search to search; between searches all are zero.
#[derive(Default)]
pub(super) struct Board {
    cells: Vec<Cell>,
    touched: Vec<u32>,
    found: Vec<Match>,
    gatherer: Gatherer,
}

impl Board {
    /// The page that `request` asks for, its words being `words`.
    pub(super) fn search(
        &mut self,
        parts: &Parts,
        totals: &Totals,
        words: &[QueryWord],
        request: &SearchRequest,
    ) -> Result<SearchResponse, CoreError> {
        self.cells.resize(parts.docs() as usize, Cell::default());
        for (number, word) in words.iter().enumerate() {
            parts.gather(word, &mut self.gatherer, &mut self.found);
            self.score(number, totals);
        }
        let (total, page) = self.best(parts, request);
        let hit = |ranked| self.hit(parts, words, ranked);
        let items: Result<Vec<Hit>, CoreError> = page.into_iter().map(hit).collect();
        self.clear();
        Ok(SearchResponse {
            total,
            items: items?,
        })
    }

    /// Adds what the gathered matches of a word are worth.
    fn score(&mut self, number: usize, totals: &Totals) {
        let holders = self.found.len() as f64;
        // Counts are in tenths, so the norm is too.
        let tenths = f64::from(EXACT_TENTHS);
        let scale = totals.idf(holders) * (K1 + 1.0);
        let base = tenths * K1 * (1.0 - B);
        let slope = tenths * K1 * B / totals.average_length();
        let bit = if number < MASKED { 1 << number } else { 0 };
        for found in &self.found {
            let cell = &mut self.cells[found.doc as usize];
            let count = f64::from(found.tenths);
            let norm = base + slope * f64::from(found.length);
            if cell.score == 0.0 {
                self.touched.push(found.doc);
            }
            cell.score += count * scale / (count + norm);
            cell.mask |= bit;
        }
    }

    fn best(&self, parts: &Parts, request: &SearchRequest) -> (usize, Vec<Ranked>) {
        let allowed = allowed(parts, request);
        let passes = |doc: u32| allowed.as_ref().is_none_or(|allowed| allowed.has(doc));
        let mut top = Top::new(request.offset.saturating_add(request.limit));
        let mut total = 0;
        for doc in self.touched.iter().copied().filter(|&doc| passes(doc)) {
            total += 1;
            top.offer(doc, self.cells[doc as usize].score, || parts.id(doc));
        }
        (
            total,
            top.into_sorted().into_iter().skip(request.offset).collect(),
        )
    }

    fn hit(&self, parts: &Parts, words: &[QueryWord], ranked: Ranked) -> Result<Hit, CoreError> {
        let mask = self.cells[ranked.doc as usize].mask;
        let matched = words
            .iter()
            .enumerate()
            .filter(|&(number, word)| match number {
                0..MASKED => mask >> number & 1 == 1,
                _ => parts.holds(ranked.doc, word),
            });
        Ok(Hit {
            record: parts.record(ranked.doc)?,
            matched_terms: matched.map(|(_, word)| word.term.clone()).collect(),
            score: ranked.score(),
        })
    }

    fn clear(&mut self) {
        for doc in self.touched.drain(..) {
            self.cells[doc as usize] = Cell::default();
        }
    }
}

/// The entries that pass all filters; none where there is no filter.
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
