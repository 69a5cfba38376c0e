//! What search needs of a part of the index, be it the tail in memory or a sealed segment.

use super::bitmap::Bitmap;
use super::postings::{Docs, Postings};
use super::record::Record;
use crate::error::CoreError;
use crate::id::Kbid;

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
    /// What was stored with an entry.
    fn record(&self, doc: u32) -> Result<Record, CoreError>;
    /// Live entries in key order, from the first key above `after` on, until `each` returns false.
    fn ordered(&self, after: Option<Kbid>, each: &mut dyn FnMut(Kbid, u32) -> bool);
    /// The postings of exactly this word.
    fn term(&self, term: &str) -> Option<Postings<'_>>;
    /// The words of a group that differ from the group's own name.
    fn variants<'a>(&'a self, group: &str, each: &mut dyn FnMut(&str, Postings<'a>));
    /// The entries under a filter key.
    fn filter(&self, key: &str) -> Option<Docs<'_>>;
    /// The filter keys with this prefix and their entries.
    fn filters<'a>(&'a self, prefix: &str, each: &mut dyn FnMut(&str, Docs<'a>));

    /// Whether the entry is there and not dead.
    fn is_live(&self, doc: u32) -> bool {
        doc < self.docs() && !self.dead().has(doc)
    }
}
