//! Entries, and what they are listed by.

use kbdb_core::{EntryFilter, Record, ValueCount};
use serde::{Deserialize, Serialize};

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
    #[serde(default)]
    refs: Vec<String>,
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
            refs: json.refs,
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
            refs: record.refs,
            flags: record.flags,
            bytes: record.bytes,
        }
    }
}

/// What `list` and `count` take; counting heeds no page.
#[derive(Deserialize)]
pub struct JsonList {
    kind: String,
    docid: Option<String>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    tag: Option<String>,
    #[serde(rename = "type")]
    media_type: Option<String>,
    pub after: Option<String>,
    #[serde(default)]
    pub limit: usize,
}

impl From<JsonList> for EntryFilter {
    fn from(json: JsonList) -> Self {
        Self {
            kind: json.kind,
            docid: json.docid,
            reference: json.reference,
            tag: json.tag,
            media_type: json.media_type,
        }
    }
}

#[derive(Deserialize)]
pub struct JsonValues {
    pub filter: String,
    #[serde(default)]
    pub prefix: String,
    pub after: Option<String>,
    pub limit: usize,
}

#[derive(Serialize)]
pub struct JsonValue {
    value: String,
    count: u64,
}

impl From<ValueCount> for JsonValue {
    fn from(one: ValueCount) -> Self {
        Self {
            value: one.value,
            count: one.count,
        }
    }
}
