//! Numbers over all live entries, kept exact at every change.

use super::filter::Filter;
use super::partition::Partition;
use super::segment::Segment;
use crate::error::CoreError;
use std::collections::BTreeMap;

/// Counts of what lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// Sections that can be found.
    pub(super) sections: u64,
    /// Sum of their lengths in words.
    tokens: u64,
    /// Entries by kind.
    pub(super) kinds: BTreeMap<String, u64>,
}

impl Totals {
    pub(super) fn add(&mut self, kind: &str, length: Option<u32>) {
        *self.kinds.entry(kind.to_string()).or_default() += 1;
        self.add_length(length);
    }

    fn add_length(&mut self, length: Option<u32>) {
        if let Some(length) = length {
            self.sections += 1;
            self.tokens += u64::from(length);
        }
    }

    pub(super) fn remove(&mut self, kind: &str, length: Option<u32>) {
        if let Some(count) = self.kinds.get_mut(kind) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.kinds.remove(kind);
            }
        }
        if let Some(length) = length {
            self.sections = self.sections.saturating_sub(1);
            self.tokens = self.tokens.saturating_sub(u64::from(length));
        }
    }

    /// Counts the live entries of a segment in.
    pub(super) fn add_segment(&mut self, segment: &Segment) -> Result<(), CoreError> {
        let kind = Filter::Kind.key("");
        let mut counted = 0;
        for (key, docs) in segment.filters(&kind, &kind) {
            let mut count = 0;
            for doc in docs.filter(|&doc| segment.is_live(doc)) {
                self.add_length(segment.length(doc));
                count += 1;
            }
            if count > 0 {
                *self.kinds.entry(key[1..].to_string()).or_default() += count;
            }
            counted += count;
        }
        if counted == u64::from(segment.docs() - segment.dead().count()) {
            Ok(())
        } else {
            Err(CoreError::corrupt("its lists of kinds are damaged"))
        }
    }

    /// Mean length of a section; 1 where there is none or all are empty.
    pub(super) fn average_length(&self) -> f64 {
        if self.tokens == 0 {
            return 1.0;
        }
        self.tokens as f64 / self.sections as f64
    }

    /// What a word is worth that `holders` sections hold.
    pub(super) fn idf(&self, holders: f64) -> f64 {
        let others = (self.sections as f64 - holders).max(0.0);
        (1.0 + (others + 0.5) / (holders + 0.5)).ln()
    }
}
