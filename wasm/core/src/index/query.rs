//! A query as words, and the postings that answer a word.

use super::partition::Partition;
use super::postings::Postings;
use crate::analysis::{Analyzer, Mode};
use rustc_hash::FxHashSet;

/// Weight in tenths of a form that is not the very word of the query.
pub const FORM_TENTHS: u32 = 7;

/// Weight in tenths of the very word.
pub(crate) const EXACT_TENTHS: u32 = 10;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryWord {
    pub(crate) term: String,
    group: String,
    /// Whether the group's name is itself a word of the group.
    has_name: bool,
}

/// The different words of a query in their order.
pub(crate) fn parse(query: &str, analyzer: &Analyzer) -> Vec<QueryWord> {
    let mut seen = FxHashSet::default();
    let mut words = Vec::new();
    analyzer.tokens(query, Mode::Query, |token| {
        if seen.insert(token.term.to_string()) {
            words.push(query_word(token.term, analyzer));
        }
    });
    words
}

fn query_word(term: &str, analyzer: &Analyzer) -> QueryWord {
    let group = analyzer.group(term).into_string();
    let has_name = group != term && *analyzer.group(&group) == *group;
    QueryWord {
        term: term.to_string(),
        group,
        has_name,
    }
}

/// Calls `each` with every form of `word` that `part` holds: its text, weight in tenths and postings.
pub(crate) fn forms<'a, P: Partition>(
    part: &'a P,
    word: &QueryWord,
    each: &mut dyn FnMut(&str, u32, Postings<'a>),
) {
    if let Some(postings) = part.term(&word.term) {
        each(&word.term, EXACT_TENTHS, postings);
    }
    if word.has_name {
        if let Some(postings) = part.term(&word.group) {
            each(&word.group, FORM_TENTHS, postings);
        }
    }
    part.variants(&word.group, &mut |term, postings| {
        if term != word.term {
            each(term, FORM_TENTHS, postings);
        }
    });
}
