//! Scripts without spaces: each character and each pair of neighbours is a term.

use super::Mode;
use unicode_normalization::char::is_combining_mark;

/// A character with the marks that follow it, as bytes of the run.
type Unit = (usize, usize);

/// Calls `each` with the place and the bytes of every term of `run` and returns the number of places.
pub(super) fn terms(run: &str, mode: Mode, mut each: impl FnMut(u32, usize, usize)) -> u32 {
    let mut units = Units { run, at: 0 };
    let Some(mut unit) = units.next() else {
        return 0;
    };
    let mut place = 0;
    let mut has_pair = false;
    loop {
        let next = units.next();
        has_pair |= next.is_some();
        if mode == Mode::Index || !has_pair {
            each(place, unit.0, unit.1);
        }
        place += 1;
        let Some(next) = next else {
            return place;
        };
        each(place - 1, unit.0, next.1);
        unit = next;
    }
}

struct Units<'a> {
    run: &'a str,
    at: usize,
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let rest = &self.run[self.at..];
        let mut chars = rest.char_indices();
        chars.next()?;
        let length = chars
            .find(|&(_, c)| !is_combining_mark(c) && !is_invisible(c))
            .map_or(rest.len(), |(at, _)| at);
        let start = self.at;
        self.at += length;
        Some((start, self.at))
    }
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}'
    )
}
