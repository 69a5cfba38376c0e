//! The JSON shapes that cross and their conversions.

mod entries;
mod search;
mod stats;
mod text;

pub use entries::{JsonList, JsonRecord, JsonValue, JsonValues};
pub use search::{JsonDocuments, JsonQueryStats, JsonRequest, JsonResponse};
pub use stats::{JsonSegmentSize, JsonStats};
pub use text::{JsonReference, JsonSplit, JsonToken};

use kbdb_core::CoreError;
use serde::{de::DeserializeOwned, Serialize};

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
