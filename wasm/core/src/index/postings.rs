//! Lists of entries, written as differences of their numbers in variable-length bytes.
//!
//! A posting of a word is the difference, then `body << 1 | has_title`, then the count in the title where
//! there is one. The places of the word go to a list of their own: for each posting the differences of the
//! places in body and description, then those in the title.

use crate::bytes::{put_varint, Reader};

/// One entry that holds a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) doc: u32,
    /// How often the word stands in body and description.
    pub(super) body: u32,
    /// How often it stands in the title.
    pub(super) title: u32,
}

/// The postings of a word as they lie in memory; damage ends the list.
#[derive(Clone)]
pub(super) struct Postings<'a> {
    reader: Reader<'a>,
    last: u32,
    left: u32,
}

impl<'a> Postings<'a> {
    pub(super) fn new(count: u32, bytes: &'a [u8]) -> Self {
        Self {
            reader: Reader::new(bytes),
            last: 0,
            left: count,
        }
    }

    /// How many postings there should be, those of dead entries included.
    pub(super) fn stated(&self) -> u32 {
        self.left
    }

    /// The bytes not read yet.
    pub(super) fn as_bytes(&self) -> &'a [u8] {
        self.reader.as_bytes()
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        self.left = self.left.checked_sub(1)?;
        let (difference, counts) = self.reader.pair()?;
        self.last = self.last.checked_add(difference)?;
        let title = if counts & 1 == 1 {
            self.reader.u32()?
        } else {
            0
        };
        Some(Posting {
            doc: self.last,
            body: counts >> 1,
            title,
        })
    }
}

/// Postings being written.
#[derive(Default)]
pub(super) struct PostingWriter {
    pub(super) bytes: Vec<u8>,
    pub(super) count: u32,
    last: u32,
}

impl PostingWriter {
    pub(super) fn push(&mut self, posting: Posting) {
        put_varint(&mut self.bytes, u64::from(posting.doc - self.last));
        let has_title = posting.title > 0;
        put_varint(
            &mut self.bytes,
            u64::from(posting.body) << 1 | u64::from(has_title),
        );
        if has_title {
            put_varint(&mut self.bytes, u64::from(posting.title));
        }
        self.last = posting.doc;
        self.count += 1;
    }

    /// Begins a new list.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.count, self.last) = (0, 0);
    }

    pub(super) fn read(&self) -> Postings<'_> {
        Postings::new(self.count, &self.bytes)
    }
}

/// The entries of a filter value.
#[derive(Clone)]
pub(super) struct Docs<'a> {
    reader: Reader<'a>,
    last: u32,
    left: u32,
}

impl<'a> Docs<'a> {
    pub(super) fn new(count: u32, bytes: &'a [u8]) -> Self {
        Self {
            reader: Reader::new(bytes),
            last: 0,
            left: count,
        }
    }

    /// How many entries there should be, dead ones included.
    pub(super) fn stated(&self) -> u32 {
        self.left
    }

    /// The bytes not read yet.
    pub(super) fn as_bytes(&self) -> &'a [u8] {
        self.reader.as_bytes()
    }
}

impl Iterator for Docs<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        self.last = self.last.checked_add(self.reader.u32()?)?;
        Some(self.last)
    }
}

/// A list of entries being written.
#[derive(Default)]
pub(super) struct DocWriter {
    pub(super) bytes: Vec<u8>,
    pub(super) count: u32,
    last: u32,
}

impl DocWriter {
    pub(super) fn push(&mut self, doc: u32) {
        put_varint(&mut self.bytes, u64::from(doc - self.last));
        self.last = doc;
        self.count += 1;
    }

    /// Begins a new list.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.count, self.last) = (0, 0);
    }

    pub(super) fn read(&self) -> Docs<'_> {
        Docs::new(self.count, &self.bytes)
    }
}
