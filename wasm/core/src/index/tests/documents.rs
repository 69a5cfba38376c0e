//! All words, documents and numbers of a query, compared with what a plain search finds.

use super::world::World;
use super::*;
use std::collections::BTreeSet;

fn section(body: &str, docids: &[&str]) -> Sample {
    let mut made = sample(None, body);
    made.record.docids = strings(docids);
    made
}

fn asking(query: &str, matching: Match) -> SearchRequest {
    SearchRequest {
        matching,
        ..SearchRequest::new(query, 1000)
    }
}

#[test]
fn match_all_wants_every_word_in_some_form() {
    let mut index = index_of(&[
        "parcels run",
        "the parcel ran",
        "running parcels here",
        "run",
    ]);
    let found = |index: &mut SearchIndex, query: &str| {
        let response = index.search(&asking(query, Match::All)).unwrap();
        assert_eq!(response.total, response.items.len());
        (
            response.total,
            response
                .items
                .first()
                .map_or(0, |hit| hit.matched_terms.len()),
        )
    };
    assert_eq!(found(&mut index, "parcel run"), (2, 2));
    assert_eq!(found(&mut index, "run parcels here"), (1, 3));
    assert_eq!(found(&mut index, "parcel nowhere"), (0, 0));
    assert_eq!(found(&mut index, "run RUN"), (3, 1));
    assert_eq!(found(&mut index, "  "), (0, 0));
    let long: Vec<String> = (0..90).map(|n| format!("word{n}")).collect();
    add(&mut index, &sample(None, &long.join(" ")));
    add(&mut index, &sample(None, &long[..80].join(" ")));
    assert_eq!(found(&mut index, &long.join(" ")), (1, 90));
    index.seal().unwrap();
    assert_eq!(found(&mut index, &long[1..].join(" ")), (1, 89));
}

#[test]
fn match_all_is_any_without_what_lacks_a_word() {
    let mut world = World::new(31);
    (0..500).for_each(|_| world.step(random_entry));
    for _ in 0..100 {
        let query = random_text(&mut world.random, 4);
        let mut any = world.index.search(&asking(&query, Match::Any)).unwrap();
        let words = query::parse(&query, world.index.analyzer()).len();
        any.items.retain(|hit| hit.matched_terms.len() == words);
        let all = world.index.search(&asking(&query, Match::All)).unwrap();
        assert_eq!(all.items, any.items, "{query:?}");
        assert_eq!(all.total, any.items.len());
    }
}

/// The documents of a search's results, counted by hand.
fn expected(response: &SearchResponse) -> Vec<(String, usize, Hit)> {
    let mut documents: BTreeMap<&str, (usize, &Hit)> = BTreeMap::new();
    for hit in &response.items {
        for docid in hit.record.docids.iter().collect::<BTreeSet<_>>() {
            documents.entry(docid).or_insert((0, hit)).0 += 1;
        }
    }
    let mut found: Vec<_> = documents
        .into_iter()
        .map(|(docid, (sections, best))| (docid.to_string(), sections, best.clone()))
        .collect();
    found.sort_by(|a, b| b.2.score.total_cmp(&a.2.score));
    found
}

#[test]
fn documents_are_those_of_the_matching_sections() {
    let mut world = World::new(32);
    for round in 0..1200 {
        world.step(random_entry);
        if round % 10 > 0 {
            continue;
        }
        let mut request = asking(&random_text(&mut world.random, 3), Match::Any);
        if round % 3 == 0 {
            request.query = "the rare getUserName".to_string();
        }
        if round % 4 == 0 {
            request.types = strings(&["text/*"]);
        }
        let all = expected(&world.index.search(&request).unwrap());
        let stats = world.index.query_stats(&request).unwrap();
        assert_eq!(stats.documents, all.len());
        (request.offset, request.limit) = (world.random.below(3), world.random.below(5));
        let response = world.index.search_documents(&request).unwrap();
        assert_eq!(response.total, all.len(), "{request:?}");
        let page = all.into_iter().skip(request.offset).take(request.limit);
        let found = response.items.into_iter();
        let found = found.map(|item| (item.docid, item.sections, item.best));
        assert_eq!(
            found.collect::<Vec<_>>(),
            page.collect::<Vec<_>>(),
            "{request:?}"
        );
    }
}

#[test]
fn documents_with_equal_scores_are_in_docid_order() {
    let mut index = english();
    add(&mut index, &section("parcel one", &["b", "a", "b"]));
    index.seal().unwrap();
    add(&mut index, &section("parcel two", &["c", "a"]));
    add(&mut index, &section("parcel six", &[]));
    let response = index
        .search_documents(&SearchRequest::new("parcel", 10))
        .unwrap();
    let found: Vec<_> = response
        .items
        .iter()
        .map(|one| (one.docid.as_str(), one.sections))
        .collect();
    assert_eq!(
        (response.total, found),
        (3, vec![("a", 2), ("b", 1), ("c", 1)])
    );
    let first = index.search(&SearchRequest::new("parcel", 10)).unwrap();
    let best = first
        .items
        .into_iter()
        .find(|hit| !hit.record.docids.is_empty());
    assert_eq!(Some(&response.items[0].best), best.as_ref());
}

#[test]
fn query_stats_count_within_the_filters() {
    let mut index = english();
    add(&mut index, &section("parcels run", &["a"]));
    add(&mut index, &section("parcel", &["a", "b"]));
    index.seal().unwrap();
    let gone = section("parcel runs", &["c"]);
    add(&mut index, &gone);
    add(&mut index, &section("running", &["b"]));
    index.remove(&gone.record.kbid).unwrap();
    let stats = |index: &mut SearchIndex, request: &SearchRequest| {
        let stats = index.query_stats(request).unwrap();
        let terms = stats
            .terms
            .into_iter()
            .map(|one| format!("{} {}", one.term, one.sections));
        (
            stats.total,
            stats.documents,
            terms.collect::<Vec<_>>().join(", "),
        )
    };
    let mut request = SearchRequest::new("Parcel none runs PARCEL", 0);
    let expected = (3, 2, "parcel 2, none 0, runs 2".to_string());
    assert_eq!(stats(&mut index, &request), expected);
    request.docids = strings(&["b"]);
    let expected = (2, 2, "parcel 1, none 0, runs 1".to_string());
    assert_eq!(stats(&mut index, &request), expected);
    request = SearchRequest {
        query: "parcel run".to_string(),
        matching: Match::All,
        ..request
    };
    assert_eq!(
        stats(&mut index, &request),
        (0, 0, "parcel 1, run 1".to_string())
    );
    assert_eq!(
        stats(&mut index, &SearchRequest::default()),
        (0, 0, String::new())
    );
}
