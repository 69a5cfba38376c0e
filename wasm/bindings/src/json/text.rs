//! What a text is made of.

use kbdb_core::{Reference, Section, Split, Token};
use serde::Serialize;

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
pub struct JsonReference {
    marker: &'static str,
    target: String,
    label: Option<String>,
    start: usize,
    end: usize,
}

impl From<Reference> for JsonReference {
    fn from(reference: Reference) -> Self {
        Self {
            marker: reference.marker.as_str(),
            target: reference.target,
            label: reference.label,
            start: reference.start,
            end: reference.end,
        }
    }
}
