//! The best entries in order: score rounded to 1e-6, then key.

use super::board::Cell;
use crate::id::Kbid;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Scores are compared in these steps, so that equal input gives equal order everywhere.
const STEPS: f64 = 1e6;

/// An entry in the order of results; the greater of two is the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    /// The score in millionths.
    pub(super) steps: i64,
    pub(super) id: Kbid,
    pub(super) doc: u32,
    /// Which words of the query it holds, as its cell had it.
    pub(super) held: u64,
}

impl Ranked {
    pub(super) fn new(doc: u32, cell: Cell, id: Kbid) -> Self {
        let steps = (cell.score * STEPS + 0.5).floor() as i64;
        let held = cell.held;
        Self {
            steps,
            id,
            doc,
            held,
        }
    }

    /// The rounded score.
    pub(super) fn score(&self) -> f64 {
        self.steps as f64 / STEPS
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps.cmp(&other.steps).then(other.id.cmp(&self.id))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best `size` of all entries offered.
pub(super) struct Top {
    size: usize,
    /// Scores below this one cannot make it.
    least: f64,
    worst_first: BinaryHeap<Reverse<Ranked>>,
}

impl Top {
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            least: f64::NEG_INFINITY,
            worst_first: BinaryHeap::new(),
        }
    }

    /// Offers an entry; its key is asked for only where the score could make it.
    pub(super) fn offer(&mut self, doc: u32, cell: Cell, id: impl FnOnce() -> Kbid) {
        if cell.score < self.least || self.size == 0 {
            return;
        }
        let ranked = Ranked::new(doc, cell, id());
        if self.worst_first.len() < self.size {
            self.worst_first.push(Reverse(ranked));
        } else if let Some(mut worst) = self.worst_first.peek_mut() {
            worst.0 = worst.0.max(ranked);
        }
        self.raise_least();
    }

    /// Half a step is left below the worst entry, as scores are rounded before they are compared.
    fn raise_least(&mut self) {
        if self.worst_first.len() == self.size {
            let worst = self.worst_first.peek().map_or(0, |worst| worst.0.steps);
            self.least = (worst - 1) as f64 / STEPS;
        }
    }

    /// The entries kept, best first.
    pub(super) fn into_sorted(self) -> Vec<Ranked> {
        self.worst_first
            .into_sorted_vec()
            .into_iter()
            .map(|Reverse(ranked)| ranked)
            .collect()
    }
}
