//! A second scorer, as plain as can be: every section is looked at for every word.

use super::*;
use crate::analysis::Mode;
use std::collections::{BTreeMap, HashSet};

/// All live sections with their words counted.
pub(in crate::index) struct Brute {
    analyzer: Analyzer,
    sections: BTreeMap<String, Counted>,
}

struct Counted {
    /// Words with their group and weighted count.
    words: BTreeMap<String, (String, u32)>,
    length: u32,
}

impl Brute {
    pub(in crate::index) fn new() -> Self {
        let analyzer = Analyzer::new("english").unwrap();
        let sections = BTreeMap::new();
        Self { analyzer, sections }
    }

    pub(in crate::index) fn add(&mut self, sample: &Sample) {
        let mut words = BTreeMap::new();
        let mut length = 0;
        let record = &sample.record;
        let fields = [
            (Some(&sample.body), 1),
            (record.description.as_ref(), 1),
            (record.heading.as_ref(), 2),
        ];
        for (text, weight) in fields {
            let text = text.map_or("", String::as_str);
            self.analyzer.tokens(text, Mode::Index, |token| {
                let group = || (self.analyzer.group(token.term).into_string(), 0);
                words.entry(token.term.to_string()).or_insert_with(group).1 += weight;
                length += weight;
            });
        }
        self.sections
            .insert(record.kbid.clone(), Counted { words, length });
    }

    pub(in crate::index) fn remove(&mut self, kbid: &str) -> bool {
        self.sections.remove(kbid).is_some()
    }

    pub(in crate::index) fn len(&self) -> usize {
        self.sections.len()
    }

    /// Keys and scores, best first.
    pub(in crate::index) fn search(&self, query: &str) -> Vec<(String, f64)> {
        let mut scores: BTreeMap<&str, f64> = BTreeMap::new();
        let words = self.query_words(query);
        for word in &words {
            let counts: Vec<(&str, f64, u32)> = self.counts(word).collect();
            let (n, df) = (self.sections.len() as f64, counts.len() as f64);
            let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
            let average = self
                .sections
                .values()
                .map(|s| f64::from(s.length))
                .sum::<f64>()
                / n;
            for (kbid, tf, length) in counts {
                let norm = 1.2 * (1.0 - 0.75 + 0.75 * f64::from(length) / average);
                *scores.entry(kbid).or_default() += idf * tf * 2.2 / (tf + norm);
            }
        }
        let rounded = |score: f64| (score * 1e6).round() / 1e6;
        let mut found: Vec<_> = scores
            .into_iter()
            .map(|(k, s)| (k.to_string(), rounded(s)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    fn query_words(&self, query: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut seen = HashSet::new();
        self.analyzer.tokens(query, Mode::Query, |token| {
            if seen.insert(token.term.to_string()) {
                words.push(token.term.to_string());
            }
        });
        words
    }

    /// Sections that hold a form of `word`, with the weighted count and their length.
    fn counts<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, f64, u32)> {
        let group = self.analyzer.group(word).into_string();
        self.sections.iter().filter_map(move |(kbid, section)| {
            let mut tf = 0.0;
            for (term, (its_group, count)) in &section.words {
                if term == word {
                    tf += f64::from(*count);
                } else if *its_group == group {
                    tf += 0.7 * f64::from(*count);
                }
            }
            (tf > 0.0).then_some((kbid.as_str(), tf, section.length))
        })
    }
}

/// Fails unless the index answers as the brute scorer does.
pub(in crate::index) fn assert_agrees(index: &mut SearchIndex, brute: &Brute, query: &str) {
    let response = search(index, query);
    let expected = brute.search(query);
    assert_eq!(response.total, expected.len(), "total of {query:?}");
    let found: Vec<_> = response
        .items
        .iter()
        .map(|hit| (hit.record.kbid.clone(), hit.score))
        .collect();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.0, expected.0, "order for {query:?}");
        assert!(
            (found.1 - expected.1).abs() < 2e-6,
            "score for {query:?}: {found:?} {expected:?}"
        );
    }
}
