//! What search needs of a part of the index, be it the tail in memory or a sealed segment.

use super::bitmap::Bitmap;
use super::postings::{Docs, Postings};
use super::record::{Record, Stored};
use crate::error::CoreError;
use crate::id::Kbid;

/// Filter keys in order with their entries.
pub(super) type FilterLists<'a> = Box<dyn Iterator<Item = (String, Docs<'a>)> + 'a>;

/// Entries with their keys, in key order.
pub(super) type Entries<'a> = Box<dyn Iterator<Item = (Kbid, u32)> + 'a>;

/// Entries are numbered from 0 in order of their arrival; dead ones keep their number.
pub(super) trait Partition {
    /// How many entries there are, dead ones included.
    fn docs(&self) -> u32;
    /// The dead entries.
    fn dead(&self) -> &Bitmap;
    /// Marks an entry dead.
    fn kill(&mut self, doc: u32);
    /// The live entry with this key.
    fn find(&self, id: Kbid) -> Option<u32>;
    /// The key of an entry.
    fn id(&self, doc: u32) -> Kbid;
    /// Length in words; none for entries that are no sections or do not exist.
    fn length(&self, doc: u32) -> Option<u32>;
    /// Where the record of an entry starts.
    fn record_bytes(&self, doc: u32) -> Option<&[u8]>;
    /// Live entries in key order, from the first key above `after` on.
    fn ordered(&self, after: Option<Kbid>) -> Entries<'_>;
    /// The postings of exactly this word.
    fn term(&self, term: &str) -> Option<Postings<'_>>;
    /// The words of a group that differ from the group's own name.
    fn variants<'a>(&'a self, group: &str, each: &mut dyn FnMut(&str, Postings<'a>));
    /// The entries under a filter key.
    fn filter(&self, key: &str) -> Option<Docs<'_>>;
    /// The filter keys with this prefix, in order, from `start` on, which begins with it.
    fn filters(&self, prefix: &str, start: &str) -> FilterLists<'_>;

    /// Whether the entry is there and not dead.
    fn is_live(&self, doc: u32) -> bool {
        doc < self.docs() && !self.dead().has(doc)
    }

    /// What was stored with an entry, read where it lies.
    fn stored(&self, doc: u32) -> Result<Stored<'_>, CoreError> {
        let read = self.record_bytes(doc).and_then(Stored::read);
        read.ok_or_else(|| CoreError::corrupt(&format!("the record of entry {doc} is damaged")))
    }

    /// What was stored with an entry.
    fn record(&self, doc: u32) -> Result<Record, CoreError> {
        Ok(self.stored(doc)?.to_record(self.id(doc).to_string()))
    }
}
