//! What the index stores of an entry beside its words.

use super::filter::Filter;
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
    /// Keys of what the entry refers to, for filters.
    pub refs: Vec<String>,
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
        keys.extend(self.refs.iter().map(|key| Filter::Ref.key(key)));
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
        put_list(out, &self.refs);
        put_varint(out, u64::from(self.flags));
        put_varint(out, self.bytes);
    }
}

fn put_optional(out: &mut Vec<u8>, text: Option<&str>) {
    put_varint(out, u64::from(text.is_some()));
    if let Some(text) = text {
        put_text(out, text);
    }
}

fn put_list(out: &mut Vec<u8>, texts: &[String]) {
    put_varint(out, texts.len() as u64);
    texts.iter().for_each(|text| put_text(out, text));
}

/// A record in the bytes where it is stored, without its key.
pub(super) struct Stored<'a> {
    pub(super) kind: &'a str,
    heading: Option<&'a str>,
    description: Option<&'a str>,
    pub(super) media_type: &'a str,
    pub(super) tags: Texts<'a>,
    pub(super) docids: Texts<'a>,
    pub(super) refs: Texts<'a>,
    flags: u32,
    bytes: u64,
    /// How many bytes it takes.
    pub(super) size: usize,
}

impl<'a> Stored<'a> {
    /// The record at the start of `bytes`; none where they are damaged.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Some(Self {
            kind: reader.text()?,
            heading: optional(&mut reader)?,
            description: optional(&mut reader)?,
            media_type: reader.text()?,
            tags: Texts::read(&mut reader)?,
            docids: Texts::read(&mut reader)?,
            refs: Texts::read(&mut reader)?,
            flags: reader.u32()?,
            bytes: reader.u64()?,
            size: bytes.len() - reader.as_bytes().len(),
        })
    }

    pub(super) fn to_record(&self, kbid: String) -> Record {
        Record {
            kbid,
            kind: self.kind.to_string(),
            heading: self.heading.map(str::to_string),
            description: self.description.map(str::to_string),
            media_type: self.media_type.to_string(),
            tags: self.tags.to_strings(),
            docids: self.docids.to_strings(),
            refs: self.refs.to_strings(),
            flags: self.flags,
            bytes: self.bytes,
        }
    }
}

fn optional<'a>(reader: &mut Reader<'a>) -> Option<Option<&'a str>> {
    match reader.u32()? {
        0 => Some(None),
        _ => reader.text().map(Some),
    }
}

/// Texts that were read through once, so that all of them are there.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    first: Reader<'a>,
    count: u32,
}

impl<'a> Texts<'a> {
    fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let count = reader.u32()?;
        let first = *reader;
        for _ in 0..count {
            reader.text()?;
        }
        Some(Self { first, count })
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'a str> {
        let mut reader = self.first;
        (0..self.count).map_while(move |_| reader.text())
    }

    pub(super) fn has(self, text: &str) -> bool {
        self.iter().any(|held| held == text)
    }

    fn to_strings(self) -> Vec<String> {
        self.iter().map(str::to_string).collect()
    }
}
