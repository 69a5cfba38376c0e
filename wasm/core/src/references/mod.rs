//! What a text refers to: markers of this knowledge base, wiki links and relative Markdown links.

mod html;
mod markdown;
mod markers;
mod target;
#[cfg(test)]
mod tests;

use crate::error::{CoreError, ErrorCode};

/// How a reference is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marker {
    /// `$(link:ID)`
    Link,
    /// `$(include:ID)`
    Include,
    /// `$(image:ID)`
    Image,
    /// `$(code:ID)`
    Code,
    /// A Markdown link, image or link definition with a relative URL.
    MdLink,
    /// `[[Name]]`
    WikiLink,
}

impl Marker {
    /// The marker as it crosses to other languages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Include => "include",
            Self::Image => "image",
            Self::Code => "code",
            Self::MdLink => "mdlink",
            Self::WikiLink => "wikilink",
        }
    }
}

/// One reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// How it is written.
    pub marker: Marker,
    /// What it refers to, as written; of a Markdown link its URL without query and percent escapes.
    pub target: String,
    /// What is shown in its place: the part behind `|`, the text of a link, the name of a definition.
    pub label: Option<String>,
    /// First byte of the whole construct.
    pub start: usize,
    /// Byte behind the last one.
    pub end: usize,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Code, HTML comments and front matter refer to nothing; Markdown and wiki links are references too.
    Markdown,
    /// Markers count wherever they stand, nothing else does.
    Plain,
}

impl Form {
    /// The form of this name, `markdown` or `plain`.
    pub fn named(name: &str) -> Result<Self, CoreError> {
        match name {
            "markdown" => Ok(Self::Markdown),
            "plain" => Ok(Self::Plain),
            _ => Err(CoreError::new(
                ErrorCode::BadArgument,
                format!("Cannot read references of {name:?}: markdown and plain are known"),
            )),
        }
    }
}

/// The references of a text in order of their start. Bytes that are no UTF-8 refer to nothing.
///
/// ```
/// use kbdb_core::{references, Form};
/// let found = references(b"See $(link:notes/a.md|this) and `$(link:b)`.", Form::Markdown);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].target.as_str(), found[0].start, found[0].end), ("notes/a.md", 4, 27));
/// ```
pub fn references(text: &[u8], form: Form) -> Vec<Reference> {
    let may_refer = match form {
        Form::Markdown => text.windows(2).any(is_start),
        Form::Plain => text.windows(2).any(|two| two == b"$("),
    };
    match std::str::from_utf8(text) {
        Ok(text) if may_refer => match form {
            Form::Markdown => markdown::references(text),
            Form::Plain => markers::markers(text, 0..text.len()),
        },
        _ => Vec::new(),
    }
}

/// Whether two bytes could be part of a reference: a text without such a pair is not read at all.
fn is_start(two: &[u8]) -> bool {
    matches!(two, b"$(" | b"](" | b"[[" | b"]:")
}
