//! Random steps, compared with the brute scorer and with an index built afresh.

use super::brute::assert_agrees;
use super::world::World;
use super::*;

#[test]
fn b32_random_steps_agree_with_the_brute_scorer() {
    for seed in 1..=5 {
        let mut world = World::new(seed);
        for _ in 0..1000 {
            world.step(random_sample);
            if world.random.below(3) == 0 {
                let query = random_text(&mut world.random, 5);
                assert_agrees(&mut world.index, &world.brute, &query);
                let kinds = world.index.stats().kinds;
                let sections = kinds.get("section").copied().unwrap_or_default();
                assert_eq!(sections as usize, world.brute.len());
            }
        }
        world.seal();
        let mut again = world.reloaded();
        assert_eq!(again.stats().kinds, world.index.stats().kinds);
        for _ in 0..50 {
            let query = random_text(&mut world.random, 5);
            assert_agrees(&mut again, &world.brute, &query);
            assert_eq!(search(&mut again, &query), search(&mut world.index, &query));
        }
    }
}

/// Everything that may be asked, with random filters.
fn assert_same_answers(world: &mut World, fresh: &mut SearchIndex) {
    let index = &mut world.index;
    let random = &mut world.random;
    assert_eq!(index.stats().kinds, fresh.stats().kinds);
    let request = random_request(random);
    assert_eq!(
        index.search(&request),
        fresh.search(&request),
        "{request:?}"
    );
    assert_eq!(
        index.search_documents(&request),
        fresh.search_documents(&request),
        "{request:?}"
    );
    assert_eq!(
        index.query_stats(&request),
        fresh.query_stats(&request),
        "{request:?}"
    );
    let filter = random_filter(random);
    let after = random.pick(&world.order).clone();
    let after = Some(after.as_str()).filter(|_| random.below(2) == 0);
    let limit = random.below(60);
    assert_eq!(
        index.list(&filter, after, limit),
        fresh.list(&filter, after, limit),
        "{filter:?} {after:?} {limit}"
    );
    assert_eq!(index.count(&filter), fresh.count(&filter), "{filter:?}");
    let kind = *random.pick(&[ValueKind::Tag, ValueKind::Type, ValueKind::Docid]);
    assert_eq!(
        index.values(kind, "", None, 100),
        fresh.values(kind, "", None, 100)
    );
    let kbid = random.pick(&world.order);
    assert_eq!(index.get(kbid), fresh.get(kbid));
}

fn random_request(random: &mut Random) -> SearchRequest {
    let mut values = |name: &str, from: &[&str]| {
        let count = random.below(4).saturating_sub(2);
        let value = |random: &mut Random| format!("{name}{}", random.pick(from));
        (0..count).map(|_| value(random)).collect::<Vec<_>>()
    };
    let tags = values("tag ", &["0", "1", "2"]);
    let docids = values("doc ", &["0", "3", "5"]);
    let types = values("", &["text/*", "image/png", "text/plain"]);
    SearchRequest {
        query: random_text(random, 4),
        matching: *random.pick(&[Match::Any, Match::All]),
        limit: random.below(40),
        offset: random.below(6),
        tags,
        types,
        docids,
    }
}

fn random_filter(random: &mut Random) -> EntryFilter {
    let mut value = |name: &str, from: &[&str]| {
        let value = format!("{name}{}", random.pick(from));
        Some(value).filter(|_| random.below(3) == 0)
    };
    EntryFilter {
        kind: "section".to_string(),
        docid: value("doc ", &["0", "4"]),
        reference: value("ref ", &["1", "2"]),
        tag: value("tag ", &["0", "3"]),
        media_type: value("", &["text/*", "image/jpeg"]),
    }
}

#[test]
fn b32_steps_and_merges_answer_as_a_fresh_index() {
    for seed in 1..=8 {
        let mut world = World::new(seed);
        for round in 0..600 {
            world.step(random_entry);
            if world.random.below(25) == 0 {
                world.merge();
            }
            if round % 20 == 19 {
                let mut fresh = world.fresh();
                for _ in 0..4 {
                    assert_same_answers(&mut world, &mut fresh);
                }
            }
        }
        world.seal();
        let mut again = world.reloaded();
        let mut fresh = world.fresh();
        std::mem::swap(&mut world.index, &mut again);
        (0..20).for_each(|_| assert_same_answers(&mut world, &mut fresh));
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
