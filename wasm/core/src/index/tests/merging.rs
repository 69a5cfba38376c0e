//! Merged segments are what sealing would give, damage is refused, and replacing keeps what lives.

use super::world::{merged, World};
use super::*;

/// What sealing the live entries of a world in the order of their adding gives.
fn sealed_afresh(world: &World) -> Option<SealedSegment> {
    let mut index = english();
    world.live().for_each(|sample| {
        add(&mut index, sample);
    });
    index.seal().unwrap()
}

fn assert_same_bytes(found: Option<SealedSegment>, expected: Option<SealedSegment>) {
    let (Some(found), Some(expected)) = (&found, &expected) else {
        return assert_eq!(found.is_some(), expected.is_some());
    };
    assert!(found.terms == expected.terms, "dictionaries differ");
    assert!(found.positions == expected.positions, "positions differ");
    assert!(found.corpus == expected.corpus, "entries or lists differ");
}

#[test]
fn merging_gives_the_bytes_that_sealing_gives() {
    for seed in 1..=40 {
        let mut world = World::new(seed);
        let steps = world.random.below(300);
        (0..steps).for_each(|_| world.step(random_entry));
        world.seal();
        let dead = world.dead(0..world.sealed.len());
        assert_same_bytes(merged(&world.sealed, &dead), sealed_afresh(&world));
    }
}

#[test]
fn merging_what_was_merged_gives_the_same_bytes() {
    for seed in 1..=20 {
        let mut world = World::new(seed);
        for _ in 0..200 {
            world.step(random_entry);
            if world.random.below(15) == 0 {
                world.merge();
            }
        }
        world.seal();
        let dead = world.dead(0..world.sealed.len());
        assert_same_bytes(merged(&world.sealed, &dead), sealed_afresh(&world));
    }
}

#[test]
fn merging_nothing_that_lives_gives_none() {
    assert!(SegmentMerger::default().finish().unwrap().is_none());
    let segment = index_of(&["one", "two"]).seal().unwrap().unwrap();
    assert!(merged(&[segment.clone(), segment], &[vec![3], vec![3]]).is_none());
}

#[test]
fn merging_an_entry_twice_is_refused() {
    let segment = index_of(&["one"]).seal().unwrap().unwrap();
    let mut merger = SegmentMerger::default();
    for _ in 0..2 {
        let SealedSegment {
            terms,
            positions,
            corpus,
        } = segment.clone();
        merger.add(terms, positions, corpus, &[]).unwrap();
    }
    assert_eq!(merger.finish().unwrap_err().code, ErrorCode::BadArgument);
}

fn sample_world() -> World {
    let mut world = World::new(11);
    (0..250).for_each(|_| world.step(random_entry));
    world.seal();
    world
}

fn merge_of(parts: [Vec<u8>; 3], other: &SealedSegment) -> Result<bool, CoreError> {
    let [terms, positions, corpus] = parts;
    let mut merger = SegmentMerger::default();
    merger.add(terms, positions, corpus, &[])?;
    merger.add(
        other.terms.clone(),
        other.positions.clone(),
        other.corpus.clone(),
        &[],
    )?;
    Ok(merger.finish()?.is_some())
}

#[test]
fn merging_damaged_bytes_never_panics() {
    let world = sample_world();
    let (one, other) = (&world.sealed[0], &world.sealed[1]);
    let mut refused = 0;
    let mut random = Random::new(3);
    for round in 0..3000 {
        let mut parts = [
            one.terms.to_vec(),
            one.positions.clone(),
            one.corpus.to_vec(),
        ];
        let part = &mut parts[[0, 1, 2, 2][round % 4]];
        for _ in 0..1 + random.below(3) {
            let at = random.below(part.len());
            part[at] = random.below(256) as u8;
        }
        if let Err(error) = merge_of(parts, other) {
            assert_ne!(error.message, "");
            refused += 1;
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn merging_cut_bytes_is_refused() {
    let world = sample_world();
    let (one, other) = (&world.sealed[0], &world.sealed[1]);
    let whole = [
        one.terms.to_vec(),
        one.positions.clone(),
        one.corpus.to_vec(),
    ];
    assert_eq!(merge_of(whole.clone(), other), Ok(true));
    for part in 0..3 {
        for cut in (0..whole[part].len()).step_by(5) {
            let mut parts = whole.clone();
            parts[part].truncate(cut);
            let code = merge_of(parts, other).unwrap_err().code;
            assert_eq!(code, ErrorCode::CorruptIndex, "part {part} cut at {cut}");
        }
    }
}

/// An index of three segments and its bytes.
fn three() -> (SearchIndex, Vec<SealedSegment>) {
    let mut index = english();
    let mut sealed = Vec::new();
    for bodies in [
        ["a parcel", "b parcel"],
        ["c parcel", "d parcel"],
        ["e parcel", "f parcel"],
    ] {
        bodies.iter().for_each(|body| {
            add(&mut index, &sample(None, body));
        });
        sealed.extend(index.seal().unwrap());
    }
    (index, sealed)
}

fn replace(
    index: &mut SearchIndex,
    first: usize,
    dead: &[Vec<u8>],
    merged: Option<&SealedSegment>,
) -> Result<(), CoreError> {
    let replaced = Replaced {
        first,
        dead_at_merge: dead,
    };
    let bytes = merged.map(|merged| SegmentBytes {
        terms: merged.terms.clone(),
        corpus: merged.corpus.clone(),
        dead: &[],
    });
    index.replace_segments(replaced, bytes)
}

#[test]
fn replacing_kills_what_died_since_the_merge() {
    let (mut index, sealed) = three();
    let kbid = |body: &str| sample(None, body).record.kbid;
    index.remove(&kbid("a parcel")).unwrap();
    let dead = [vec![1], vec![0]];
    let joined = merged(&sealed[..2], &dead).unwrap();
    index.remove(&kbid("c parcel")).unwrap();
    let (before, kinds) = (search(&mut index, "parcel"), index.stats().kinds);
    replace(&mut index, 0, &dead, Some(&joined)).unwrap();
    assert_eq!(search(&mut index, "parcel"), before);
    assert_eq!(index.stats().kinds, kinds);
    assert_eq!(index.get(&kbid("c parcel")).unwrap(), None);
    let sizes = index.segments();
    assert_eq!(
        [
            (sizes[0].entries, sizes[0].dead),
            (sizes[1].entries, sizes[1].dead)
        ],
        [(3, 1), (2, 0)]
    );
    assert!(sizes[0].bytes > sizes[1].bytes);
    assert_eq!(index.dead(0).unwrap(), [2]);
    add(&mut index, &sample(None, "c parcel"));
    assert_eq!(search(&mut index, "parcel").total, 5);
}

#[test]
fn replacing_the_dead_with_nothing_takes_them_out() {
    let (mut index, _) = three();
    for body in ["c parcel", "d parcel"] {
        index.remove(&sample(None, body).record.kbid).unwrap();
    }
    replace(&mut index, 1, &[vec![3]], None).unwrap();
    assert_eq!(index.stats().segments, 2);
    assert_eq!(search(&mut index, "parcel").total, 4);
}

#[test]
fn replacing_with_what_does_not_fit_changes_nothing() {
    let (mut index, sealed) = three();
    let joined = merged(&sealed[..2], &[vec![], vec![]]).unwrap();
    let before = search(&mut index, "parcel");
    let two = [vec![], vec![]];
    let code = |outcome: Result<(), CoreError>| outcome.unwrap_err().code;
    for (first, dead) in [
        (2, &two[..]),
        (3, &two[..1]),
        (0, &[]),
        (usize::MAX, &two[..]),
    ] {
        let outcome = replace(&mut index, first, dead, Some(&joined));
        assert_eq!(code(outcome), ErrorCode::BadArgument, "{first}");
    }
    let misfits = [
        (1, vec![vec![], vec![]], Some(&joined)),
        (0, vec![vec![1], vec![]], Some(&joined)),
        (0, vec![vec![], vec![], vec![]], Some(&joined)),
        (0, vec![vec![1, 2, 3], vec![]], Some(&joined)),
        (0, vec![vec![]], Some(&joined)),
        (0, vec![vec![]], None),
        (0, vec![vec![3]], None),
    ];
    for (first, dead, segment) in misfits {
        let outcome = replace(&mut index, first, &dead, segment);
        assert_eq!(code(outcome), ErrorCode::CorruptIndex, "{first} {dead:?}");
    }
    assert_eq!(search(&mut index, "parcel"), before);
    assert_eq!(index.stats().segments, 3);
    replace(&mut index, 0, &two, Some(&joined)).unwrap();
    assert_eq!(search(&mut index, "parcel"), before);
}
