//! Cuts a text into runs of one kind and hands their terms on.

use super::chars::{class, Class};
use super::fold::fold_into;
use super::{identifier, spaceless, Mode, Token, LONGEST_TERM};
use unicode_normalization::{is_nfkc_quick, IsNormalized, UnicodeNormalization};
use unicode_segmentation::UnicodeSegmentation;

/// A chunk of text without ASCII white space, with the way back to the bytes of the source.
struct Chunk<'a> {
    text: &'a str,
    /// Where the chunk starts in the source.
    base: usize,
    /// Starts of clusters as (here, in the chunk of the source), where normalising moved them.
    moved: &'a [(usize, usize)],
}

impl Chunk<'_> {
    fn source_start(&self, at: usize) -> usize {
        let after = self.moved.partition_point(|&(here, _)| here <= at);
        self.base + after.checked_sub(1).map_or(at, |i| self.moved[i].1)
    }

    fn source_end(&self, at: usize) -> usize {
        let after = self.moved.partition_point(|&(here, _)| here < at);
        self.base + self.moved.get(after).map_or(at, |&(_, there)| there)
    }
}

/// The state of cutting one text.
pub(super) struct Runs<F> {
    mode: Mode,
    place: u32,
    sink: F,
    term: String,
    parts: Vec<(usize, usize)>,
}

impl<F: FnMut(Token<'_>)> Runs<F> {
    pub(super) fn new(mode: Mode, sink: F) -> Self {
        Self {
            mode,
            place: 0,
            sink,
            term: String::new(),
            parts: Vec::new(),
        }
    }

    pub(super) fn places(&self) -> u32 {
        self.place
    }

    pub(super) fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] <= b' ' {
                at += 1;
                continue;
            }
            let length = bytes[at..].iter().position(|&b| b <= b' ');
            let end = length.map_or(bytes.len(), |length| at + length);
            self.chunk(&text[at..end], at);
            at = end;
        }
    }

    fn chunk(&mut self, text: &str, base: usize) {
        if let Some((start, end)) = plain_word(text.as_bytes()) {
            return self.plain(&text[start..end], base + start);
        }
        if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
            self.runs(&Chunk {
                text,
                base,
                moved: &[],
            });
        } else {
            let (normal, moved) = normalised(text);
            self.runs(&Chunk {
                text: &normal,
                base,
                moved: &moved,
            });
        }
    }

    fn plain(&mut self, word: &str, start: usize) {
        let end = start + word.len();
        let cut = &word[..word.len().min(LONGEST_TERM)];
        let term = if cut.bytes().any(|b| b.is_ascii_uppercase()) {
            fold_into(&mut self.term, cut);
            &self.term
        } else {
            cut
        };
        (self.sink)(Token {
            term,
            position: self.place,
            start,
            end,
        });
        self.place += 1;
    }

    fn runs(&mut self, chunk: &Chunk<'_>) {
        let mut start = 0;
        let mut open = Class::Break;
        for (at, c) in chunk.text.char_indices() {
            let class = match class(c) {
                Class::Joiner => Class::Word,
                Class::Extend => continue,
                other => other,
            };
            if class != open {
                self.run(chunk, start, at, open);
                (start, open) = (at, class);
            }
        }
        self.run(chunk, start, chunk.text.len(), open);
    }

    fn run(&mut self, chunk: &Chunk<'_>, start: usize, end: usize, class: Class) {
        match class {
            Class::Word => self.word(chunk, start, end),
            Class::Spaceless => self.spaceless(chunk, start, end),
            Class::Emoji => self.emoji(chunk, start, end),
            _ => {}
        }
    }

    fn word(&mut self, chunk: &Chunk<'_>, start: usize, end: usize) {
        let run = &chunk.text[start..end];
        let Some((from, to)) = identifier::whole(run) else {
            return;
        };
        if identifier::has_balanced_angles(&run[from..to]) {
            return self.identifier(chunk, start + from, start + to);
        }
        let mut at = start;
        for piece in run.split(['<', '>']) {
            if let Some((from, to)) = identifier::whole(piece) {
                self.identifier(chunk, at + from, at + to);
            }
            at += piece.len() + 1;
        }
    }

    /// The whole form at the place of the first part, then the parts.
    fn identifier(&mut self, chunk: &Chunk<'_>, start: usize, end: usize) {
        let mut parts = std::mem::take(&mut self.parts);
        identifier::split_parts(&chunk.text[start..end], &mut parts);
        if parts[..] != [(0, end - start)] {
            self.emit(chunk, start, end, self.place);
        }
        for &(from, to) in &parts {
            self.emit(chunk, start + from, start + to, self.place);
            self.place += 1;
        }
        self.parts = parts;
    }

    fn spaceless(&mut self, chunk: &Chunk<'_>, start: usize, end: usize) {
        let first = self.place;
        let run = &chunk.text[start..end];
        let places = spaceless::terms(run, self.mode, |place, from, to| {
            self.emit(chunk, start + from, start + to, first + place);
        });
        self.place += places;
    }

    fn emoji(&mut self, chunk: &Chunk<'_>, start: usize, end: usize) {
        for (at, cluster) in chunk.text[start..end].grapheme_indices(true) {
            let from = start + at;
            self.emit(chunk, from, from + cluster.len(), self.place);
            self.place += 1;
        }
    }

    fn emit(&mut self, chunk: &Chunk<'_>, start: usize, end: usize, position: u32) {
        fold_into(&mut self.term, &chunk.text[start..end]);
        let token = Token {
            term: &self.term,
            position,
            start: chunk.source_start(start),
            end: chunk.source_end(end),
        };
        (self.sink)(token);
    }
}

/// The word inside a chunk that is one ASCII word with at most sentence punctuation around it.
fn plain_word(chunk: &[u8]) -> Option<(usize, usize)> {
    let is_opening = |b: &u8| matches!(b, b'(' | b'"' | b'[' | b'*' | b'`');
    let is_closing = |b: &u8| {
        matches!(
            b,
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b'"' | b']' | b'*' | b'`'
        )
    };
    let start = chunk.iter().take_while(|b| is_opening(b)).count();
    let tail = chunk[start..]
        .iter()
        .rev()
        .take_while(|b| is_closing(b))
        .count();
    let end = chunk.len() - tail;
    let (first, rest) = chunk[start..end].split_first()?;
    let is_lower = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let is_upper = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let is_plain = first.is_ascii_alphanumeric()
        && (rest.iter().all(is_lower) || rest.iter().all(is_upper) && is_upper(first));
    is_plain.then_some((start, end))
}

/// The chunk in NFKC, cluster by cluster so that each can be traced back.
fn normalised(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut normal = String::with_capacity(text.len());
    let mut moved = Vec::new();
    for (at, cluster) in text.grapheme_indices(true) {
        moved.push((normal.len(), at));
        normal.extend(cluster.nfkc());
    }
    moved.push((normal.len(), text.len()));
    (normal, moved)
}
