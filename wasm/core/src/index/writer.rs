//! Writing a segment: its entries first, then its lists, dictionary by dictionary in byte order.

use super::format::{
    columns, header, small, COLUMNS, CORPUS_MAGIC, HEADER, NO_LENGTH, POSITIONS_MAGIC, TERMS_MAGIC,
    VERSION,
};
use super::postings::{DocWriter, Postings};
use crate::bytes::put_varint;
use crate::error::{CoreError, ErrorCode};
use crate::id::Kbid;
use fst::{Map, MapBuilder};
use std::ops::Range;
use std::rc::Rc;

/// Where the header of the corpus has the length of the dictionaries.
const TERMS_LENGTH: Range<usize> = 12..16;

/// The bytes of a segment. `positions` are not needed to search and may stay on disk.
#[derive(Clone, Debug)]
pub struct SealedSegment {
    /// Dictionaries of words, groups and filters.
    pub terms: Rc<Vec<u8>>,
    /// Places of words inside their sections.
    pub positions: Vec<u8>,
    /// Entries, records and postings.
    pub corpus: Rc<Vec<u8>>,
}

/// The corpus up to its lists, written entry by entry.
pub(super) struct EntryTable {
    bytes: Vec<u8>,
    docs: usize,
    columns: [usize; 4],
    records: usize,
    next: usize,
}

impl EntryTable {
    /// A table of this many entries, in a corpus of about `room` bytes.
    pub(super) fn new(docs: usize, room: usize) -> Self {
        let (columns, records) = columns(docs);
        let mut bytes = Vec::with_capacity(room.max(records));
        bytes.resize(records, 0);
        Self {
            bytes,
            docs,
            columns,
            records,
            next: 0,
        }
    }

    /// Adds the next entry with its stored record.
    pub(super) fn push(
        &mut self,
        id: Kbid,
        length: Option<u32>,
        record: &[u8],
    ) -> Result<(), CoreError> {
        let place = small(self.bytes.len() - self.records)?;
        let doc = self.next;
        self.set(0, doc, &id.to_bytes());
        self.set(1, doc, &length.unwrap_or(NO_LENGTH).to_le_bytes());
        self.set(2, doc, &place.to_le_bytes());
        self.bytes.extend_from_slice(record);
        self.next += 1;
        Ok(())
    }

    fn set(&mut self, column: usize, doc: usize, bytes: &[u8]) {
        let at = self.columns[column] + COLUMNS[column] * doc;
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn id(&self, doc: u32) -> Kbid {
        let at = self.columns[0] + COLUMNS[0] * doc as usize;
        let mut bytes = [0; COLUMNS[0]];
        bytes.copy_from_slice(&self.bytes[at..at + COLUMNS[0]]);
        Kbid::from_bytes(bytes)
    }

    /// The corpus so far; the length of the dictionaries is left open in its header.
    fn finish(mut self) -> Result<Vec<u8>, CoreError> {
        let docs = 0..self.docs as u32;
        let mut order: Vec<(Kbid, u32)> = docs.map(|doc| (self.id(doc), doc)).collect();
        order.sort_unstable();
        if order.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(CoreError::new(
                ErrorCode::BadArgument,
                "Cannot write the index segment: an entry lives in it twice. \
                 Merge with the dead entries of this moment",
            ));
        }
        for (at, (_, doc)) in order.into_iter().enumerate() {
            self.set(3, at, &doc.to_le_bytes());
        }
        let lists = self.bytes.len();
        let head = header(CORPUS_MAGIC, [self.docs, 0, self.records, lists])?;
        self.bytes[..HEADER].copy_from_slice(&head);
        Ok(self.bytes)
    }
}

/// The lists and dictionaries of a segment. Words come first, then forms, then filters, each in byte
/// order; `next_dictionary` stands between them.
pub(super) struct SegmentWriter {
    corpus: Vec<u8>,
    /// Where the first list starts in it.
    lists: usize,
    places: Vec<u8>,
    open: MapBuilder<Vec<u8>>,
    closed: Vec<Vec<u8>>,
}

impl SegmentWriter {
    /// A writer for the lists of these entries, which takes about `room` bytes of places.
    pub(super) fn new(entries: EntryTable, room: usize) -> Result<Self, CoreError> {
        let corpus = entries.finish()?;
        let mut places = Vec::with_capacity(room);
        places.extend_from_slice(POSITIONS_MAGIC);
        places.extend_from_slice(&VERSION.to_le_bytes());
        Ok(Self {
            lists: corpus.len(),
            corpus,
            places,
            open: MapBuilder::memory(),
            closed: Vec::new(),
        })
    }

    /// Adds a word; returns the place of its list, none where no entry holds it.
    pub(super) fn word(
        &mut self,
        term: &[u8],
        postings: &Postings<'_>,
        places: &[u8],
    ) -> Result<Option<u64>, CoreError> {
        if postings.stated() == 0 {
            return Ok(None);
        }
        let place = self.insert(term)?;
        let bytes = postings.as_bytes();
        put_varint(&mut self.corpus, u64::from(postings.stated()));
        put_varint(&mut self.corpus, bytes.len() as u64);
        put_varint(&mut self.corpus, u64::from(small(self.places.len())?));
        put_varint(&mut self.corpus, places.len() as u64);
        self.corpus.extend_from_slice(bytes);
        self.places.extend_from_slice(places);
        Ok(Some(place))
    }

    /// Where the list of a word is, once words are done.
    pub(super) fn place_of(&self, term: &[u8]) -> Option<u64> {
        Map::new(&self.closed[0][..]).ok()?.get(term)
    }

    /// Adds `group NUL word` with the place of the word's list.
    pub(super) fn form(&mut self, key: &[u8], place: u64) -> Result<(), CoreError> {
        self.open.insert(key, place).map_err(unsorted)
    }

    /// Adds a filter key, unless no entry is under it.
    pub(super) fn filter(&mut self, key: &[u8], list: &DocWriter) -> Result<(), CoreError> {
        if list.count == 0 {
            return Ok(());
        }
        self.insert(key)?;
        put_varint(&mut self.corpus, u64::from(list.count));
        put_varint(&mut self.corpus, list.bytes.len() as u64);
        self.corpus.extend_from_slice(&list.bytes);
        Ok(())
    }

    /// Puts a key with the place of the list that comes next into the open dictionary.
    fn insert(&mut self, key: &[u8]) -> Result<u64, CoreError> {
        small(self.corpus.len())?;
        let place = (self.corpus.len() - self.lists) as u64;
        self.open.insert(key, place).map_err(unsorted)?;
        Ok(place)
    }

    /// Closes the open dictionary and begins the next.
    pub(super) fn next_dictionary(&mut self) -> Result<(), CoreError> {
        let done = std::mem::replace(&mut self.open, MapBuilder::memory());
        self.closed.push(done.into_inner().map_err(unsorted)?);
        Ok(())
    }

    /// The segment, once all filters are in.
    pub(super) fn finish(mut self) -> Result<SealedSegment, CoreError> {
        self.closed.push(self.open.into_inner().map_err(unsorted)?);
        let length = |at: usize| self.closed.get(at).map_or(0, Vec::len);
        let numbers = [self.corpus.len(), length(0), length(1), length(2)];
        let mut terms = header(TERMS_MAGIC, numbers)?;
        terms.reserve_exact(self.closed.iter().map(Vec::len).sum());
        for dictionary in self.closed {
            terms.extend_from_slice(&dictionary);
        }
        self.corpus[TERMS_LENGTH].copy_from_slice(&small(terms.len())?.to_le_bytes());
        self.corpus.shrink_to_fit();
        self.places.shrink_to_fit();
        Ok(SealedSegment {
            terms: Rc::new(terms),
            positions: self.places,
            corpus: Rc::new(self.corpus),
        })
    }
}

fn unsorted(error: fst::Error) -> CoreError {
    CoreError::new(
        ErrorCode::BadArgument,
        format!("Cannot write the index segment: {error}"),
    )
}
