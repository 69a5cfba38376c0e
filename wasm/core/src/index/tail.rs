//! The newest entries: postings that still grow, in memory.

use super::bitmap::Bitmap;
use super::partition::Partition;
use super::postings::{DocWriter, Docs, Posting, PostingWriter, Postings};
use super::record::Record;
use crate::analysis::{Analyzer, Mode, Token};
use crate::bytes::put_varint;
use crate::error::CoreError;
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
    pub(super) record: Record,
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
        let record = record.clone();
        self.entries.push(Entry { id, length, record });
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
        if group != term {
            self.groups.entry(group.into()).or_default().push(number);
        }
        self.numbers.insert(shared.clone(), number);
        self.words.push(Word::new(shared));
        number
    }

    /// Gives up finding words by text, which sealing does not need.
    pub(super) fn forget_lookup(&mut self) {
        self.numbers = FxHashMap::default();
        self.groups = FxHashMap::default();
    }

    /// About how many bytes the tail takes.
    pub(super) fn memory(&self) -> usize {
        const WORD: usize = 160;
        const ENTRY: usize = 300;
        self.text + WORD * self.words.len() + ENTRY * self.entries.len()
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

    fn record(&self, doc: u32) -> Result<Record, CoreError> {
        Ok(self.entries[doc as usize].record.clone())
    }

    fn ordered(&self, after: Option<Kbid>, each: &mut dyn FnMut(Kbid, u32) -> bool) {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        for (&id, &doc) in self.live.range((start, Bound::Unbounded)) {
            if !each(id, doc) {
                return;
            }
        }
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

    fn filters<'a>(&'a self, prefix: &str, each: &mut dyn FnMut(&str, Docs<'a>)) {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        for (key, docs) in self.filters.range::<str, _>(from) {
            if !key.starts_with(prefix) {
                return;
            }
            each(key, docs.read());
        }
    }
}
