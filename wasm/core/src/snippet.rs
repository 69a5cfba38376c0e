//! A short piece of a section around the rarest word that the query and the section share.

use crate::analysis::{Analyzer, Mode};
use rustc_hash::FxHashMap;
use unicode_segmentation::GraphemeCursor;

/// What stands where text was left out.
const CUT: char = '…';

/// The words that a snippet looks for, with their worth.
pub(crate) struct Wanted {
    pub(crate) query: String,
    worth: FxHashMap<String, f64>,
    best: f64,
    /// First bytes of the words, to pass over others without hashing.
    firsts: [bool; 256],
}

impl Wanted {
    pub(crate) fn new(query: &str) -> Self {
        Self {
            query: query.to_string(),
            worth: FxHashMap::default(),
            best: 0.0,
            firsts: [false; 256],
        }
    }

    pub(crate) fn add(&mut self, term: String, worth: f64) {
        self.firsts[usize::from(term.as_bytes()[0])] = true;
        let known = self.worth.entry(term).or_insert(0.0);
        *known = known.max(worth);
        self.best = self.best.max(worth);
    }

    fn worth(&self, term: &str) -> Option<f64> {
        let first = *term.as_bytes().first()?;
        if !self.firsts[usize::from(first)] {
            return None;
        }
        self.worth.get(term).copied()
    }
}

/// About `width` characters of `body`, white space collapsed, `…` where something was cut.
pub(crate) fn snippet(analyzer: &Analyzer, wanted: &Wanted, body: &str, width: usize) -> String {
    let (start, end) = find(analyzer, wanted, body).unwrap_or((0, 0));
    window(body, start, end, width)
}

/// The first place of the most valuable word.
fn find(analyzer: &Analyzer, wanted: &Wanted, body: &str) -> Option<(usize, usize)> {
    let mut best = None;
    let mut best_worth = 0.0;
    analyzer.tokens(body, Mode::Index, |token| {
        if let Some(worth) = wanted.worth(token.term).filter(|&worth| worth > best_worth) {
            best = Some((token.start, token.end));
            best_worth = worth;
        }
    });
    best
}

/// The piece around `start..end`: a third of the room before it, unless less than the rest stands behind.
fn window(body: &str, start: usize, end: usize, width: usize) -> String {
    let word = room(&body[start..end], width);
    let behind = room(&body[start..], width);
    let before = ((width - word) / 3).max(width - behind);
    let from = first_word(body, back(body, start, before), start);
    let used = room(&body[from..start], width);
    let to = last_word(body, forward(body, start, width - used), from, end);
    joined(body, from, to)
}

fn joined(body: &str, from: usize, to: usize) -> String {
    let mut text = String::with_capacity(to - from + 2 * CUT.len_utf8());
    if !body[..from].trim_start().is_empty() {
        text.push(CUT);
    }
    for (at, word) in body[from..to].split_whitespace().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(word);
    }
    if !body[to..].trim_start().is_empty() {
        text.push(CUT);
    }
    text
}

/// How many characters of `text` count, up to `most`: a run of white space counts once.
fn room(text: &str, most: usize) -> usize {
    Counted::new(text.char_indices())
        .take_while(|&(_, count)| count <= most)
        .last()
        .map_or(0, |(_, count)| count)
}

/// Where the last `count` characters before `at` begin.
fn back(body: &str, at: usize, count: usize) -> usize {
    let fitting =
        Counted::new(body[..at].char_indices().rev()).take_while(|&(_, seen)| seen <= count);
    fitting.last().map_or(at, |(start, _)| start)
}

/// Where the first `count` characters behind `at` end.
fn forward(body: &str, at: usize, count: usize) -> usize {
    let first_left = Counted::new(body[at..].char_indices()).find(|&(_, seen)| seen > count);
    first_left.map_or(body.len(), |(start, _)| at + start)
}

/// Characters with their number, where white space behind white space has none of its own.
struct Counted<I> {
    chars: I,
    count: usize,
    was_space: bool,
}

impl<I> Counted<I> {
    fn new(chars: I) -> Self {
        Self {
            chars,
            count: 0,
            was_space: false,
        }
    }
}

impl<I: Iterator<Item = (usize, char)>> Iterator for Counted<I> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let (at, c) = self.chars.next()?;
        let is_space = c.is_whitespace();
        if !(is_space && self.was_space) {
            self.count += 1;
        }
        self.was_space = is_space;
        Some((at, self.count))
    }
}

/// The first start of a word at or behind `at`, or of a grapheme where `at..limit` is one word.
fn first_word(body: &str, at: usize, limit: usize) -> usize {
    if at == 0 || body[..at].ends_with(char::is_whitespace) {
        return at;
    }
    match body[at..limit].find(char::is_whitespace) {
        Some(space) => at + space,
        None => boundary(body, at, true)
            .filter(|&next| next <= limit)
            .unwrap_or(limit),
    }
}

/// The last end of a word at or before `at`, or of a grapheme where `end..at` is one word.
fn last_word(body: &str, at: usize, from: usize, end: usize) -> usize {
    if at == body.len() || body[at..].starts_with(char::is_whitespace) {
        return at;
    }
    let space = body
        .get(end..at)
        .and_then(|behind| behind.rfind(char::is_whitespace));
    match space {
        Some(space) => end + space,
        // A grapheme longer than the whole window is cut.
        None => boundary(body, at, false)
            .filter(|&before| before > from)
            .unwrap_or(at),
    }
}

/// `at` if a grapheme ends there, else the next or the last place where one does.
fn boundary(body: &str, at: usize, forward: bool) -> Option<usize> {
    let mut cursor = GraphemeCursor::new(at, body.len(), true);
    if cursor.is_boundary(body, 0) == Ok(true) {
        return Some(at);
    }
    let found = if forward {
        cursor.next_boundary(body, 0)
    } else {
        cursor.prev_boundary(body, 0)
    };
    found.ok().flatten()
}

#[cfg(test)]
#[path = "snippet_tests.rs"]
mod tests;
