//! A sealed segment, searched in the bytes it was loaded from.

use super::bitmap::Bitmap;
use super::format::{columns, read_header, COLUMNS, CORPUS_MAGIC, HEADER, NO_LENGTH, TERMS_MAGIC};
use super::id_filter::IdFilter;
use super::partition::{Entries, FilterLists, Partition};
use super::postings::{Docs, Postings};
use crate::bytes::{u32_at, Reader};
use crate::error::CoreError;
use crate::id::Kbid;
use fst::{IntoStreamer, Map, Streamer};
use std::ops::Range;
use std::rc::Rc;

/// A part of bytes that several owners hold.
struct Part {
    bytes: Rc<Vec<u8>>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

/// The dictionaries of a segment.
#[derive(Clone, Copy)]
pub(super) enum Dictionary {
    Words,
    /// `group NUL word`.
    Groups,
    Filters,
}

/// An immutable segment and the set of its dead entries.
pub(super) struct Segment {
    words: Map<Part>,
    groups: Map<Part>,
    filters: Map<Part>,
    corpus: Rc<Vec<u8>>,
    docs: u32,
    /// Where each column starts.
    columns: [usize; 4],
    records: Range<usize>,
    lists: usize,
    dead: Bitmap,
    ids: IdFilter,
}

impl Segment {
    /// The segment in these bytes; damage that could mislead a search is refused.
    pub(super) fn load(
        terms: Rc<Vec<u8>>,
        corpus: Rc<Vec<u8>>,
        dead: &[u8],
    ) -> Result<Self, CoreError> {
        let [docs, terms_length, records, lists] =
            read_header(&corpus, CORPUS_MAGIC, "the corpus")?;
        let (columns, end) = columns(docs);
        if end != records {
            return Err(CoreError::corrupt("its entry table has the wrong size"));
        }
        if terms_length != terms.len() || records > lists || lists > corpus.len() {
            return Err(CoreError::corrupt("its parts do not fit together"));
        }
        let [words, groups, filters] = dictionaries(terms, corpus.len())?;
        let docs = docs as u32;
        let dead = Bitmap::from_bytes(dead, docs)
            .ok_or_else(|| CoreError::corrupt("the set of dead entries has the wrong size"))?;
        let records = records..lists;
        let ids = IdFilter::new(docs as usize, (0..docs).map(|doc| id_at(&corpus, doc)));
        Ok(Self {
            words,
            groups,
            filters,
            corpus,
            docs,
            columns,
            records,
            lists,
            dead,
            ids,
        })
    }

    /// The keys of a dictionary, those of dead entries included, each with the place of its list.
    pub(super) fn keys(&self, dictionary: Dictionary) -> fst::map::Stream<'_> {
        match dictionary {
            Dictionary::Words => self.words.stream(),
            Dictionary::Groups => self.groups.stream(),
            Dictionary::Filters => self.filters.stream(),
        }
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let dictionaries = [&self.words, &self.groups, &self.filters];
        let terms: usize = dictionaries
            .iter()
            .map(|map| map.as_fst().as_bytes().len())
            .sum();
        terms + self.corpus.len() + self.dead.as_bytes().len() + self.ids.memory()
    }

    /// Bytes of entries, records and lists.
    pub(super) fn corpus_bytes(&self) -> usize {
        self.corpus.len()
    }

    fn number(&self, column: usize, at: u32) -> Option<u32> {
        u32_at(
            &self.corpus,
            self.columns[column] + COLUMNS[column] * at as usize,
        )
    }

    /// The entry at this place of the key order.
    fn in_order(&self, at: u32) -> Option<u32> {
        self.number(3, at).filter(|&doc| doc < self.docs)
    }

    /// The first place of the key order for which `is_below` does not hold.
    fn first_not(&self, is_below: impl Fn(Kbid) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.docs);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.in_order(middle) {
                Some(doc) if is_below(self.id(doc)) => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }

    fn list(&self, place: u64) -> Option<Reader<'_>> {
        let at = self.lists.checked_add(usize::try_from(place).ok()?)?;
        self.corpus.get(at..).map(Reader::new)
    }

    /// The list of a word, and where its places lie in the file of positions.
    pub(super) fn word_list(&self, place: u64) -> Option<(Postings<'_>, Range<usize>)> {
        let mut reader = self.list(place)?;
        let (count, length) = (reader.u32()?, reader.u32()?);
        let (start, size) = (reader.u32()? as usize, reader.u32()? as usize);
        let postings = Postings::new(count, reader.take(length as usize)?);
        Some((postings, start..start.checked_add(size)?))
    }

    fn postings(&self, place: u64) -> Option<Postings<'_>> {
        self.word_list(place).map(|(postings, _)| postings)
    }

    /// The entries in the list at this place.
    pub(super) fn docs_at(&self, place: u64) -> Option<Docs<'_>> {
        let mut reader = self.list(place)?;
        let (count, length) = (reader.u32()?, reader.u32()?);
        Some(Docs::new(count, reader.take(length as usize)?))
    }
}

/// The ids are the first column, right behind the header.
fn id_at(corpus: &[u8], doc: u32) -> Kbid {
    let at = HEADER + COLUMNS[0] * doc as usize;
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&corpus[at..at + 16]);
    Kbid::from_bytes(bytes)
}

/// Calls `each` with what follows `prefix` in the keys of `map` that start with it.
fn scan(map: &Map<Part>, prefix: &str, each: &mut dyn FnMut(&str, u64)) {
    let mut stream = map.range().ge(prefix).into_stream();
    while let Some((key, place)) = stream.next() {
        let Some(rest) = key.strip_prefix(prefix.as_bytes()) else {
            return;
        };
        if let Ok(rest) = std::str::from_utf8(rest) {
            each(rest, place);
        }
    }
}

fn dictionaries(terms: Rc<Vec<u8>>, corpus_length: usize) -> Result<[Map<Part>; 3], CoreError> {
    let [corpus, words, groups, filters] = read_header(&terms, TERMS_MAGIC, "the dictionary")?;
    let ends = [words, groups, filters]
        .iter()
        .try_fold(HEADER, |at, length| at.checked_add(*length));
    if corpus != corpus_length || ends != Some(terms.len()) {
        return Err(CoreError::corrupt("its parts do not fit together"));
    }
    let mut at = HEADER;
    let mut next = |length: usize| {
        let range = at..at + length;
        at += length;
        dictionary(Part {
            bytes: terms.clone(),
            range,
        })
    };
    Ok([next(words)?, next(groups)?, next(filters)?])
}

/// The checksum inside is compared: walking a damaged dictionary could leave its bytes.
fn dictionary(part: Part) -> Result<Map<Part>, CoreError> {
    let damaged =
        |error: fst::Error| CoreError::corrupt(&format!("a dictionary is damaged ({error})"));
    let map = Map::new(part).map_err(damaged)?;
    map.as_fst().verify().map_err(damaged)?;
    Ok(map)
}

impl Partition for Segment {
    fn docs(&self) -> u32 {
        self.docs
    }

    fn dead(&self) -> &Bitmap {
        &self.dead
    }

    fn kill(&mut self, doc: u32) {
        self.dead.set(doc);
    }

    fn find(&self, id: Kbid) -> Option<u32> {
        if !self.ids.may_hold(id) {
            return None;
        }
        let doc = self.in_order(self.first_not(|other| other < id))?;
        (self.id(doc) == id && self.is_live(doc)).then_some(doc)
    }

    fn id(&self, doc: u32) -> Kbid {
        id_at(&self.corpus, doc)
    }

    #[inline]
    fn length(&self, doc: u32) -> Option<u32> {
        if doc >= self.docs {
            return None;
        }
        self.number(1, doc).filter(|&length| length != NO_LENGTH)
    }

    fn record_bytes(&self, doc: u32) -> Option<&[u8]> {
        let at = self
            .records
            .start
            .checked_add(self.number(2, doc)? as usize)?;
        self.corpus.get(at..self.records.end)
    }

    fn ordered(&self, after: Option<Kbid>) -> Entries<'_> {
        let first = after.map_or(0, |after| self.first_not(|id| id <= after));
        let docs = (first..self.docs).filter_map(|at| self.in_order(at));
        let live = docs.filter(|&doc| self.is_live(doc));
        Box::new(live.map(|doc| (self.id(doc), doc)))
    }

    fn term(&self, term: &str) -> Option<Postings<'_>> {
        self.postings(self.words.get(term)?)
    }

    fn variants<'a>(&'a self, group: &str, each: &mut dyn FnMut(&str, Postings<'a>)) {
        scan(&self.groups, &format!("{group}\0"), &mut |term, place| {
            if let Some(postings) = self.postings(place) {
                each(term, postings);
            }
        });
    }

    fn filter(&self, key: &str) -> Option<Docs<'_>> {
        self.docs_at(self.filters.get(key)?)
    }

    fn filters(&self, prefix: &str, start: &str) -> FilterLists<'_> {
        let prefix = prefix.to_string();
        let mut stream = self.filters.range().ge(start).into_stream();
        let keys = std::iter::from_fn(move || {
            let (key, place) = stream.next()?;
            Some((String::from_utf8_lossy(key).into_owned(), place))
        });
        let keys = keys.take_while(move |(key, _)| key.starts_with(&prefix));
        Box::new(keys.filter_map(|(key, place)| Some((key, self.docs_at(place)?))))
    }
}
