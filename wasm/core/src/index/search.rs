//! Ranked search: what is asked, and what comes back.

use super::board::Query;
use super::documents::{DocumentResponse, Documents};
use super::query;
use super::record::Record;
use super::top::{Ranked, Top};
use super::SearchIndex;
use crate::error::CoreError;

/// How many words of a query a section must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Match {
    /// At least one.
    #[default]
    Any,
    /// All of them, each in some form.
    All,
}

/// What to search for.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Words in any form.
    pub query: String,
    /// How many of the words must be held.
    pub matching: Match,
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

impl Hit {
    pub(super) fn new(query: &Query<'_>, ranked: &Ranked) -> Result<Self, CoreError> {
        Ok(Self {
            record: query.parts.record(ranked.doc)?,
            matched_terms: query.held(ranked.doc, ranked.held),
            score: ranked.score(),
        })
    }
}

/// A page of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResponse {
    /// Exact number of sections that match.
    pub total: usize,
    /// The page, best first; equal scores in key order.
    pub items: Vec<Hit>,
}

/// Numbers about the matches of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Sections that match.
    pub total: usize,
    /// Documents that hold them.
    pub documents: usize,
    /// The different words of the query in its order.
    pub terms: Vec<TermCount>,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermCount {
    /// The folded word.
    pub term: String,
    /// Sections within the filters that hold it in some form.
    pub sections: usize,
}

impl SearchIndex {
    /// Sections that hold words of the query, best first.
    pub fn search(&mut self, request: &SearchRequest) -> Result<SearchResponse, CoreError> {
        let words = query::parse(&request.query, &self.analyzer);
        let query = Query::new(&self.parts, &self.totals, words, request);
        self.board.score(&query, |_| {});
        let mut top = Top::new(request.offset.saturating_add(request.limit));
        let mut total = 0;
        self.board.drain(&query, |doc, cell| {
            total += 1;
            top.offer(doc, cell, || query.parts.id(doc));
            Ok(())
        })?;
        let page = top.into_sorted().into_iter().skip(request.offset);
        let items: Result<Vec<Hit>, CoreError> =
            page.map(|ranked| Hit::new(&query, &ranked)).collect();
        Ok(SearchResponse {
            total,
            items: items?,
        })
    }

    /// Documents that hold matching sections, in the order of their best ones; the page counts documents.
    pub fn search_documents(
        &mut self,
        request: &SearchRequest,
    ) -> Result<DocumentResponse, CoreError> {
        let words = query::parse(&request.query, &self.analyzer);
        let query = Query::new(&self.parts, &self.totals, words, request);
        self.board.score(&query, |_| {});
        Documents::collect(&mut self.board, &query)?.page(&query)
    }

    /// Numbers about what a query matches; the page that it asks for does not matter.
    pub fn query_stats(&mut self, request: &SearchRequest) -> Result<QueryStats, CoreError> {
        let words = query::parse(&request.query, &self.analyzer);
        let query = Query::new(&self.parts, &self.totals, words, request);
        let mut counts = Vec::with_capacity(query.words.len());
        self.board.score(&query, |holders| {
            counts.push(holders.docs().filter(|&doc| query.allows(doc)).count());
        });
        let documents = Documents::collect(&mut self.board, &query)?;
        let terms = query.words.iter().zip(counts);
        let count = |(word, sections): (&query::QueryWord, usize)| TermCount {
            term: word.term.clone(),
            sections,
        };
        Ok(QueryStats {
            total: documents.matches,
            documents: documents.count(),
            terms: terms.map(count).collect(),
        })
    }
}
