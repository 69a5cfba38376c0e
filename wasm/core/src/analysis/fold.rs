//! The folded form of a word: NFKC, full case folding, apostrophes alike, invisible characters gone.

use super::chars::{is_emoji, is_mid_letter};
use super::LONGEST_TERM;
use unicase::UniCase;
use unicode_normalization::{is_nfkc_quick, IsNormalized, UnicodeNormalization};

/// More code points than these are not looked at: normalising must not cost more than a term is worth.
const LOOKED_AT: usize = 4 * LONGEST_TERM;

/// Writes the folded form of `word` over `term`, at most `LONGEST_TERM` code points.
pub(super) fn fold_into(term: &mut String, word: &str) {
    term.clear();
    if word.is_ascii() {
        term.push_str(&word[..word.len().min(LONGEST_TERM)]);
        term.make_ascii_lowercase();
        return;
    }
    let keeps_joiners = word.chars().next().is_some_and(is_emoji);
    let looked_at = word.chars().take(LOOKED_AT);
    let visible: String = looked_at
        .nfkc()
        .filter(|&c| is_visible(c, keeps_joiners))
        .map(straight)
        .collect();
    let folded = UniCase::unicode(visible).to_folded_case();
    match is_nfkc_quick(folded.chars()) {
        IsNormalized::Yes => term.extend(folded.chars().take(LONGEST_TERM)),
        _ => term.extend(folded.nfkc().take(LONGEST_TERM)),
    }
}

fn is_visible(c: char, keeps_joiners: bool) -> bool {
    match c {
        '\u{200d}' => keeps_joiners,
        '\u{ad}' | '\u{200c}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' => false,
        _ => true,
    }
}

fn straight(c: char) -> char {
    if is_mid_letter(c) && !matches!(c, '\u{b7}' | '\u{387}' | '\u{5f4}') {
        '\''
    } else {
        c
    }
}
