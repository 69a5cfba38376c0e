//! What words a text holds: the same for sections and queries.
//!
//! A text is cut at white space and separators into runs of one kind: words and identifiers, scripts
//! written without spaces, emoji. Each kind has its own file; all terms end up folded by `fold`.

mod chars;
mod fold;
mod group;
mod identifier;
mod runs;
mod spaceless;
#[cfg(test)]
mod tests;

use crate::error::CoreError;
use group::Grouper;
use runs::Runs;

/// Words keep this many code points.
pub const LONGEST_TERM: usize = 64;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything a section can be found by.
    Index,
    /// What a query asks for: of a run of characters written without spaces, the pairs only.
    Query,
}

/// One word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The folded word.
    pub term: &'a str,
    /// Place in the text; the whole of an identifier shares the place of its first part.
    pub position: u32,
    /// First byte in the text.
    pub start: usize,
    /// Byte behind the last one.
    pub end: usize,
}

/// Cuts texts into words and groups the forms of a word, for one language.
///
/// ```
/// use kbdb_core::{Analyzer, Mode};
/// let analyzer = Analyzer::new("english").unwrap();
/// let mut terms = Vec::new();
/// analyzer.tokens("Parcels, getUserName()", Mode::Index, |token| terms.push(token.term.to_string()));
/// assert_eq!(terms, ["parcels", "getusername", "get", "user", "name"]);
/// assert_eq!(&*analyzer.group("parcels"), "parcel");
/// ```
pub struct Analyzer {
    grouper: Grouper,
}

impl Analyzer {
    /// The analyzer of a Snowball language by its English name in lower case.
    pub fn new(language: &str) -> Result<Self, CoreError> {
        let grouper = Grouper::new(language)?;
        Ok(Self { grouper })
    }

    /// Hands each word of `text` to `sink` and returns the number of places.
    pub fn tokens(&self, text: &str, mode: Mode, sink: impl FnMut(Token<'_>)) -> u32 {
        let mut runs = Runs::new(mode, sink);
        runs.text(text);
        runs.places()
    }

    /// What all forms of this word have in common: its stem without accents.
    pub fn group(&self, term: &str) -> Box<str> {
        self.grouper.group(term)
    }
}
