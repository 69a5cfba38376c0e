//! The entries that hold any form of a word, with how much they hold of it.

use super::partition::Partition;
use super::postings::{Posting, Postings};
use super::query::{forms, QueryWord};
use super::tail::TITLE_WEIGHT;

/// A live section that holds a form of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Number of the section over all parts of the index.
    pub(super) doc: u32,
    /// Weighted count in tenths: whole numbers, so that the order of adding does not matter.
    pub(super) tenths: u32,
    /// Length of the section in words.
    pub(super) length: u32,
}

/// Lists that are used again from word to word.
#[derive(Default)]
pub(super) struct Gatherer {
    merged: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl Gatherer {
    /// Appends the matches of `part`, whose entries are numbered from `base` on.
    pub(super) fn gather<P: Partition>(
        &mut self,
        part: &P,
        base: u32,
        word: &QueryWord,
        found: &mut Vec<Match>,
    ) {
        let mut lists = Vec::new();
        forms(part, word, &mut |_, weight, postings| {
            lists.push((weight, postings))
        });
        let dead = Some(part.dead()).filter(|dead| !dead.is_empty());
        let mut keep = |doc, tenths| {
            if let Some(length) = part
                .length(doc)
                .filter(|_| !dead.is_some_and(|dead| dead.has(doc)))
            {
                found.push(Match {
                    doc: base + doc,
                    tenths,
                    length,
                });
            }
        };
        if let [(weight, postings)] = &lists[..] {
            postings
                .clone()
                .for_each(|posting| keep(posting.doc, tenths(&posting, *weight)));
        } else {
            self.merge(lists);
            self.merged
                .iter()
                .for_each(|&(doc, tenths)| keep(doc, tenths));
        }
    }

    fn merge(&mut self, lists: Vec<(u32, Postings<'_>)>) {
        self.merged.clear();
        for (weight, postings) in lists {
            self.spare.clear();
            add_list(&self.merged, postings, weight, &mut self.spare);
            std::mem::swap(&mut self.merged, &mut self.spare);
        }
    }
}

fn add_list(left: &[(u32, u32)], right: Postings<'_>, weight: u32, out: &mut Vec<(u32, u32)>) {
    let mut left = left.iter().copied().peekable();
    for posting in right {
        while let Some(item) = left.next_if(|&(doc, _)| doc < posting.doc) {
            out.push(item);
        }
        let before = left
            .next_if(|&(doc, _)| doc == posting.doc)
            .map_or(0, |(_, tenths)| tenths);
        out.push((posting.doc, before.saturating_add(tenths(&posting, weight))));
    }
    out.extend(left);
}

#[inline]
fn tenths(posting: &Posting, weight: u32) -> u32 {
    let count = posting
        .title
        .saturating_mul(TITLE_WEIGHT)
        .saturating_add(posting.body);
    count.saturating_mul(weight)
}
