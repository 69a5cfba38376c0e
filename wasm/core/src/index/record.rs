//! What the index stores of an entry beside its words.

use crate::bytes::{put_text, put_varint, Reader};

/// The kind whose entries are analysed and counted; others are only stored and listed.
pub(super) const SECTION: &str = "section";

/// An entry as the caller gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Key of 26 base32 characters.
    pub kbid: String,
    /// `section`, or another word for entries that are only stored.
    pub kind: String,
    /// Title of the section, searched with twice the weight of the body.
    pub heading: Option<String>,
    /// Searched like the body.
    pub description: Option<String>,
    /// Media type, for filters.
    pub media_type: String,
    /// Tags, for filters.
    pub tags: Vec<String>,
    /// Documents that hold the section, for filters.
    pub docids: Vec<String>,
    /// Bits that mean something to the caller only.
    pub flags: u32,
    /// Size of the content.
    pub bytes: u64,
}

impl Record {
    /// A section with nothing but its key and heading.
    pub fn section(kbid: &str, heading: Option<&str>) -> Self {
        Self {
            kbid: kbid.to_string(),
            kind: SECTION.to_string(),
            heading: heading.map(str::to_string),
            ..Self::default()
        }
    }

    pub(super) fn is_section(&self) -> bool {
        self.kind == SECTION
    }

    /// The keys under which filters find this entry.
    pub(super) fn filter_keys(&self) -> Vec<String> {
        let mut keys = vec![
            Filter::Kind.key(&self.kind),
            Filter::Type.key(&self.media_type),
        ];
        keys.extend(self.tags.iter().map(|tag| Filter::Tag.key(tag)));
        keys.extend(self.docids.iter().map(|docid| Filter::Docid.key(docid)));
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Everything but the key, which the entry table holds.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put_text(out, &self.kind);
        put_optional(out, self.heading.as_deref());
        put_optional(out, self.description.as_deref());
        put_text(out, &self.media_type);
        put_list(out, &self.tags);
        put_list(out, &self.docids);
        put_varint(out, u64::from(self.flags));
        put_varint(out, self.bytes);
    }

    /// The record at the start of `bytes`; none where they are damaged.
    pub(super) fn decode(kbid: String, bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Some(Self {
            kbid,
            kind: reader.text()?.to_string(),
            heading: optional(&mut reader)?,
            description: optional(&mut reader)?,
            media_type: reader.text()?.to_string(),
            tags: list(&mut reader)?,
            docids: list(&mut reader)?,
            flags: reader.u32()?,
            bytes: reader.u64()?,
        })
    }
}

fn put_optional(out: &mut Vec<u8>, text: Option<&str>) {
    put_varint(out, u64::from(text.is_some()));
    if let Some(text) = text {
        put_text(out, text);
    }
}

fn optional(reader: &mut Reader<'_>) -> Option<Option<String>> {
    match reader.u32()? {
        0 => Some(None),
        _ => Some(Some(reader.text()?.to_string())),
    }
}

fn put_list(out: &mut Vec<u8>, texts: &[String]) {
    put_varint(out, texts.len() as u64);
    texts.iter().for_each(|text| put_text(out, text));
}

fn list(reader: &mut Reader<'_>) -> Option<Vec<String>> {
    let count = reader.u32()?;
    (0..count)
        .map(|_| reader.text().map(str::to_string))
        .collect()
}

/// What can be filtered by; its letter starts the key in the filter dictionary.
#[derive(Clone, Copy)]
pub(super) enum Filter {
    Kind,
    Type,
    Tag,
    Docid,
}

impl Filter {
    pub(super) fn key(self, value: &str) -> String {
        let letter = match self {
            Self::Kind => 'k',
            Self::Type => 't',
            Self::Tag => 'g',
            Self::Docid => 'd',
        };
        format!("{letter}{value}")
    }
}
