//! Rows of keys, each in order, as one row in order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What comes next of each row is known; the least of it comes first, of equal keys that of the first row.
pub(super) struct Joined<K, V, I> {
    rows: Vec<I>,
    heads: BinaryHeap<Reverse<(K, usize)>>,
    values: Vec<Option<V>>,
}

impl<K: Ord, V, I: Iterator<Item = (K, V)>> Joined<K, V, I> {
    pub(super) fn new(rows: impl Iterator<Item = I>) -> Self {
        let rows: Vec<I> = rows.collect();
        let mut joined = Self {
            heads: BinaryHeap::with_capacity(rows.len()),
            values: rows.iter().map(|_| None).collect(),
            rows,
        };
        (0..joined.rows.len()).for_each(|row| joined.advance(row));
        joined
    }

    fn advance(&mut self, row: usize) {
        if let Some((key, value)) = self.rows[row].next() {
            self.heads.push(Reverse((key, row)));
            self.values[row] = Some(value);
        }
    }

    /// The key that comes next.
    pub(super) fn peek(&self) -> Option<&K> {
        self.heads.peek().map(|Reverse((key, _))| key)
    }
}

impl<K: Ord, V, I: Iterator<Item = (K, V)>> Iterator for Joined<K, V, I> {
    /// A key, the number of its row, and its value.
    type Item = (K, usize, V);

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((key, row)) = self.heads.pop()?;
        let value = self.values[row].take()?;
        self.advance(row);
        Some((key, row, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_keeps_the_order_of_keys_and_rows() {
        let rows = [vec![(1, 'a'), (3, 'b')], vec![], vec![(1, 'c'), (2, 'd')]];
        let mut joined = Joined::new(rows.into_iter().map(Vec::into_iter));
        assert_eq!(joined.peek(), Some(&1));
        let all: Vec<_> = joined.by_ref().collect();
        assert_eq!(all, [(1, 0, 'a'), (1, 2, 'c'), (2, 2, 'd'), (3, 0, 'b')]);
        assert_eq!(joined.peek(), None);
    }
}
