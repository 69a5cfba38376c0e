//! Writing the tail as a segment.

use super::partition::Partition;
use super::postings::DocWriter;
use super::renumber::{Renumbered, WordList};
use super::tail::{Tail, Word};
use super::writer::{EntryTable, SealedSegment, SegmentWriter};
use crate::error::CoreError;

/// Stands for a word that no entry holds any more.
const NOWHERE: u64 = u64::MAX;

/// The live part of the tail as a segment; none where nothing lives. Each word's memory is given back as
/// soon as it is written, so that tail and segment never exist side by side.
pub(super) fn seal(mut tail: Tail) -> Result<Option<SealedSegment>, CoreError> {
    let numbers = Renumbered::new(tail.docs(), tail.dead(), 0);
    if numbers.next == 0 {
        return Ok(None);
    }
    let mut writer = SegmentWriter::new(entry_table(&tail, &numbers)?, 0)?;
    tail.forget_entries();
    let mut words = std::mem::take(&mut tail.words);
    let places = write_words(&mut writer, &mut words, &tail, &numbers)?;
    writer.next_dictionary()?;
    write_forms(&mut writer, &mut tail, &words, &places)?;
    writer.next_dictionary()?;
    for (key, docs) in &tail.filters {
        let mut list = DocWriter::default();
        list.add(docs.read(), &numbers);
        writer.filter(key.as_bytes(), &list)?;
    }
    writer.finish().map(Some)
}

fn entry_table(tail: &Tail, numbers: &Renumbered) -> Result<EntryTable, CoreError> {
    let mut table = EntryTable::new(numbers.next as usize, 0);
    for doc in numbers.staying() {
        let size = tail.stored(doc)?.size;
        let record = &tail.record_bytes(doc).unwrap_or_default()[..size];
        table.push(tail.id(doc), tail.length(doc), record)?;
    }
    Ok(table)
}

/// Writes the words in order; gives the place of each one's list, by its number.
fn write_words(
    writer: &mut SegmentWriter,
    words: &mut [Word],
    tail: &Tail,
    numbers: &Renumbered,
) -> Result<Vec<u64>, CoreError> {
    let mut places = vec![NOWHERE; words.len()];
    let mut list = WordList::default();
    for number in in_order(words) {
        let word = &mut words[number];
        let postings = std::mem::take(&mut word.postings);
        let word_places = std::mem::take(&mut word.places);
        let place = if tail.dead().is_empty() {
            writer.word(word.term.as_bytes(), &postings.read(), &word_places)?
        } else {
            list.clear();
            list.add(postings.read(), &word_places, numbers);
            writer.word(word.term.as_bytes(), &list.postings.read(), &list.places)?
        };
        places[number] = place.unwrap_or(NOWHERE);
    }
    Ok(places)
}

/// Numbers of the words in byte order. Most pairs are told apart by their first bytes, which lie together.
fn in_order(words: &[Word]) -> impl Iterator<Item = usize> {
    let start = |word: &Word| {
        let mut eight = [0; 8];
        let length = word.term.len().min(8);
        eight[..length].copy_from_slice(&word.term.as_bytes()[..length]);
        u64::from_be_bytes(eight)
    };
    let numbered = words.iter().enumerate();
    let mut order: Vec<(u64, u32)> = numbered
        .map(|(at, word)| (start(word), at as u32))
        .collect();
    let term = |at: u32| &words[at as usize].term;
    order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| term(a.1).cmp(term(b.1))));
    order.into_iter().map(|(_, at)| at as usize)
}

/// Writes the words of each group that differ from its name.
fn write_forms(
    writer: &mut SegmentWriter,
    tail: &mut Tail,
    words: &[Word],
    places: &[u64],
) -> Result<(), CoreError> {
    let place = |number: &u32| places[*number as usize];
    let mut key = Vec::new();
    for (group, mut members) in tail.take_groups() {
        members.retain(|number| place(number) != NOWHERE);
        // Lists lie in the order of their words.
        members.sort_unstable_by_key(place);
        for number in &members {
            key.clear();
            key.extend_from_slice(group.as_bytes());
            key.push(0);
            key.extend_from_slice(words[*number as usize].term.as_bytes());
            writer.form(&key, place(number))?;
        }
    }
    Ok(())
}
