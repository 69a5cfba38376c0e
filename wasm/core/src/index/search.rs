//! Ranked search for any of the words: BM25 over all forms of each word, term by term.

use super::bitmap::Bitmap;
use super::gather::Gatherer;
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
        self.gatherer.resize(parts.docs());
        for (number, word) in words.iter().enumerate() {
            parts.gather(word, &mut self.gatherer);
            self.score(number, totals);
        }
        let (total, page) = self.best(parts, request);
        let hit = |ranked| hit(parts, words, ranked);
        let items: Result<Vec<Hit>, CoreError> = page.into_iter().map(hit).collect();
        Ok(SearchResponse {
            total,
            items: items?,
        })
    }

    /// Adds what the gathered matches of a word are worth.
    fn score(&mut self, number: usize, totals: &Totals) {
        let idf = totals.idf(self.gatherer.holders() as f64);
        // Counts are in tenths, so the norm is too.
        let tenths = f64::from(EXACT_TENTHS);
        let base = tenths * K1 * (1.0 - B);
        let slope = tenths * K1 * B / totals.average_length();
        let bit = if number < MASKED { 1 << number } else { 0 };
        self.gatherer.drain(|doc, count, length| {
            let cell = &mut self.cells[doc as usize];
            if cell.score == 0.0 {
                self.touched.push(doc);
            }
            let (count, norm) = (f64::from(count), base + slope * f64::from(length));
            cell.score += idf * (K1 + 1.0) * count / (count + norm);
            cell.mask |= bit;
        });
    }

    /// The number of matches and the page; all cells are empty afterwards.
    fn best(&mut self, parts: &Parts, request: &SearchRequest) -> (usize, Vec<Ranked>) {
        let allowed = allowed(parts, request);
        let mut top = Top::new(request.offset.saturating_add(request.limit));
        let mut total = 0;
        for doc in self.touched.drain(..) {
            let cell = std::mem::take(&mut self.cells[doc as usize]);
            if allowed.as_ref().is_none_or(|allowed| allowed.has(doc)) {
                total += 1;
                top.offer(doc, cell.score, cell.mask, || parts.id(doc));
            }
        }
        let ranked = top.into_sorted().into_iter().skip(request.offset);
        (total, ranked.collect())
    }
}

fn hit(parts: &Parts, words: &[QueryWord], ranked: Ranked) -> Result<Hit, CoreError> {
    let is_held = |&(number, word): &(usize, &QueryWord)| match number {
        0..MASKED => ranked.mask >> number & 1 == 1,
        _ => parts.holds(ranked.doc, word),
    };
    let matched = words.iter().enumerate().filter(is_held);
    Ok(Hit {
        record: parts.record(ranked.doc)?,
        matched_terms: matched.map(|(_, word)| word.term.clone()).collect(),
        score: ranked.score(),
    })
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
