//! The sections that hold any form of a word, with how much they hold of it.

use super::partition::Partition;
use super::postings::Posting;
use super::query::{forms, QueryWord};
use super::tail::TITLE_WEIGHT;

/// The matches of one word, form by form added up.
///
/// Counts are kept in tenths as whole numbers, so that the order of the forms does not matter.
#[derive(Default)]
pub(super) struct Gatherer {
    /// Weighted count by entry; zero outside of `found`.
    tenths: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl Gatherer {
    /// Makes room for this many entries.
    pub(super) fn resize(&mut self, docs: u32) {
        self.tenths.resize(docs as usize, 0);
    }

    /// Adds what `part` holds of `word`; its entries are numbered from `base` on.
    pub(super) fn gather<P: Partition>(&mut self, part: &P, base: u32, word: &QueryWord) {
        let dead = Some(part.dead()).filter(|dead| !dead.is_empty());
        forms(part, word, &mut |_, weight, postings| {
            for posting in postings {
                if posting.doc >= part.docs() || dead.is_some_and(|dead| dead.has(posting.doc)) {
                    continue;
                }
                let doc = base + posting.doc;
                let sum = &mut self.tenths[doc as usize];
                if *sum == 0 {
                    self.found
                        .push((doc, part.length(posting.doc).unwrap_or_default()));
                }
                *sum = sum.saturating_add(tenths(&posting, weight));
            }
        });
    }

    /// How many sections hold the word.
    pub(super) fn holders(&self) -> usize {
        self.found.len()
    }

    /// The sections that hold the word.
    pub(super) fn docs(&self) -> impl Iterator<Item = u32> + '_ {
        self.found.iter().map(|&(doc, _)| doc)
    }

    /// Hands over each section with its weighted count in tenths and its length, and forgets them.
    pub(super) fn drain(&mut self, mut each: impl FnMut(u32, u32, u32)) {
        for (doc, length) in self.found.drain(..) {
            each(doc, std::mem::take(&mut self.tenths[doc as usize]), length);
        }
    }
}

/// Never zero, as a posting stands for at least one occurrence.
#[inline]
fn tenths(posting: &Posting, weight: u32) -> u32 {
    let titles = posting.title.saturating_mul(TITLE_WEIGHT);
    titles
        .saturating_add(posting.body)
        .max(1)
        .saturating_mul(weight)
}
