//! The newest entries: postings that still grow, in memory.

use super::bitmap::Bitmap;
use super::partition::{Entries, FilterLists, Partition};
use super::postings::{DocWriter, Docs, Posting, PostingWriter, Postings};
use super::record::Record;
use crate::analysis::{Analyzer, Mode, Token};
use crate::bytes::put_varint;
use crate::id::Kbid;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

/// A title word counts twice in the length of a section, as it does in its score.
pub(super) const TITLE_WEIGHT: u32 = 2;

/// Entries in memory and the words they hold.
#[derive(Default)]
pub(super) struct Tail {
    pub(super) entries: Vec<Entry>,
    /// What is stored of the entries, one after another.
    records: Vec<u8>,
    pub(super) dead: Bitmap,
    live: BTreeMap<Kbid, u32>,
    numbers: FxHashMap<Rc<str>, u32>,
    pub(super) words: Vec<Word>,
    /// Words by group, without those that are their own group's name.
    groups: FxHashMap<Box<str>, Vec<u32>>,
    pub(super) filters: BTreeMap<String, DocWriter>,
    /// The words of the entry being added.
    touched: Vec<u32>,
    /// Bytes of the texts added: postings and places take about as much.
    text: usize,
}

/// An entry of the tail.
pub(super) struct Entry {
    pub(super) id: Kbid,
    pub(super) length: Option<u32>,
    /// Where its record starts.
    record: usize,
}

/// A word of the tail.
pub(super) struct Word {
    pub(super) term: Rc<str>,
    pub(super) postings: PostingWriter,
    pub(super) places: Vec<u8>,
    /// Counts in the entry being added.
    body: u32,
    title: u32,
    last_place: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Body,
    Title,
}

impl Word {
    fn new(term: Rc<str>) -> Self {
        Self {
            term,
            postings: PostingWriter::default(),
            places: Vec::new(),
            body: 0,
            title: 0,
            last_place: 0,
        }
    }

    fn is_new_here(&self) -> bool {
        self.body + self.title == 0
    }

    fn see(&mut self, field: Field, place: u32) {
        let seen = match field {
            Field::Body => &mut self.body,
            Field::Title => &mut self.title,
        };
        if *seen == 0 {
            self.last_place = 0;
        }
        *seen += 1;
        put_varint(&mut self.places, u64::from(place - self.last_place));
        self.last_place = place;
    }

    fn close(&mut self, doc: u32) {
        let (body, title) = (self.body, self.title);
        self.postings.push(Posting { doc, body, title });
        (self.body, self.title) = (0, 0);
    }
}

impl Tail {
    /// Adds an entry and returns how many different words it holds.
    pub(super) fn add(
        &mut self,
        id: Kbid,
        record: &Record,
        body: &str,
        analyzer: &Analyzer,
    ) -> u32 {
        let doc = self.docs();
        let length = record
            .is_section()
            .then(|| self.add_words(record, body, analyzer));
        for key in record.filter_keys() {
            self.filters.entry(key).or_default().push(doc);
        }
        let words = self.touched.len() as u32;
        for number in self.touched.drain(..) {
            self.words[number as usize].close(doc);
        }
        self.text += body.len();
        self.live.insert(id, doc);
        let start = self.records.len();
        record.encode(&mut self.records);
        self.entries.push(Entry {
            id,
            length,
            record: start,
        });
        words
    }

    fn add_words(&mut self, record: &Record, body: &str, analyzer: &Analyzer) -> u32 {
        let mut length = 0u32;
        let mut see = |text: &str, field: Field, base: u32, weight: u32| {
            analyzer.tokens(text, Mode::Index, |token| {
                self.see(&token, field, base, analyzer);
                length = length.saturating_add(weight);
            })
        };
        let places = see(body, Field::Body, 0, 1);
        if let Some(description) = &record.description {
            // One place is left out, so that no phrase spans body and description.
            see(description, Field::Body, places + 1, 1);
        }
        if let Some(heading) = &record.heading {
            see(heading, Field::Title, 0, TITLE_WEIGHT);
        }
        length
    }

    fn see(&mut self, token: &Token<'_>, field: Field, base: u32, analyzer: &Analyzer) {
        let number = match self.numbers.get(token.term) {
            Some(&number) => number,
            None => self.add_term(token.term, analyzer),
        };
        let word = &mut self.words[number as usize];
        if word.is_new_here() {
            self.touched.push(number);
        }
        word.see(field, base + token.position);
    }

    fn add_term(&mut self, term: &str, analyzer: &Analyzer) -> u32 {
        let number = self.words.len() as u32;
        let shared: Rc<str> = term.into();
        let group = analyzer.group(term);
        if *group != *term {
            self.groups.entry(group).or_default().push(number);
        }
        self.numbers.insert(shared.clone(), number);
        self.words.push(Word::new(shared));
        number
    }

    /// Gives up the entries and finding words by text, which writing the words does not need.
    pub(super) fn forget_entries(&mut self) {
        self.numbers = FxHashMap::default();
        self.live = BTreeMap::new();
        self.entries = Vec::new();
        self.records = Vec::new();
    }

    /// Groups in byte order with the numbers of their words, without those that are the group's name.
    pub(super) fn take_groups(&mut self) -> Vec<(Box<str>, Vec<u32>)> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().collect();
        groups.sort_unstable();
        groups
    }

    /// About how many bytes the tail takes.
    pub(super) fn memory(&self) -> usize {
        const WORD: usize = 160;
        const ENTRY: usize = 120;
        const FILTER: usize = 130;
        let rows = WORD * self.words.len() + ENTRY * self.entries.len();
        self.text + self.records.len() + rows + FILTER * self.filters.len()
    }
}

impl Partition for Tail {
    fn docs(&self) -> u32 {
        self.entries.len() as u32
    }

    fn dead(&self) -> &Bitmap {
        &self.dead
    }

    fn kill(&mut self, doc: u32) {
        self.dead.set(doc);
        let id = self.id(doc);
        self.live.remove(&id);
    }

    fn find(&self, id: Kbid) -> Option<u32> {
        self.live.get(&id).copied()
    }

    fn id(&self, doc: u32) -> Kbid {
        self.entries[doc as usize].id
    }

    fn length(&self, doc: u32) -> Option<u32> {
        self.entries.get(doc as usize)?.length
    }

    fn record_bytes(&self, doc: u32) -> Option<&[u8]> {
        self.records.get(self.entries.get(doc as usize)?.record..)
    }

    fn ordered(&self, after: Option<Kbid>) -> Entries<'_> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let above = self.live.range((start, Bound::Unbounded));
        Box::new(above.map(|(&id, &doc)| (id, doc)))
    }

    fn term(&self, term: &str) -> Option<Postings<'_>> {
        let number = *self.numbers.get(term)?;
        Some(self.words[number as usize].postings.read())
    }

    fn variants<'a>(&'a self, group: &str, each: &mut dyn FnMut(&str, Postings<'a>)) {
        for &number in self.groups.get(group).into_iter().flatten() {
            let word = &self.words[number as usize];
            each(&word.term, word.postings.read());
        }
    }

    fn filter(&self, key: &str) -> Option<Docs<'_>> {
        self.filters.get(key).map(DocWriter::read)
    }

    fn filters(&self, prefix: &str, start: &str) -> FilterLists<'_> {
        let prefix = prefix.to_string();
        let from = (Bound::Included(start), Bound::Unbounded);
        let keys = self.filters.range::<str, _>(from);
        let keys = keys.take_while(move |(key, _)| key.starts_with(&prefix));
        Box::new(keys.map(|(key, docs)| (key.clone(), docs.read())))
    }
}
