//! An index that random steps are done with, and what it must hold afterwards.

use super::brute::Brute;
use super::*;

pub(in crate::index) struct World {
    pub(in crate::index) random: Random,
    pub(in crate::index) index: SearchIndex,
    /// Knows what lives, as if all entries were sections.
    pub(in crate::index) brute: Brute,
    /// Everything ever added.
    pub(in crate::index) known: BTreeMap<String, Sample>,
    /// Keys of what lives, in the order of the last adding, and of nothing else.
    pub(in crate::index) order: Vec<String>,
    pub(in crate::index) sealed: Vec<SealedSegment>,
}

impl World {
    pub(in crate::index) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            index: english(),
            brute: Brute::new(),
            known: BTreeMap::new(),
            order: Vec::new(),
            sealed: Vec::new(),
        }
    }

    /// Seals, removes, adds again or adds an entry that `make` makes.
    pub(in crate::index) fn step(&mut self, make: fn(&mut Random) -> Sample) {
        match self.random.below(20) {
            0 => self.seal(),
            1..=5 if !self.known.is_empty() => self.remove_any(),
            6 | 7 if !self.known.is_empty() => {
                let again = self.any();
                self.add(again);
            }
            _ => {
                let sample = make(&mut self.random);
                self.add(sample);
            }
        }
    }

    fn any(&mut self) -> Sample {
        let at = self.random.below(self.known.len());
        self.known.values().nth(at).unwrap().clone()
    }

    fn add(&mut self, sample: Sample) {
        add(&mut self.index, &sample);
        self.brute.add(&sample);
        let kbid = sample.record.kbid.clone();
        self.order.retain(|live| *live != kbid);
        self.order.push(kbid.clone());
        self.known.insert(kbid, sample);
    }

    pub(in crate::index) fn remove_any(&mut self) {
        let kbid = self.any().record.kbid;
        let was_there = self.brute.remove(&kbid);
        assert_eq!(self.index.remove(&kbid).unwrap(), was_there);
        assert!(!self.index.remove(&kbid).unwrap());
        self.order.retain(|live| *live != kbid);
    }

    pub(in crate::index) fn seal(&mut self) {
        self.sealed.extend(self.index.seal().unwrap());
    }

    /// Merges some neighbouring segments; meanwhile a few entries die.
    pub(in crate::index) fn merge(&mut self) {
        if self.sealed.is_empty() {
            return;
        }
        let first = self.random.below(self.sealed.len());
        let count = 1 + self.random.below(self.sealed.len() - first);
        let dead = self.dead(first..first + count);
        let merged = merged(&self.sealed[first..first + count], &dead);
        (0..self.random.below(4)).for_each(|_| self.remove_any());
        let bytes = merged.as_ref().map(|merged| SegmentBytes {
            terms: merged.terms.clone(),
            corpus: merged.corpus.clone(),
            dead: &[],
        });
        let replaced = Replaced {
            first,
            dead_at_merge: &dead,
        };
        self.index.replace_segments(replaced, bytes).unwrap();
        self.sealed.splice(first..first + count, merged);
        assert_eq!(self.index.stats().segments, self.sealed.len());
    }

    pub(in crate::index) fn dead(&self, segments: std::ops::Range<usize>) -> Vec<Vec<u8>> {
        segments
            .map(|segment| self.index.dead(segment).unwrap().to_vec())
            .collect()
    }

    /// What lives, in the order of the last adding.
    pub(in crate::index) fn live(&self) -> impl Iterator<Item = &Sample> {
        self.order.iter().map(|kbid| &self.known[kbid])
    }

    /// A new index over what lives, added in key order.
    pub(in crate::index) fn fresh(&self) -> SearchIndex {
        let mut fresh = english();
        let mut live: Vec<_> = self.live().collect();
        live.sort_by(|a, b| a.record.kbid.cmp(&b.record.kbid));
        live.into_iter().for_each(|sample| {
            add(&mut fresh, sample);
        });
        fresh
    }

    /// A new index over the sealed bytes.
    pub(in crate::index) fn reloaded(&self) -> SearchIndex {
        let mut again = english();
        let dead = self.dead(0..self.sealed.len());
        for (segment, dead) in self.sealed.iter().zip(dead) {
            let (terms, corpus) = (segment.terms.clone(), segment.corpus.clone());
            again.load(terms, corpus, &dead).unwrap();
        }
        again
    }
}

/// The segments without what is dead as one.
pub(in crate::index) fn merged(
    segments: &[SealedSegment],
    dead: &[Vec<u8>],
) -> Option<SealedSegment> {
    let mut merger = SegmentMerger::default();
    for (segment, dead) in segments.iter().zip(dead) {
        let SealedSegment {
            terms,
            positions,
            corpus,
        } = segment.clone();
        merger.add(terms, positions, corpus, dead).unwrap();
    }
    merger.finish().unwrap()
}
