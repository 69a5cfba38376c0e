//! The JSON shapes that cross and their conversions.

use kbdb_core::{
    CoreError, Hit, Record, SearchRequest, SearchResponse, Section, Split, Stats, Token,
};
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::collections::BTreeMap;

pub fn failed(error: CoreError) -> String {
    format!("{}: {}", error.code.as_str(), error.message)
}

pub fn read<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    serde_json::from_str(json)
        .map_err(|error| format!("bad_argument: Cannot read the argument: {error}"))
}

pub fn write<T: Serialize>(value: &T) -> Result<String, String> {
    serde_json::to_string(value)
        .map_err(|error| format!("bad_argument: Cannot write the answer: {error}"))
}

#[derive(Serialize, Deserialize)]
pub struct JsonRecord {
    kbid: String,
    kind: String,
    #[serde(default)]
    heading: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(rename = "type")]
    media_type: String,
    tags: Vec<String>,
    docids: Vec<String>,
    flags: u32,
    bytes: u64,
}

impl From<JsonRecord> for Record {
    fn from(json: JsonRecord) -> Self {
        Self {
            kbid: json.kbid,
            kind: json.kind,
            heading: json.heading,
            description: json.description,
            media_type: json.media_type,
            tags: json.tags,
            docids: json.docids,
            flags: json.flags,
            bytes: json.bytes,
        }
    }
}

impl From<Record> for JsonRecord {
    fn from(record: Record) -> Self {
        Self {
            kbid: record.kbid,
            kind: record.kind,
            heading: record.heading,
            description: record.description,
            media_type: record.media_type,
            tags: record.tags,
            docids: record.docids,
            flags: record.flags,
            bytes: record.bytes,
        }
    }
}

#[derive(Deserialize)]
pub struct JsonRequest {
    query: String,
    limit: usize,
    offset: usize,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    types: Vec<String>,
    #[serde(default)]
    docids: Vec<String>,
}

impl From<JsonRequest> for SearchRequest {
    fn from(json: JsonRequest) -> Self {
        Self {
            query: json.query,
            limit: json.limit,
            offset: json.offset,
            tags: json.tags,
            types: json.types,
            docids: json.docids,
        }
    }
}

#[derive(Serialize)]
struct JsonHit {
    record: JsonRecord,
    matched_terms: Vec<String>,
    score: f64,
}

impl From<Hit> for JsonHit {
    fn from(hit: Hit) -> Self {
        Self {
            record: hit.record.into(),
            matched_terms: hit.matched_terms,
            score: hit.score,
        }
    }
}

#[derive(Serialize)]
pub struct JsonResponse {
    total: usize,
    items: Vec<JsonHit>,
}

impl From<SearchResponse> for JsonResponse {
    fn from(response: SearchResponse) -> Self {
        Self {
            total: response.total,
            items: response.items.into_iter().map(JsonHit::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct JsonSection {
    start: usize,
    end: usize,
    heading: Option<String>,
    level: u8,
}

impl From<Section> for JsonSection {
    fn from(section: Section) -> Self {
        Self {
            start: section.start,
            end: section.end,
            heading: section.heading,
            level: section.level,
        }
    }
}

#[derive(Serialize)]
pub struct JsonSplit {
    title: Option<String>,
    warnings: Vec<String>,
    sections: Vec<JsonSection>,
}

impl From<Split> for JsonSplit {
    fn from(split: Split) -> Self {
        Self {
            title: split.title,
            warnings: split.warnings,
            sections: split.sections.into_iter().map(JsonSection::from).collect(),
        }
    }
}

#[derive(Serialize)]
pub struct JsonToken {
    term: String,
    group: String,
    position: u32,
    start: usize,
    end: usize,
}

impl JsonToken {
    pub fn new(token: Token<'_>, group: &str) -> Self {
        Self {
            term: token.term.to_string(),
            group: group.to_string(),
            position: token.position,
            start: token.start,
            end: token.end,
        }
    }
}

#[derive(Serialize)]
pub struct JsonStats {
    kinds: BTreeMap<String, u64>,
    terms: u64,
    segments: usize,
    tail_entries: usize,
    tail_bytes: usize,
    segment_bytes: usize,
}

impl From<Stats> for JsonStats {
    fn from(stats: Stats) -> Self {
        Self {
            kinds: stats.kinds,
            terms: stats.terms,
            segments: stats.segments,
            tail_entries: stats.tail_entries,
            tail_bytes: stats.tail_bytes,
            segment_bytes: stats.segment_bytes,
        }
    }
}
