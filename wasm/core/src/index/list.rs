//! Entries without a query: listed, counted, and by the values they have.

use super::filter::{Condition, EntryFilter, Filter};
use super::join::Joined;
use super::partition::{FilterLists, Partition};
use super::parts::lists;
use super::postings::Docs;
use super::record::Record;
use super::SearchIndex;
use crate::error::{CoreError, ErrorCode};
use crate::id::Kbid;

/// Where the shortest list of a condition has more than one in so many entries, all entries are looked at
/// in key order until the page is full; else that list is walked and sorted.
const DENSE: u32 = 8;

/// What values can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Tags.
    Tag,
    /// Media types.
    Type,
    /// Documents that hold sections.
    Docid,
}

impl ValueKind {
    /// The kind of this name: `tag`, `type` or `docid`.
    pub fn named(name: &str) -> Result<Self, CoreError> {
        match name {
            "tag" => Ok(Self::Tag),
            "type" => Ok(Self::Type),
            "docid" => Ok(Self::Docid),
            _ => Err(CoreError::new(
                ErrorCode::BadArgument,
                format!("Cannot list values of {name:?}: tag, type and docid have values"),
            )),
        }
    }

    fn filter(self) -> Filter {
        match self {
            Self::Tag => Filter::Tag,
            Self::Type => Filter::Type,
            Self::Docid => Filter::Docid,
        }
    }
}

/// A value with the number of live sections that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCount {
    /// The tag, type or docid.
    pub value: String,
    /// How many live sections have it.
    pub count: u64,
}

impl SearchIndex {
    /// Live entries that have all that `filter` asks for, in key order, from above `after` on.
    pub fn list(
        &self,
        filter: &EntryFilter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, CoreError> {
        let after = after.map(str::parse).transpose()?;
        let conditions = filter.conditions();
        let parts: Vec<_> = self.parts.rows().map(|(_, part)| part).collect();
        let rows: Result<Vec<_>, CoreError> = parts
            .iter()
            .map(|&part| in_key_order(part, &conditions, after))
            .collect();
        let joined = Joined::new(rows?.into_iter()).take(limit);
        joined
            .map(|(_, row, doc)| parts[row].record(doc?))
            .collect()
    }

    /// How many live entries have all that `filter` asks for.
    pub fn count(&self, filter: &EntryFilter) -> Result<u64, CoreError> {
        let mut count = 0;
        for (_, part) in self.parts.rows() {
            Selection::new(part, &filter.conditions()).each(|_| count += 1)?;
        }
        Ok(count)
    }

    /// The values of live sections that start with `prefix`, in byte order, from above `after` on.
    pub fn values(
        &self,
        kind: ValueKind,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Vec<ValueCount> {
        let prefix = kind.filter().key(prefix);
        let start = after.map(|after| kind.filter().key(after).max(prefix.clone()));
        let start = start.as_ref().unwrap_or(&prefix);
        let parts: Vec<_> = self.parts.rows().map(|(_, part)| part).collect();
        let keys = parts.iter().map(|part| part.filters(&prefix, start));
        let mut keys = Joined::new(keys);
        let counted = std::iter::from_fn(|| next_value(&mut keys, &parts));
        let is_wanted = |one: &ValueCount| one.count > 0 && Some(one.value.as_str()) != after;
        counted.filter(is_wanted).take(limit).collect()
    }
}

/// The next value of any part, with the live sections that have it.
fn next_value<'a>(
    keys: &mut Joined<String, Docs<'a>, FilterLists<'a>>,
    parts: &[&dyn Partition],
) -> Option<ValueCount> {
    let key = keys.peek()?.clone();
    let mut count = 0;
    while keys.peek() == Some(&key) {
        let (_, row, docs) = keys.next()?;
        let part = parts[row];
        let is_counted = |doc: &u32| part.is_live(*doc) && part.length(*doc).is_some();
        count += docs.filter(is_counted).count() as u64;
    }
    let value = key[1..].to_string();
    Some(ValueCount { value, count })
}

/// Entries with their keys, in key order.
type Row<'a> = Box<dyn Iterator<Item = (Kbid, Result<u32, CoreError>)> + 'a>;

/// The live entries of a part above `after` that meet the conditions.
fn in_key_order<'a>(
    part: &'a dyn Partition,
    conditions: &'a [Condition<'a>],
    after: Option<Kbid>,
) -> Result<Row<'a>, CoreError> {
    let selection = Selection::new(part, conditions);
    if selection.stated() > part.docs() / DENSE {
        let met = part.ordered(after).filter_map(|(id, doc)| {
            let met = meets(part, doc, conditions).map(|met| met.then_some(doc));
            Some((id, met.transpose()?))
        });
        return Ok(Box::new(met));
    }
    let mut found = Vec::new();
    selection.each(|doc| found.push((part.id(doc), doc)))?;
    found.retain(|&(id, _)| after.is_none_or(|after| id > after));
    found.sort_unstable();
    Ok(Box::new(found.into_iter().map(|(id, doc)| (id, Ok(doc)))))
}

fn meets(part: &dyn Partition, doc: u32, conditions: &[Condition<'_>]) -> Result<bool, CoreError> {
    if conditions.is_empty() {
        return Ok(true);
    }
    let record = part.stored(doc)?;
    Ok(conditions.iter().all(|condition| condition.holds(&record)))
}

/// The live entries of a part that meet all conditions.
struct Selection<'a> {
    part: &'a dyn Partition,
    /// The lists of the condition that the fewest entries meet.
    lists: Vec<Docs<'a>>,
    others: Vec<Condition<'a>>,
}

impl<'a> Selection<'a> {
    fn new(part: &'a dyn Partition, conditions: &[Condition<'a>]) -> Self {
        let all = conditions.iter().enumerate();
        let listed = all.map(|(at, one)| (at, lists(part, one.filter, one.value)));
        let narrowest = listed.min_by_key(|(_, lists)| stated(lists));
        let (narrowest, lists) = narrowest.unwrap_or_default();
        let mut others = conditions.to_vec();
        others.remove(narrowest);
        Self {
            part,
            lists,
            others,
        }
    }

    /// How many entries are looked at, dead ones included.
    fn stated(&self) -> u32 {
        stated(&self.lists)
    }

    fn each(self, mut each: impl FnMut(u32)) -> Result<(), CoreError> {
        for doc in self.lists.into_iter().flatten() {
            if self.part.is_live(doc) && meets(self.part, doc, &self.others)? {
                each(doc);
            }
        }
        Ok(())
    }
}

fn stated(lists: &[Docs<'_>]) -> u32 {
    lists
        .iter()
        .fold(0, |sum, docs| docs.stated().saturating_add(sum))
}
