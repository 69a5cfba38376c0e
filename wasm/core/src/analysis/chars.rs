//! What a character means for cutting a text into words.

use unicode_normalization::char::is_combining_mark;

/// What a character does to the run it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends every run.
    Break,
    /// Continues any run and starts none.
    Extend,
    /// Letter or digit of a script with spaces.
    Word,
    /// Sign that may stand inside an identifier.
    Joiner,
    /// Letter of a script without spaces.
    Spaceless,
    /// Pictograph, flag letter or skin tone.
    Emoji,
}

pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return ascii_class(c);
    }
    match c {
        // Zero-width (non-)joiner, soft hyphen, word joiner, variation selectors, tags of flags.
        '\u{200c}' | '\u{200d}' | '\u{ad}' | '\u{2060}' | '\u{feff}' => Class::Extend,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}' => Class::Extend,
        _ if is_mid_letter(c) => Class::Joiner,
        _ if is_emoji(c) => Class::Emoji,
        _ if is_spaceless(c) && (c.is_alphanumeric() || is_combining_mark(c)) => Class::Spaceless,
        _ if c.is_alphanumeric() => Class::Word,
        _ if is_combining_mark(c) => Class::Extend,
        _ => Class::Break,
    }
}

fn ascii_class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '.' | '/' | '\\' | '-' | '_' | ':' | '@' | '+' | '#' | '$' | '<' | '>' | '&' | '\'' => {
            Class::Joiner
        }
        _ => Class::Break,
    }
}

/// Signs that join the letters beside them into one word: apostrophes, the Catalan dot, Hebrew gershayim.
pub(super) fn is_mid_letter(c: char) -> bool {
    matches!(
        c,
        '\'' | '\u{2019}' | '\u{2018}' | '\u{ff07}' | '\u{b7}' | '\u{387}' | '\u{5f4}'
    )
}

/// Scripts whose sentences have no spaces between words, and Hangul, whose particles stick to the word.
pub(super) fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Myanmar
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' // Hangul
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
        | '\u{3031}'..='\u{318f}' | '\u{31a0}'..='\u{31ff}' // Kana, Bopomofo, Hangul
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{ff66}'..='\u{ffdc}' // half-width forms
        | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

pub(super) fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1f000}'..='\u{1f0ff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1faff}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}'
        | '\u{2b55}' | '\u{231a}' | '\u{231b}' | '\u{2328}' | '\u{23cf}' | '\u{23e9}'..='\u{23fa}'
        | '\u{25b6}' | '\u{25c0}' | '\u{25fb}'..='\u{25fe}' | '\u{2934}' | '\u{2935}' | '\u{3030}'
        | '\u{303d}')
}

/// Letters and digits, with the marks that belong to them.
pub(super) fn is_word_part(c: char) -> bool {
    matches!(class(c), Class::Word | Class::Extend)
}
