//! Filters, other kinds, lists and numbers.

use super::*;

fn tagged(body: &str, media_type: &str, tags: &[&str], docids: &[&str]) -> Sample {
    let mut made = sample(None, body);
    made.record.media_type = media_type.to_string();
    made.record.tags = tags.iter().map(|tag| tag.to_string()).collect();
    made.record.docids = docids.iter().map(|docid| docid.to_string()).collect();
    made
}

fn library() -> SearchIndex {
    let mut index = english();
    add(
        &mut index,
        &tagged("parcel a", "text/markdown", &["red", "big"], &["one.md"]),
    );
    add(
        &mut index,
        &tagged(
            "parcel b",
            "text/markdown",
            &["red"],
            &["one.md", "zwei \0.md"],
        ),
    );
    index.seal().unwrap();
    add(&mut index, &tagged("parcel c", "image/png", &["big"], &[]));
    add(
        &mut index,
        &tagged("parcel d", "image/jpeg", &[], &["two.md"]),
    );
    index
}

fn total(index: &mut SearchIndex, tags: &[&str], types: &[&str], docids: &[&str]) -> usize {
    let request = SearchRequest {
        tags: strings(tags),
        types: strings(types),
        docids: strings(docids),
        ..SearchRequest::new("parcel", 10)
    };
    let response = index.search(&request).unwrap();
    assert_eq!(response.total, response.items.len());
    response.total
}

#[test]
fn filters_narrow_the_total() {
    let mut index = library();
    type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str], usize);
    let cases: [Case<'_>; 9] = [
        (&[], &[], &[], 4),
        (&["red"], &[], &[], 2),
        (&["red", "big"], &[], &[], 1),
        (&["none"], &[], &[], 0),
        (&[], &["image/*"], &[], 2),
        (&[], &["image/png", "text/markdown"], &[], 3),
        (&["big"], &["image/*"], &[], 1),
        (&[], &[], &["one.md", "two.md"], 3),
        (&[], &[], &["zwei \0.md"], 1),
    ];
    for (tags, types, docids, expected) in cases {
        assert_eq!(
            total(&mut index, tags, types, docids),
            expected,
            "{tags:?} {types:?} {docids:?}"
        );
    }
}

#[test]
fn other_kinds_are_stored_and_not_searched() {
    let mut index = library();
    let before = search(&mut index, "parcel");
    let mut document = sample(Some("parcel"), "parcel");
    document.record.kind = "document".to_string();
    assert_eq!(add(&mut index, &document), 0);
    assert_eq!(search(&mut index, "parcel"), before);
    index.seal().unwrap();
    assert_eq!(search(&mut index, "parcel"), before);
    assert_eq!(
        index.get(&document.record.kbid).unwrap().unwrap(),
        document.record
    );
    assert_eq!(
        index
            .list(&EntryFilter::of_kind("document"), None, 10)
            .unwrap(),
        [document.record]
    );
    assert_eq!(index.stats().kinds["document"], 1);
}

#[test]
fn list_pages_in_key_order() {
    let mut random = Random::new(3);
    let mut index = english();
    let mut expected: Vec<String> = Vec::new();
    for round in 0..300 {
        let sample = random_sample(&mut random);
        add(&mut index, &sample);
        expected.push(sample.record.kbid);
        if round % 90 == 0 {
            index.seal().unwrap();
        }
    }
    index.remove(&expected.swap_remove(10)).unwrap();
    index.remove(&expected.swap_remove(250)).unwrap();
    expected.sort();
    expected.dedup();
    let mut found: Vec<String> = Vec::new();
    loop {
        let page = index
            .list(
                &EntryFilter::of_kind("section"),
                found.last().map(String::as_str),
                7,
            )
            .unwrap();
        if page.is_empty() {
            break;
        }
        found.extend(page.into_iter().map(|record| record.kbid));
    }
    assert_eq!(found, expected);
}

#[test]
fn terms_are_counted_once_over_all_parts() {
    let mut index = index_of(&["one two"]);
    index.seal().unwrap();
    add(&mut index, &sample(None, "two three"));
    assert_eq!(index.stats().terms, 3);
    index.seal().unwrap();
    add(&mut index, &sample(None, "three four"));
    assert_eq!(index.stats().terms, 4);
    assert!(index.stats().segment_bytes > 0 && index.stats().tail_bytes > 0);
}

#[test]
fn keys_of_another_shape_are_refused() {
    let mut index = english();
    assert!(index.add(&Record::section("short", None), "x").is_err());
    assert!(index.get("short").is_err());
    assert!(index.remove("short").is_err());
    assert!(index.dead(0).is_err());
}
