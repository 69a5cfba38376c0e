//! Joining segments into one without looking at their texts again.

use super::format::{check_start, POSITIONS_MAGIC};
use super::partition::Partition;
use super::postings::DocWriter;
use super::renumber::{Renumbered, WordList};
use super::segment::{Dictionary, Segment};
use super::totals::Totals;
use super::writer::{EntryTable, SealedSegment, SegmentWriter};
use crate::error::{CoreError, ErrorCode};
use fst::map::OpBuilder;
use fst::Streamer;
use std::rc::Rc;

/// Joins segments: the result is what sealing their live entries in this order would give.
///
/// ```
/// use kbdb_core::{Record, SearchIndex, SegmentMerger};
///
/// let mut index = SearchIndex::new("english").unwrap();
/// let mut merger = SegmentMerger::default();
/// for key in ["1cy96vmqxgmc72dt1v5b2vkrmy", "2cy96vmqxgmc72dt1v5b2vkrmy"] {
///     index.add(&Record::section(key, None), "The parcel waits.").unwrap();
///     let part = index.seal().unwrap().unwrap();
///     merger.add(part.terms, part.positions, part.corpus, &[]).unwrap();
/// }
/// let merged = merger.finish().unwrap().unwrap();
/// let mut again = SearchIndex::new("english").unwrap();
/// again.load(merged.terms, merged.corpus, &[]).unwrap();
/// assert_eq!(again.stats().kinds["section"], 2);
/// ```
#[derive(Default)]
pub struct SegmentMerger {
    inputs: Vec<Input>,
}

struct Input {
    segment: Segment,
    positions: Vec<u8>,
    numbers: Renumbered,
}

impl SegmentMerger {
    /// Adds the next segment; `dead` is what [`crate::SearchIndex::dead`] gave, or empty. Damage is
    /// refused as loading refuses it.
    pub fn add(
        &mut self,
        terms: impl Into<Rc<Vec<u8>>>,
        positions: Vec<u8>,
        corpus: impl Into<Rc<Vec<u8>>>,
        dead: &[u8],
    ) -> Result<(), CoreError> {
        let segment = Segment::load(terms.into(), corpus.into(), dead)?;
        Totals::default().add_segment(&segment)?;
        check_start(&positions, POSITIONS_MAGIC, "the file of positions")?;
        let first = self.live();
        if first.checked_add(segment.docs()).is_none() {
            let sentence =
                "Cannot merge the index segments: they hold more than 4,294,967,295 entries";
            return Err(CoreError::new(ErrorCode::BadArgument, sentence));
        }
        let numbers = Renumbered::new(segment.docs(), segment.dead(), first);
        self.inputs.push(Input {
            segment,
            positions,
            numbers,
        });
        Ok(())
    }

    /// How many entries live in the segments added so far.
    fn live(&self) -> u32 {
        self.inputs.last().map_or(0, |input| input.numbers.next)
    }

    /// The merged segment; none where nothing lives.
    pub fn finish(self) -> Result<Option<SealedSegment>, CoreError> {
        if self.live() == 0 {
            return Ok(None);
        }
        let room = self.inputs.iter().map(|input| input.positions.len()).sum();
        let mut writer = SegmentWriter::new(self.entry_table()?, room)?;
        self.write_words(&mut writer)?;
        writer.next_dictionary()?;
        self.write_forms(&mut writer)?;
        writer.next_dictionary()?;
        self.write_filters(&mut writer)?;
        writer.finish().map(Some)
    }

    fn entry_table(&self) -> Result<EntryTable, CoreError> {
        let segments = self.inputs.iter().map(|input| &input.segment);
        let room = segments.map(Segment::corpus_bytes).sum();
        let mut table = EntryTable::new(self.live() as usize, room);
        for Input {
            segment, numbers, ..
        } in &self.inputs
        {
            for doc in numbers.staying() {
                let size = segment.stored(doc)?.size;
                let record = &segment.record_bytes(doc).unwrap_or_default()[..size];
                table.push(segment.id(doc), segment.length(doc), record)?;
            }
        }
        Ok(table)
    }

    fn write_words(&self, writer: &mut SegmentWriter) -> Result<(), CoreError> {
        let mut list = WordList::default();
        self.each_key(Dictionary::Words, |term, places| {
            list.clear();
            for (input, place) in self.holding(places) {
                let added = input.add_word(place, &mut list);
                added.ok_or_else(|| CoreError::corrupt("the list of a word is damaged"))?;
            }
            writer.word(term, &list.postings.read(), &list.places)?;
            Ok(())
        })
    }

    fn write_forms(&self, writer: &mut SegmentWriter) -> Result<(), CoreError> {
        self.each_key(Dictionary::Groups, |key, _| {
            let separator = key.iter().position(|&byte| byte == 0);
            let term = separator.map(|at| &key[at + 1..]);
            let term = term.ok_or_else(|| CoreError::corrupt("a form has no group"))?;
            match writer.place_of(term) {
                Some(place) => writer.form(key, place),
                None => Ok(()),
            }
        })
    }

    fn write_filters(&self, writer: &mut SegmentWriter) -> Result<(), CoreError> {
        let mut list = DocWriter::default();
        self.each_key(Dictionary::Filters, |key, places| {
            list.clear();
            for (input, place) in self.holding(places) {
                let added = input.add_filter(place, &mut list);
                added.ok_or_else(|| CoreError::corrupt("the list of a filter is damaged"))?;
            }
            writer.filter(key, &list)
        })
    }

    /// Calls `each` with every key of one dictionary of any segment, in order, and with the place of its
    /// list in each segment, none where a segment has no such key.
    fn each_key(
        &self,
        dictionary: Dictionary,
        mut each: impl FnMut(&[u8], &[Option<u64>]) -> Result<(), CoreError>,
    ) -> Result<(), CoreError> {
        let inputs = self.inputs.iter();
        let streams = inputs.map(|input| input.segment.keys(dictionary));
        let mut union = streams.collect::<OpBuilder<'_>>().union();
        let mut places = vec![None; self.inputs.len()];
        while let Some((key, values)) = union.next() {
            places.fill(None);
            values
                .iter()
                .for_each(|one| places[one.index] = Some(one.value));
            each(key, &places)?;
        }
        Ok(())
    }

    /// The segments with the places that they have.
    fn holding<'a>(
        &'a self,
        places: &'a [Option<u64>],
    ) -> impl Iterator<Item = (&'a Input, u64)> + 'a {
        let inputs = self.inputs.iter().zip(places);
        inputs.filter_map(|(input, place)| Some((input, (*place)?)))
    }
}

impl Input {
    /// Adds what stays of the word whose list is at `place`; none where it is damaged.
    fn add_word(&self, place: u64, list: &mut WordList) -> Option<()> {
        let (postings, places) = self.segment.word_list(place)?;
        list.add(postings, self.positions.get(places)?, &self.numbers)
    }

    /// Adds what stays of the filter list at `place`; none where it is damaged.
    fn add_filter(&self, place: u64, list: &mut DocWriter) -> Option<()> {
        list.add(self.segment.docs_at(place)?, &self.numbers)
    }
}
