//! What entries can be filtered by, and the keys that the filter dictionary holds.

use super::record::Stored;

/// What can be filtered by; its letter starts the key in the filter dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    Kind,
    Type,
    Tag,
    Docid,
    Ref,
}

impl Filter {
    pub(super) fn letter(self) -> char {
        match self {
            Self::Kind => 'k',
            Self::Type => 't',
            Self::Tag => 'g',
            Self::Docid => 'd',
            Self::Ref => 'r',
        }
    }

    pub(super) fn key(self, value: &str) -> String {
        format!("{}{value}", self.letter())
    }
}

/// What comes before the star of `image/*`, which stands for all types that begin so.
pub(super) fn type_start(value: &str) -> Option<&str> {
    value.strip_suffix('*').filter(|start| start.ends_with('/'))
}

/// What listed entries must have, all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// The kind of the entries.
    pub kind: String,
    /// A document that holds them.
    pub docid: Option<String>,
    /// A key that they refer to.
    pub reference: Option<String>,
    /// A tag.
    pub tag: Option<String>,
    /// A media type; `image/*` stands for all that begin so.
    pub media_type: Option<String>,
}

impl EntryFilter {
    /// All entries of a kind.
    pub fn of_kind(kind: &str) -> Self {
        Self {
            kind: kind.to_string(),
            ..Self::default()
        }
    }

    /// The conditions one by one; the kind comes first.
    pub(super) fn conditions(&self) -> Vec<Condition<'_>> {
        let others = [
            (Filter::Docid, &self.docid),
            (Filter::Ref, &self.reference),
            (Filter::Tag, &self.tag),
            (Filter::Type, &self.media_type),
        ];
        let mut conditions = vec![Condition::new(Filter::Kind, &self.kind)];
        for (filter, value) in others {
            conditions.extend(value.as_ref().map(|value| Condition::new(filter, value)));
        }
        conditions
    }
}

/// One value that an entry must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition<'a> {
    pub(super) filter: Filter,
    pub(super) value: &'a str,
}

impl<'a> Condition<'a> {
    fn new(filter: Filter, value: &'a str) -> Self {
        Self { filter, value }
    }

    /// Whether the record has the value.
    pub(super) fn holds(&self, record: &Stored<'_>) -> bool {
        match self.filter {
            Filter::Kind => record.kind == self.value,
            Filter::Type => match type_start(self.value) {
                Some(start) => record.media_type.starts_with(start),
                None => record.media_type == self.value,
            },
            Filter::Tag => record.tags.has(self.value),
            Filter::Docid => record.docids.has(self.value),
            Filter::Ref => record.refs.has(self.value),
        }
    }
}
