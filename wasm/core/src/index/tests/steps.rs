//! Random steps, compared with the brute scorer and with an index built afresh.

use super::brute::{assert_agrees, Brute};
use super::*;

struct World {
    random: Random,
    index: SearchIndex,
    brute: Brute,
    known: Vec<Sample>,
    sealed: Vec<SealedSegment>,
}

impl World {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            index: english(),
            brute: Brute::new(),
            known: Vec::new(),
            sealed: Vec::new(),
        }
    }

    fn step(&mut self) {
        match self.random.below(20) {
            0 => self.sealed.extend(self.index.seal().unwrap()),
            1..=5 if !self.known.is_empty() => self.remove_any(),
            6 | 7 if !self.known.is_empty() => {
                let again = self.random.pick(&self.known).clone();
                self.add(again);
            }
            _ => {
                let sample = random_sample(&mut self.random);
                self.known.push(sample.clone());
                self.add(sample);
            }
        }
    }

    fn add(&mut self, sample: Sample) {
        add(&mut self.index, &sample);
        self.brute.add(&sample);
    }

    fn remove_any(&mut self) {
        let kbid = self.random.pick(&self.known).record.kbid.clone();
        let was_there = self.brute.remove(&kbid);
        assert_eq!(self.index.remove(&kbid).unwrap(), was_there);
        assert!(!self.index.remove(&kbid).unwrap());
    }

    fn compare(&mut self) {
        let query = random_text(&mut self.random, 5);
        assert_agrees(&mut self.index, &self.brute, &query);
        let sections = self
            .index
            .stats()
            .kinds
            .get("section")
            .copied()
            .unwrap_or_default();
        assert_eq!(sections as usize, self.brute.len());
    }

    /// A new index over the sealed bytes.
    fn reloaded(&mut self) -> SearchIndex {
        self.sealed.extend(self.index.seal().unwrap());
        let mut again = english();
        for (number, segment) in self.sealed.iter().enumerate() {
            let dead = self.index.dead(number).unwrap().to_vec();
            again
                .load(segment.terms.to_vec(), segment.corpus.to_vec(), &dead)
                .unwrap();
        }
        again
    }
}

#[test]
fn b32_random_steps_agree_with_the_brute_scorer() {
    for seed in 1..=5 {
        let mut world = World::new(seed);
        for _ in 0..1000 {
            world.step();
            if world.random.below(3) == 0 {
                world.compare();
            }
        }
        let mut again = world.reloaded();
        assert_eq!(again.stats().kinds, world.index.stats().kinds);
        for _ in 0..50 {
            let query = random_text(&mut world.random, 5);
            assert_agrees(&mut again, &world.brute, &query);
            assert_eq!(search(&mut again, &query), search(&mut world.index, &query));
        }
    }
}

#[test]
fn b32_deleting_one_hides_no_other() {
    let mut index = english();
    let [a, b, c] = ["parcel one", "parcel two", "parcels three"].map(|body| sample(None, body));
    for sample in [&a, &b, &c] {
        add(&mut index, sample);
    }
    assert!(index.remove(&a.record.kbid).unwrap());
    assert!(!index.remove(&a.record.kbid).unwrap());
    assert_eq!(
        keys(&search(&mut index, "parcel")),
        [&b, &c].map(|s| s.record.kbid.clone())
    );
    add(&mut index, &a);
    assert_eq!(search(&mut index, "parcel").total, 3);
    let sealed = index.seal().unwrap().unwrap();
    assert_eq!(index.stats().tail_entries, 0);
    for sample in [&b, &c] {
        index.remove(&sample.record.kbid).unwrap();
    }
    assert_eq!(keys(&search(&mut index, "parcels")), vec![a.record.kbid]);
    assert_eq!(index.dead(0).unwrap().len(), 1);
    assert!(sealed.corpus.len() > 100);
}

#[test]
fn b32_sealing_drops_the_text_of_the_dead() {
    let mut index = index_of(&["ordinary words", "secretword stays hidden"]);
    let secret = sample(None, "secretword stays hidden");
    index.remove(&secret.record.kbid).unwrap();
    let sealed = index.seal().unwrap().unwrap();
    let holds = |bytes: &[u8]| {
        bytes
            .windows(6)
            .any(|six| six == b"hidden" || six == b"secret")
    };
    assert!(!holds(&sealed.terms) && !holds(&sealed.corpus));
    index
        .remove(&sample(None, "ordinary words").record.kbid)
        .unwrap();
    assert!(index.seal().unwrap().is_none());
    assert_eq!(search(&mut index, "ordinary hidden").total, 0);
}

#[test]
fn replacing_keeps_one_entry() {
    let mut index = english();
    let mut one = sample(Some("Old"), "body");
    add(&mut index, &one);
    index.seal().unwrap();
    one.record.heading = Some("New".to_string());
    add(&mut index, &one);
    assert_eq!(search(&mut index, "old").total, 0);
    assert_eq!(search(&mut index, "new body").total, 1);
    let stored = index.get(&one.record.kbid).unwrap().unwrap();
    assert_eq!(stored, one.record);
    assert_eq!(index.stats().kinds["section"], 1);
}

#[test]
fn equal_input_gives_equal_bytes() {
    let build = || {
        let mut random = Random::new(9);
        let mut index = english();
        for _ in 0..200 {
            add(&mut index, &random_sample(&mut random));
        }
        index.seal().unwrap().unwrap()
    };
    let (one, two) = (build(), build());
    assert_eq!(one.terms, two.terms);
    assert_eq!(one.corpus, two.corpus);
    assert_eq!(one.positions, two.positions);
}
