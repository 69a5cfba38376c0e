//! Documents in the order of their best matching sections.

use super::board::{Board, Cell, Query};
use super::filter::Filter;
use super::parts::Parts;
use super::search::Hit;
use super::top::Ranked;
use crate::error::CoreError;
use crate::id::Kbid;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cmp::Ordering;

/// One document found.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentHit {
    /// The document.
    pub docid: String,
    /// How many of its sections match.
    pub sections: usize,
    /// The best of them.
    pub best: Hit,
}

/// A page of documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentResponse {
    /// Exact number of documents that hold matching sections.
    pub total: usize,
    /// The page: best section's score descending, then docid.
    pub items: Vec<DocumentHit>,
}

/// Where fewer than one in so many entries match, their records tell the documents; else the lists of all
/// documents are walked.
const FEW: usize = 4;

/// The documents of the matching sections.
#[derive(Default)]
pub(super) struct Documents<'a> {
    found: FxHashMap<Cow<'a, str>, Found>,
    /// How many sections match.
    pub(super) matches: usize,
}

#[derive(Clone, Copy)]
struct Found {
    sections: usize,
    best: Ranked,
    /// The section counted last, as a record may name a document twice.
    last: u32,
}

impl Found {
    fn one(doc: u32, cell: Cell, id: Kbid) -> Self {
        let best = Ranked::new(doc, cell, id);
        Self {
            sections: 1,
            best,
            last: doc,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            sections: self.sections + other.sections,
            best: self.best.max(other.best),
            last: other.last,
        }
    }
}

impl<'a> Documents<'a> {
    /// The documents of what matches; the board is empty afterwards.
    pub(super) fn collect(board: &mut Board, query: &Query<'a>) -> Result<Self, CoreError> {
        let mut documents = Self::default();
        let is_few = board.touched() < query.parts.docs() as usize / FEW;
        if !is_few {
            documents.walk(board, query);
        }
        board.drain(query, |doc, cell| {
            documents.matches += 1;
            match is_few {
                true => documents.read(query.parts, doc, cell),
                false => Ok(()),
            }
        })?;
        Ok(documents)
    }

    fn read(&mut self, parts: &'a Parts, doc: u32, cell: Cell) -> Result<(), CoreError> {
        let found = Found::one(doc, cell, parts.id(doc));
        for docid in parts.stored(doc)?.docids.iter() {
            self.add(docid.into(), found);
        }
        Ok(())
    }

    fn walk(&mut self, board: &Board, query: &Query<'a>) {
        let docid = Filter::Docid.key("");
        for (first, part) in query.parts.rows() {
            for (key, docs) in part.filters(&docid, &docid) {
                let docs = docs.filter(|&doc| doc < part.docs());
                let matched = docs.filter_map(|doc| {
                    let cell = board.matched(query, first + doc)?;
                    Some(Found::one(first + doc, cell, part.id(doc)))
                });
                if let Some(found) = matched.reduce(Found::and) {
                    self.add(key[docid.len()..].to_string().into(), found);
                }
            }
        }
    }

    fn add(&mut self, docid: Cow<'a, str>, found: Found) {
        let known = self.found.entry(docid);
        known
            .and_modify(|known| {
                if known.last != found.last {
                    *known = known.and(found);
                }
            })
            .or_insert(found);
    }

    /// How many documents there are.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// The page that the request asks for.
    pub(super) fn page(self, query: &Query<'_>) -> Result<DocumentResponse, CoreError> {
        let total = self.found.len();
        let mut found: Vec<_> = self.found.into_iter().collect();
        let request = query.request;
        let end = request.offset.saturating_add(request.limit);
        if end < found.len() {
            found.select_nth_unstable_by(end, order);
            found.truncate(end);
        }
        found.sort_unstable_by(order);
        let page = found.into_iter().skip(request.offset);
        let items: Result<Vec<_>, CoreError> = page.map(|one| hit(query, one)).collect();
        Ok(DocumentResponse {
            total,
            items: items?,
        })
    }
}

type Entry<'a> = (Cow<'a, str>, Found);

/// The better one first, then by docid.
fn order(left: &Entry<'_>, right: &Entry<'_>) -> Ordering {
    let by_score = right.1.best.steps.cmp(&left.1.best.steps);
    by_score.then_with(|| left.0.cmp(&right.0))
}

fn hit(query: &Query<'_>, (docid, found): Entry<'_>) -> Result<DocumentHit, CoreError> {
    Ok(DocumentHit {
        docid: docid.into_owned(),
        sections: found.sections,
        best: Hit::new(query, &found.best)?,
    })
}
