//! Lists, counts and values, compared with looking at every entry.

use super::world::World;
use super::*;

fn entry(body: &str, docids: &[&str], tags: &[&str]) -> Sample {
    let mut made = sample(None, body);
    made.record.docids = strings(docids);
    made.record.tags = strings(tags);
    made
}

fn has(record: &Record, filter: &EntryFilter) -> bool {
    let in_list = |wanted: &Option<String>, values: &[String]| {
        wanted.as_ref().is_none_or(|wanted| values.contains(wanted))
    };
    let is_type = |wanted: &String| match wanted.strip_suffix("/*") {
        Some(start) => record.media_type.starts_with(&format!("{start}/")),
        None => record.media_type == *wanted,
    };
    record.kind == filter.kind
        && in_list(&filter.docid, &record.docids)
        && in_list(&filter.reference, &record.refs)
        && in_list(&filter.tag, &record.tags)
        && filter.media_type.as_ref().is_none_or(is_type)
}

/// All combinations of a few values.
fn all_filters() -> Vec<EntryFilter> {
    let mut filters = Vec::new();
    let some = |value: &str| Some(value.to_string());
    for kind in ["section", "document", "none"] {
        for docid in [None, some("doc 1"), some("doc 77")] {
            for reference in [None, some("ref 2")] {
                for tag in [None, some("tag 3")] {
                    for media_type in [None, some("image/*"), some("text/plain"), some("*")] {
                        filters.push(EntryFilter {
                            kind: kind.to_string(),
                            docid: docid.clone(),
                            reference: reference.clone(),
                            tag: tag.clone(),
                            media_type,
                        });
                    }
                }
            }
        }
    }
    filters
}

#[test]
fn lists_and_counts_are_those_of_every_entry_looked_at() {
    let mut world = World::new(21);
    (0..900).for_each(|_| world.step(random_entry));
    let mut live: Vec<&Record> = world.live().map(|sample| &sample.record).collect();
    live.sort_by(|a, b| a.kbid.cmp(&b.kbid));
    let middle = live[live.len() / 2].kbid.as_str();
    for filter in all_filters() {
        let expected: Vec<&Record> = live.iter().copied().filter(|r| has(r, &filter)).collect();
        let list = |after, limit| world.index.list(&filter, after, limit).unwrap();
        assert_eq!(
            list(None, 10_000).iter().collect::<Vec<_>>(),
            expected,
            "{filter:?}"
        );
        let count = world.index.count(&filter).unwrap();
        assert_eq!(count as usize, expected.len(), "{filter:?}");
        let above: Vec<_> = expected
            .iter()
            .filter(|r| r.kbid.as_str() > middle)
            .collect();
        let page = list(Some(middle), 7);
        assert!(
            page.iter().eq(above.into_iter().copied().take(7)),
            "{filter:?}"
        );
        assert!(list(None, 0).is_empty());
    }
}

#[test]
fn values_count_live_sections_in_byte_order() {
    let mut world = World::new(22);
    (0..600).for_each(|_| world.step(random_entry));
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for sample in world
        .live()
        .filter(|sample| sample.record.kind == "section")
    {
        let mut docids = sample.record.docids.clone();
        docids.sort();
        docids.dedup();
        for docid in docids {
            *expected.entry(docid).or_default() += 1;
        }
    }
    let found = world.index.values(ValueKind::Docid, "", None, 1000);
    let found: BTreeMap<_, _> = found
        .into_iter()
        .map(|one| (one.value, one.count))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn values_are_paged_and_start_as_asked() {
    let mut index = english();
    add(
        &mut index,
        &entry("a", &["x/1", "x/2", "y"], &["red", "übel"]),
    );
    index.seal().unwrap();
    add(&mut index, &entry("b", &["x/2", "x/10"], &["red", "blue"]));
    let mut document = entry("c", &["z"], &["only"]);
    document.record.kind = "document".to_string();
    add(&mut index, &document);
    let dead = entry("d", &["dead"], &["red"]);
    add(&mut index, &dead);
    index.remove(&dead.record.kbid).unwrap();
    let values = |kind, prefix: &str, after, limit| {
        let found = index.values(kind, prefix, after, limit);
        let shown = found
            .into_iter()
            .map(|one| format!("{} {}", one.value, one.count));
        shown.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        values(ValueKind::Docid, "", None, 9),
        "x/1 1, x/10 1, x/2 2, y 1"
    );
    assert_eq!(values(ValueKind::Docid, "x/", None, 2), "x/1 1, x/10 1");
    assert_eq!(values(ValueKind::Docid, "x/", Some("x/10"), 9), "x/2 2");
    assert_eq!(values(ValueKind::Docid, "x/", Some("a"), 1), "x/1 1");
    assert_eq!(values(ValueKind::Docid, "x/", Some("y"), 9), "");
    assert_eq!(values(ValueKind::Tag, "", None, 9), "blue 1, red 2, übel 1");
    assert_eq!(values(ValueKind::Type, "", None, 9), "text/markdown 2");
    assert!(ValueKind::named("kind").is_err());
    assert_eq!(ValueKind::named("docid"), Ok(ValueKind::Docid));
}

#[test]
fn refs_are_kept_and_filtered_by() {
    let mut index = english();
    let mut one = sample(None, "a parcel");
    one.record.refs = strings(&["key a", "key b", "key a"]);
    let mut document = sample(None, "stored only");
    document.record.kind = "document".to_string();
    document.record.refs = strings(&["key b"]);
    add(&mut index, &one);
    add(&mut index, &document);
    for is_sealed in [false, true] {
        if is_sealed {
            index.seal().unwrap();
        }
        let list = |kind: &str, key: &str| {
            let filter = EntryFilter {
                reference: Some(key.to_string()),
                ..EntryFilter::of_kind(kind)
            };
            index.list(&filter, None, 10).unwrap()
        };
        assert_eq!(list("section", "key a"), [one.record.clone()]);
        assert_eq!(list("section", "key b"), [one.record.clone()]);
        assert_eq!(list("document", "key b"), [document.record.clone()]);
        assert_eq!(list("document", "key a"), []);
        assert_eq!(list("section", "key"), []);
    }
}

#[test]
fn list_names_a_damaged_record() {
    let mut index = index_of(&["one", "two"]);
    let sealed = index.seal().unwrap().unwrap();
    let mut corpus = sealed.corpus.to_vec();
    let record = corpus
        .windows(7)
        .position(|seven| seven == b"section")
        .unwrap();
    corpus[record] = 0xff;
    let mut again = english();
    again.load(sealed.terms, corpus, &[]).unwrap();
    let error = again
        .list(&EntryFilter::of_kind("section"), None, 9)
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::CorruptIndex);
    assert!(error.message.contains("record of entry 0"), "{error}");
}
