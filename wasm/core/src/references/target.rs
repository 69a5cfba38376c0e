//! What a URL of a Markdown link refers to.

use std::borrow::Cow;

/// The path and fragment of a relative URL without percent escapes; none for any other URL, and where
/// the URL holds a marker, which is the reference then.
pub(super) fn target(url: &str) -> Option<String> {
    if url.starts_with("//") || has_scheme(url) || url.contains("$(") {
        return None;
    }
    let (before, fragment) = match url.find('#') {
        Some(at) => url.split_at(at),
        None => (url, ""),
    };
    let path = before.split('?').next().unwrap_or_default();
    (!path.is_empty()).then(|| format!("{}{}", decoded(path), decoded(fragment)))
}

fn has_scheme(url: &str) -> bool {
    let Some((scheme, _)) = url.split_once(':') else {
        return false;
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_part)
}

/// The text without percent escapes, or as it is where that would be no UTF-8.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = behind.get(..2).filter(|_| first == b'%').and_then(hex);
        bytes.push(escaped.unwrap_or(first));
        rest = &behind[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).map_or(text.into(), Cow::Owned)
}

fn hex(two: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(two[0])? << 4 | digit(two[1])?) as u8)
}
