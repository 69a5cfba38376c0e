//! Numbers about an index.

use kbdb_core::{SegmentSize, Stats};
use serde::Serialize;
use std::collections::BTreeMap;

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

#[derive(Serialize)]
pub struct JsonSegmentSize {
    entries: u32,
    dead: u32,
    bytes: usize,
}

impl From<SegmentSize> for JsonSegmentSize {
    fn from(size: SegmentSize) -> Self {
        Self {
            entries: size.entries,
            dead: size.dead,
            bytes: size.bytes,
        }
    }
}
