mod brute;
mod damage;
mod documents;
mod filters;
mod lists;
mod merging;
mod ranking;
mod steps;
mod world;

use super::*;
use std::collections::BTreeMap;

/// A small generator of repeatable numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A section whose key comes from its texts.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) record: Record,
    pub(super) body: String,
}

pub(super) fn sample(heading: Option<&str>, body: &str) -> Sample {
    let key = Kbid::of(format!("{heading:?} {body}").as_bytes()).to_string();
    let mut record = Record::section(&key, heading);
    record.media_type = "text/markdown".to_string();
    record.bytes = body.len() as u64;
    let body = body.to_string();
    Sample { record, body }
}

pub(super) fn english() -> SearchIndex {
    SearchIndex::new("english").unwrap()
}

pub(super) fn add(index: &mut SearchIndex, sample: &Sample) -> u32 {
    index.add(&sample.record, &sample.body).unwrap()
}

/// An index over sections with these bodies.
pub(super) fn index_of(bodies: &[&str]) -> SearchIndex {
    let mut index = english();
    bodies.iter().for_each(|body| {
        add(&mut index, &sample(None, body));
    });
    index
}

pub(super) fn search(index: &mut SearchIndex, query: &str) -> SearchResponse {
    index.search(&SearchRequest::new(query, 1000)).unwrap()
}

/// Keys in order of results.
pub(super) fn keys(response: &SearchResponse) -> Vec<String> {
    response
        .items
        .iter()
        .map(|hit| hit.record.kbid.clone())
        .collect()
}

const SYLLABLES: [&str; 12] = [
    "par", "cel", "run", "ning", "tra", "s", "box", "ed", "lo", "gi", "cal", "ly",
];

/// A text of a few words over a small vocabulary, with identifiers and other scripts now and then.
pub(super) fn random_text(random: &mut Random, most: usize) -> String {
    let mut words = Vec::new();
    for _ in 0..1 + random.below(most) {
        let word = match random.below(30) {
            0 => "getUserName".to_string(),
            1 => "日本語の東京".to_string(),
            2 => "café, C++".to_string(),
            _ => (0..1 + random.below(2))
                .map(|_| *random.pick(&SYLLABLES))
                .collect(),
        };
        words.push(word);
    }
    words.join(" ")
}

pub(super) fn random_sample(random: &mut Random) -> Sample {
    let heading = (random.below(3) > 0).then(|| random_text(random, 3));
    let body = random_text(random, 40);
    let mut made = sample(heading.as_deref(), &body);
    if random.below(3) == 0 {
        made.record.description = Some(random_text(random, 6));
    }
    made
}

fn random_values(random: &mut Random, name: &str, most: usize) -> Vec<String> {
    let count = random.below(3);
    (0..count)
        .map(|_| format!("{name} {}", random.below(most)))
        .collect()
}

/// A section, or now and then an entry of another kind, with values to filter by.
pub(super) fn random_entry(random: &mut Random) -> Sample {
    let mut made = random_sample(random);
    let record = &mut made.record;
    if random.below(6) == 0 {
        record.kind = "document".to_string();
    }
    let types = ["text/markdown", "text/plain", "image/png", "image/jpeg"];
    record.media_type = random.pick(&types).to_string();
    record.tags = random_values(random, "tag", 4);
    record.docids = random_values(random, "doc", 9);
    record.refs = random_values(random, "ref", 9);
    record.flags = random.below(3) as u32;
    made
}

pub(super) fn strings(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| value.to_string()).collect()
}
