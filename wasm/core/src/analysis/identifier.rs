//! Words and identifiers: what of a run is the whole form, and what are its parts.

use super::chars::{is_mid_letter, is_word_part};

/// The whole form inside `run`, without punctuation of the sentence around it; none without a letter
/// or digit.
pub(super) fn whole(run: &str) -> Option<(usize, usize)> {
    let first = run.find(char::is_alphanumeric)?;
    let start = match run[..first].chars().next_back() {
        Some('.' | '$' | '@') => first - 1,
        _ => first,
    };
    Some((start, end_of(run, first)))
}

/// Where the whole form ends that has a letter or digit at `first`.
fn end_of(run: &str, first: usize) -> usize {
    let kept = run.trim_end_matches(|c| !is_word_part(c) && !matches!(c, '+' | '#' | '>'));
    let base = run.trim_end_matches(|c| !is_word_part(c)).len();
    let signs = &kept[base..];
    match signs {
        // C++, C#, F#, g++
        "+" | "++" | "#" => kept.len(),
        ">" | ">>" if kept[first..].contains('<') => kept.len(),
        _ => base,
    }
}

/// Whether every `<` has its `>`: `vector<int>`, unlike `<b>` or `->`.
pub(super) fn has_balanced_angles(piece: &str) -> bool {
    let mut open = 0usize;
    for byte in piece.bytes() {
        match byte {
            b'<' => open += 1,
            b'>' if open == 0 => return false,
            b'>' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

/// Writes the byte ranges of the parts of `piece` over `parts`.
pub(super) fn split_parts(piece: &str, parts: &mut Vec<(usize, usize)>) {
    parts.clear();
    let mut start = None;
    let mut before = Kind::Other;
    for (at, c) in piece.char_indices() {
        let kind = kind(c);
        let rest = &piece[at + c.len_utf8()..];
        let is_inside = kind != Kind::Other || joins_letters(c, before, rest);
        match start {
            None if kind != Kind::Other && kind != Kind::Mark => start = Some(at),
            Some(from) if !is_inside => {
                parts.push((from, at));
                start = None;
            }
            Some(from) if is_hump(before, kind, rest) => {
                parts.push((from, at));
                start = Some(at);
            }
            _ => {}
        }
        if kind != Kind::Mark {
            before = kind;
        }
    }
    parts.extend(start.map(|from| (from, piece.len())));
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Letter,
    Digit,
    Mark,
    Other,
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' => Kind::Letter,
        'A'..='Z' => Kind::Upper,
        _ if c.is_numeric() => Kind::Digit,
        _ if c.is_uppercase() => Kind::Upper,
        _ if c.is_alphanumeric() => Kind::Letter,
        _ if is_word_part(c) => Kind::Mark,
        _ => Kind::Other,
    }
}

fn joins_letters(c: char, before: Kind, rest: &str) -> bool {
    let is_letter = |kind| matches!(kind, Kind::Letter | Kind::Upper);
    is_mid_letter(c) && is_letter(before) && rest.chars().next().is_some_and(|c| is_letter(kind(c)))
}

/// Whether a new part starts at a capital: `getUser`, `HTTPServer`, `utf8Decoder`, but not `URLs`.
fn is_hump(before: Kind, kind_here: Kind, rest: &str) -> bool {
    if kind_here != Kind::Upper {
        return false;
    }
    match before {
        Kind::Letter => true,
        Kind::Upper | Kind::Digit => {
            let mut next = rest.chars();
            let is_lower = |c: Option<char>| c.is_some_and(char::is_lowercase);
            let first = next.next();
            is_lower(first)
                && (first != Some('s') || next.next().is_some_and(char::is_alphanumeric))
        }
        _ => false,
    }
}
