//! What is found by its signs alone: `$(link:ID|label)` and `[[Name|label]]`.

use super::{Marker, Reference};
use std::ops::Range;

const MARKERS: [(&str, Marker); 4] = [
    ("link:", Marker::Link),
    ("include:", Marker::Include),
    ("image:", Marker::Image),
    ("code:", Marker::Code),
];

/// The markers in `range` of `text`.
pub(super) fn markers(text: &str, range: Range<usize>) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut at = range.start;
    // Where the next bracket closes or the line ends; kept, as many markers may begin before it.
    let mut stop = at;
    while let Some(next) = text[at..range.end].find("$(") {
        let start = at + next;
        at = start + 2;
        let Some((name, marker)) = named(&text[at..range.end]) else {
            continue;
        };
        let inside = at + name.len();
        if stop < inside {
            let rest = &text[inside..range.end];
            let length = rest.find([')', '\n', '\r']).unwrap_or(rest.len());
            stop = inside + length;
        }
        if !text[stop..range.end].starts_with(')') {
            at = stop;
            continue;
        }
        let (target, label) = parts(&text[inside..stop]);
        if !target.is_empty() && !is_escaped(text, range.start, start) {
            at = stop + 1;
            found.push(reference(marker, target, label, start..at));
        }
    }
    found
}

fn named(text: &str) -> Option<(&'static str, Marker)> {
    let is_named = |(name, _): &(&str, Marker)| text.starts_with(name);
    MARKERS.into_iter().find(is_named)
}

/// The wiki links in `range` of `text`; those to a heading of the same text are none.
pub(super) fn wiki_links(text: &str, range: Range<usize>) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(next) = text[at..range.end].find("[[") {
        let start = at + next;
        at = start + 1;
        let rest = &text[start + 2..range.end];
        let length = rest.find(['[', ']', '\n', '\r']).unwrap_or(rest.len());
        let (target, label) = parts(&rest[..length]);
        // In a table the bar is written with a backslash.
        let target = match label {
            Some(_) => target.strip_suffix('\\').unwrap_or(target).trim_end(),
            None => target,
        };
        let is_link =
            rest[length..].starts_with("]]") && !matches!(target.chars().next(), None | Some('#'));
        if is_link && !is_escaped(text, range.start, start) {
            at = start + 2 + length + 2;
            found.push(reference(Marker::WikiLink, target, label, start..at));
        }
    }
    found
}

/// What stands before and behind the bar.
fn parts(inside: &str) -> (&str, Option<&str>) {
    match inside.split_once('|') {
        Some((target, label)) => (target.trim(), Some(label.trim())),
        None => (inside.trim(), None),
    }
}

/// Whether an odd number of backslashes stands before `at`.
fn is_escaped(text: &str, from: usize, at: usize) -> bool {
    let before = text.as_bytes()[from..at].iter().rev();
    before.take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

fn reference(marker: Marker, target: &str, label: Option<&str>, range: Range<usize>) -> Reference {
    Reference {
        marker,
        target: target.to_string(),
        label: label.filter(|label| !label.is_empty()).map(str::to_string),
        start: range.start,
        end: range.end,
    }
}
