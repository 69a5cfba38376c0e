//! Which ids a segment surely does not hold.

use crate::id::Kbid;

/// With 12 bits an id and four of them set, one id in about sixty is looked for in vain.
const BITS_PER_ID: usize = 12;
const WORD_BITS: usize = 64;
const BITS_SET: usize = 4;

/// A Bloom filter whose bits of one id lie in one word (Putze, Sanders and Singler, 2007): learning
/// something new asks every segment for its id, and most have never seen it.
pub(super) struct IdFilter {
    words: Vec<u64>,
}

impl IdFilter {
    /// The filter of these ids, of which there are `count`.
    pub(super) fn new(count: usize, ids: impl Iterator<Item = Kbid>) -> Self {
        let mut words = vec![0; (count * BITS_PER_ID).div_ceil(WORD_BITS).max(1)];
        for id in ids {
            let (word, bits) = place(id, words.len());
            words[word] |= bits;
        }
        Self { words }
    }

    /// False for an id that is none of them.
    pub(super) fn may_hold(&self, id: Kbid) -> bool {
        let (word, bits) = place(id, self.words.len());
        self.words[word] & bits == bits
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.words.len() * (WORD_BITS / 8)
    }
}

/// The word of an id and its bits there. Ids are hashes, so their own bits are spread enough.
fn place(id: Kbid, words: usize) -> (usize, u64) {
    let bytes = id.to_bytes();
    let spread = u32::from_be_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
    let word = (u64::from(spread) * words as u64) >> 32;
    let bits = bytes[8..8 + BITS_SET]
        .iter()
        .fold(0, |bits, &byte| bits | 1 << (byte as usize % WORD_BITS));
    (word as usize, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(range: std::ops::Range<u32>) -> Vec<Kbid> {
        range.map(|n| Kbid::of(&n.to_le_bytes())).collect()
    }

    #[test]
    fn ids_held_are_never_denied() {
        for count in [0, 1, 7, 5000] {
            let held = ids(0..count);
            let filter = IdFilter::new(held.len(), held.iter().copied());
            assert!(held.iter().all(|&id| filter.may_hold(id)), "{count}");
        }
    }

    #[test]
    fn most_other_ids_are_denied() {
        let held = ids(0..5000);
        let filter = IdFilter::new(held.len(), held.into_iter());
        let doubtful = ids(5000..25_000)
            .into_iter()
            .filter(|&id| filter.may_hold(id))
            .count();
        assert!(doubtful < 20_000 / 40, "{doubtful} of 20000");
    }
}
