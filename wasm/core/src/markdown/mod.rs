//! Cutting a Markdown document into sections without losing a byte.

mod front_matter;

use crate::preprocess::trimmed;
use front_matter::{find_front_matter, FrontMatter};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// One section: the bytes `start..end` of the source, trimmed; between sections lies white space only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// First byte.
    pub start: usize,
    /// Byte behind the last one.
    pub end: usize,
    /// Plain text of the heading that starts the section; none before the first heading or where it is empty.
    pub heading: Option<String>,
    /// 1 to 6, or 0 where no heading starts the section.
    pub level: u8,
}

/// A document in sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// `title` of the front matter, else the first heading with text.
    pub title: Option<String>,
    /// Sentences about what was not understood.
    pub warnings: Vec<String>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// Starts a section at each top-level CommonMark heading; front matter and what stands before the first
/// heading are one section without heading.
///
/// ```
/// let split = kbdb_core::split_markdown("intro\n\n# One\n\ntext");
/// assert_eq!(split.sections.len(), 2);
/// assert_eq!(split.title.as_deref(), Some("One"));
/// ```
pub fn split_markdown(text: &str) -> Split {
    let mut split = Split::default();
    let mut body_start = 0;
    match find_front_matter(text) {
        FrontMatter::None => {}
        FrontMatter::Broken(warning) => split.warnings.push(warning),
        FrontMatter::Found { length, title } => {
            split.title = title;
            body_start = length;
        }
    }
    let headings = top_headings(&text[body_start..], body_start);
    if split.title.is_none() {
        split.title = headings.iter().find_map(|h| h.text.clone());
    }
    split.sections = sections(text, headings);
    split
}

/// How many bytes the front matter of a document takes.
pub(crate) fn front_matter_length(text: &str) -> usize {
    match find_front_matter(text) {
        FrontMatter::Found { length, .. } => length,
        _ => 0,
    }
}

struct Heading {
    start: usize,
    level: u8,
    text: Option<String>,
}

fn sections(text: &str, headings: Vec<Heading>) -> Vec<Section> {
    let mut found = Vec::with_capacity(headings.len() + 1);
    let mut starts: Vec<usize> = headings.iter().map(|h| h.start).collect();
    starts.push(text.len());
    found.extend(section(text, 0..starts[0], None, 0));
    for (at, heading) in headings.into_iter().enumerate() {
        let range = starts[at]..starts[at + 1];
        found.extend(section(text, range, heading.text, heading.level));
    }
    found
}

fn section(text: &str, range: Range<usize>, heading: Option<String>, level: u8) -> Option<Section> {
    let (start, end) = trimmed(&text[range.clone()]);
    (start < end).then(|| Section {
        start: range.start + start,
        end: range.start + end,
        heading,
        level,
    })
}

/// The headings that stand in no quote, list or other block; offsets are moved by `base`.
fn top_headings(text: &str, base: usize) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut open: Option<String> = None;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                found.push(Heading {
                    start: base + line_start(text, range.start),
                    level: number(level),
                    text: None,
                });
                open = Some(String::new());
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(TagEnd::Heading(_)) if depth == 1 => {
                depth = 0;
                if let (Some(heading), Some(text)) = (found.last_mut(), open.take()) {
                    heading.text = plain(&text);
                }
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            other => {
                if let Some(text) = &mut open {
                    append_inline(text, &other);
                }
            }
        }
    }
    found
}

fn append_inline(text: &mut String, event: &Event<'_>) {
    match event {
        Event::Text(part) | Event::Code(part) => text.push_str(part),
        Event::SoftBreak | Event::HardBreak => text.push(' '),
        _ => {}
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[..at]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |newline| newline + 1)
}

/// The text with white space collapsed; none where nothing else is in it.
pub(crate) fn plain(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
