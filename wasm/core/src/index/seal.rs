//! Writing the tail as a segment.

use super::bitmap::Bitmap;
use super::format::{
    header, small, COLUMNS, CORPUS_MAGIC, HEADER, NO_LENGTH, POSITIONS_MAGIC, TERMS_MAGIC, VERSION,
};
use super::postings::{DocWriter, PostingWriter};
use super::tail::{Tail, Word};
use crate::analysis::Analyzer;
use crate::bytes::{put_varint, Reader};
use crate::error::{CoreError, ErrorCode};
use fst::MapBuilder;
use std::rc::Rc;

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

/// The live part of the tail as a segment; none where nothing lives. Each word's memory is given back as
/// soon as it is written, so that tail and segment never exist side by side.
pub(super) fn seal(
    mut tail: Tail,
    analyzer: &Analyzer,
) -> Result<Option<SealedSegment>, CoreError> {
    let renumbered = Renumbered::of(&tail);
    if renumbered.live.is_empty() {
        return Ok(None);
    }
    let mut corpus = entry_table(&tail, &renumbered)?;
    tail.entries = Vec::new();
    let mut lists = Lists {
        start: corpus.len(),
        bytes: corpus,
        places: POSITIONS_MAGIC
            .iter()
            .copied()
            .chain(VERSION.to_le_bytes())
            .collect(),
    };
    let words = lists.words(&mut tail, &renumbered)?;
    let filters = lists.filters(&tail, &renumbered)?;
    let groups = group_keys(&words, analyzer);
    corpus = lists.bytes;
    let mut terms = header(TERMS_MAGIC, [corpus.len(), 0, 0, 0])?;
    for (at, keys) in [words, groups, filters].iter().enumerate() {
        let bytes = dictionary(keys)?;
        patch(&mut terms, 1 + at, bytes.len())?;
        terms.extend_from_slice(&bytes);
    }
    patch(&mut corpus, 1, terms.len())?;
    corpus.shrink_to_fit();
    let (terms, corpus) = (Rc::new(terms), Rc::new(corpus));
    Ok(Some(SealedSegment {
        terms,
        positions: lists.places,
        corpus,
    }))
}

/// Entry numbers without the dead.
struct Renumbered {
    /// Old numbers of the living.
    live: Vec<u32>,
    /// New number by old number; meaningless for the dead.
    new: Vec<u32>,
}

impl Renumbered {
    fn of(tail: &Tail) -> Self {
        let mut renumbered = Self {
            live: Vec::new(),
            new: Vec::new(),
        };
        for old in 0..tail.entries.len() as u32 {
            renumbered.new.push(renumbered.live.len() as u32);
            if !tail.dead.has(old) {
                renumbered.live.push(old);
            }
        }
        renumbered
    }

    fn number(&self, old: u32, dead: &Bitmap) -> Option<u32> {
        (!dead.has(old)).then(|| self.new[old as usize])
    }
}

/// Keys in order with the place of their list.
type Keys = Vec<(String, u64)>;

/// The lists of a segment and the places of its words.
struct Lists {
    /// The corpus up to the list being written.
    bytes: Vec<u8>,
    /// Where the first list starts in it.
    start: usize,
    places: Vec<u8>,
}

impl Lists {
    /// Where the next list starts.
    fn place(&self) -> Result<u64, CoreError> {
        small(self.bytes.len())?;
        Ok((self.bytes.len() - self.start) as u64)
    }

    fn words(&mut self, tail: &mut Tail, renumbered: &Renumbered) -> Result<Keys, CoreError> {
        tail.forget_lookup();
        let mut words = std::mem::take(&mut tail.words);
        words.sort_unstable_by(|a, b| a.term.cmp(&b.term));
        let mut keys = Keys::with_capacity(words.len());
        for word in words {
            let start = self.places.len();
            let list = self.word(&word, &tail.dead, renumbered);
            if list.count == 0 {
                continue;
            }
            keys.push((word.term.to_string(), self.place()?));
            put_varint(&mut self.bytes, u64::from(list.count));
            put_varint(&mut self.bytes, list.bytes.len() as u64);
            put_varint(&mut self.bytes, u64::from(small(start)?));
            put_varint(&mut self.bytes, (self.places.len() - start) as u64);
            self.bytes.extend_from_slice(&list.bytes);
        }
        Ok(keys)
    }

    /// The postings of the living; their places are appended.
    fn word(&mut self, word: &Word, dead: &Bitmap, renumbered: &Renumbered) -> PostingWriter {
        let mut list = PostingWriter::default();
        let mut places = Reader::new(&word.places);
        for mut posting in word.postings.read() {
            let new = renumbered.number(posting.doc, dead);
            for _ in 0..posting.body + posting.title {
                let place = places.u64().unwrap_or_default();
                if new.is_some() {
                    put_varint(&mut self.places, place);
                }
            }
            if let Some(new) = new {
                posting.doc = new;
                list.push(posting);
            }
        }
        list
    }

    fn filters(&mut self, tail: &Tail, renumbered: &Renumbered) -> Result<Keys, CoreError> {
        let mut keys = Keys::new();
        for (key, docs) in &tail.filters {
            let mut list = DocWriter::default();
            for doc in docs
                .read()
                .filter_map(|doc| renumbered.number(doc, &tail.dead))
            {
                list.push(doc);
            }
            if list.count > 0 {
                keys.push((key.clone(), self.place()?));
                put_varint(&mut self.bytes, u64::from(list.count));
                put_varint(&mut self.bytes, u64::from(small(list.bytes.len())?));
                self.bytes.extend_from_slice(&list.bytes);
            }
        }
        Ok(keys)
    }
}

fn group_keys(words: &Keys, analyzer: &Analyzer) -> Keys {
    let mut keys = Keys::new();
    for (term, list) in words {
        let group = analyzer.group(term);
        if group != term.as_str() {
            keys.push((format!("{group}\0{term}"), *list));
        }
    }
    keys.sort_unstable();
    keys
}

fn dictionary(keys: &Keys) -> Result<Vec<u8>, CoreError> {
    let unsorted = |error: fst::Error| {
        CoreError::new(
            ErrorCode::BadArgument,
            format!("Cannot seal the index segment: {error}"),
        )
    };
    let mut builder = MapBuilder::memory();
    for (key, list) in keys {
        builder.insert(key, *list).map_err(unsorted)?;
    }
    builder.into_inner().map_err(unsorted)
}

/// The corpus up to its lists; the length of the dictionaries is left open.
fn entry_table(tail: &Tail, renumbered: &Renumbered) -> Result<Vec<u8>, CoreError> {
    let live: Vec<_> = renumbered
        .live
        .iter()
        .map(|&old| &tail.entries[old as usize])
        .collect();
    let records_start = HEADER + live.len() * COLUMNS.iter().sum::<usize>();
    let mut records = Vec::new();
    let mut places = Vec::with_capacity(live.len());
    for entry in &live {
        places.push(small(records.len())?);
        entry.record.encode(&mut records);
    }
    let mut order: Vec<u32> = (0..live.len() as u32).collect();
    order.sort_unstable_by_key(|&doc| live[doc as usize].id);
    let mut out = header(
        CORPUS_MAGIC,
        [live.len(), 0, records_start, records_start + records.len()],
    )?;
    live.iter()
        .for_each(|entry| out.extend(entry.id.to_bytes()));
    let lengths = live.iter().map(|entry| entry.length.unwrap_or(NO_LENGTH));
    for column in [lengths.collect(), places, order] {
        column
            .iter()
            .for_each(|number| out.extend(number.to_le_bytes()));
    }
    out.append(&mut records);
    Ok(out)
}

/// Sets one of the four numbers of a header.
fn patch(bytes: &mut [u8], number: usize, value: usize) -> Result<(), CoreError> {
    let at = 4 * (2 + number);
    bytes[at..at + 4].copy_from_slice(&small(value)?.to_le_bytes());
    Ok(())
}
