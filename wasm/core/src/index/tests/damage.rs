//! Damaged segment bytes are refused or read as far as they go; they never panic.

use super::*;

fn segment() -> (SealedSegment, Vec<Sample>) {
    let mut random = Random::new(5);
    let samples: Vec<Sample> = (0..60).map(|_| random_entry(&mut random)).collect();
    let mut index = english();
    samples.iter().for_each(|sample| {
        add(&mut index, sample);
    });
    (index.seal().unwrap().unwrap(), samples)
}

/// Everything that reads a segment.
fn exercise(terms: Vec<u8>, corpus: Vec<u8>, samples: &[Sample]) {
    let mut index = english();
    if index.load(terms, corpus, &[]).is_err() {
        return;
    }
    let request = SearchRequest {
        types: vec!["text/*".to_string()],
        ..SearchRequest::new("parcel box running", 20)
    };
    let _ = index.search(&request);
    let _ = index.search(&SearchRequest::new("s ed lo 東京 getUserName", 100));
    let _ = index.search_documents(&SearchRequest::new("parcel getUserName", 5));
    let _ = index.search_documents(&SearchRequest::new("s ed lo gi cal ly run", 5));
    let _ = index.query_stats(&request);
    let mut filter = EntryFilter::of_kind("section");
    let _ = index.list(&filter, None, 100);
    filter.docid = Some("doc 1".to_string());
    filter.media_type = Some("text/*".to_string());
    let _ = (index.list(&filter, None, 100), index.count(&filter));
    index.values(ValueKind::Docid, "", None, 100);
    for sample in &samples[..10] {
        let _ = index.get(&sample.record.kbid);
        let _ = index.remove(&sample.record.kbid);
    }
    index.stats();
    index.snippet("parcel", "a parcel", 20);
    let _ = index.search(&request);
}

#[test]
fn flipped_bytes_never_panic() {
    let (sealed, samples) = segment();
    let mut random = Random::new(77);
    for round in 0..3000 {
        let (mut terms, mut corpus) = (sealed.terms.to_vec(), sealed.corpus.to_vec());
        for _ in 0..1 + random.below(3) {
            let target = if round % 4 == 0 {
                &mut terms
            } else {
                &mut corpus
            };
            let at = random.below(target.len());
            target[at] = random.below(256) as u8;
        }
        exercise(terms, corpus, &samples);
    }
}

#[test]
fn cut_bytes_never_panic() {
    let (sealed, samples) = segment();
    for cut in (0..sealed.corpus.len()).step_by(7) {
        exercise(
            sealed.terms.to_vec(),
            sealed.corpus[..cut].to_vec(),
            &samples,
        );
    }
    for cut in (0..sealed.terms.len()).step_by(3) {
        let mut index = english();
        assert!(index
            .load(sealed.terms[..cut].to_vec(), sealed.corpus.to_vec(), &[])
            .is_err());
        assert_eq!(index.stats().segments, 0);
    }
}

#[test]
fn another_version_is_told_apart_from_damage() {
    let (sealed, _) = segment();
    let mut corpus = sealed.corpus.to_vec();
    corpus[4] = 9;
    let error = english()
        .load(sealed.terms.to_vec(), corpus, &[])
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::VersionMismatch);
    assert!(error.message.contains("version 9"), "{error}");
}

#[test]
fn dead_set_of_another_size_is_refused() {
    let (sealed, samples) = segment();
    let load = |dead: &[u8]| english().load(sealed.terms.to_vec(), sealed.corpus.to_vec(), dead);
    assert!(load(&[0; 3]).is_err());
    let bytes = samples.len().div_ceil(8);
    assert!(load(&vec![0xff; bytes]).is_ok());
}
