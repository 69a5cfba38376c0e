//! From the bytes of a file to the text that is stored: decoded, `\n` line ends, NFC, trimmed.

use crate::error::{CoreError, ErrorCode};
use std::borrow::Cow;
use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

/// How bytes without a byte order mark are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; anything else is an error.
    Utf8,
    /// UTF-8 where the whole input is valid UTF-8, else ISO 8859-1.
    Latin1,
}

impl Encoding {
    /// The encoding of this name, `utf-8` or `latin1`.
    pub fn named(name: &str) -> Result<Self, CoreError> {
        match name {
            "utf-8" => Ok(Self::Utf8),
            "latin1" => Ok(Self::Latin1),
            _ => Err(CoreError::new(
                ErrorCode::BadArgument,
                format!("Cannot decode as {name:?}: utf-8 and latin1 are known"),
            )),
        }
    }
}

/// The text to store: equal content gives equal bytes whatever its line ends, composition or encoding.
///
/// ```
/// use kbdb_core::{preprocess, Encoding};
/// assert_eq!(preprocess(b"\r\na\r\nb \r\n", Encoding::Utf8).unwrap(), "a\nb");
/// ```
pub fn preprocess(bytes: &[u8], encoding: Encoding) -> Result<String, CoreError> {
    let text = decode(bytes, encoding)?;
    let text = unify_line_ends(text);
    let text = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => Cow::Owned(text.nfc().collect()),
    };
    let (start, end) = trimmed(strip_marks(&text));
    let offset = text.len() - strip_marks(&text).len();
    Ok(text[offset + start..offset + end].to_string())
}

/// The part of `text` that stays: without blank lines at its start and white space at its end.
pub(crate) fn trimmed(text: &str) -> (usize, usize) {
    let end = text.trim_end().len();
    let mut start = 0;
    for (at, c) in text[..end].char_indices() {
        if c == '\n' {
            start = at + 1;
        } else if !c.is_whitespace() {
            break;
        }
    }
    (start, end)
}

/// Byte order marks go, also one that only shows once blank lines before it are gone.
fn strip_marks(text: &str) -> &str {
    let mut rest = text;
    while let Some(inner) = rest[trimmed(rest).0..].strip_prefix('\u{feff}') {
        rest = inner;
    }
    rest
}

fn decode(bytes: &[u8], encoding: Encoding) -> Result<Cow<'_, str>, CoreError> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes).map(Cow::Owned),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes).map(Cow::Owned),
        _ => decode_bytes(bytes, encoding),
    }
}

fn decode_bytes(bytes: &[u8], encoding: Encoding) -> Result<Cow<'_, str>, CoreError> {
    match (std::str::from_utf8(bytes), encoding) {
        (Ok(text), _) => Ok(Cow::Borrowed(text)),
        (Err(_), Encoding::Latin1) => Ok(bytes.iter().map(|&b| char::from(b)).collect()),
        (Err(error), Encoding::Utf8) => {
            let at = error.valid_up_to();
            Err(bad_encoding(format!(
                "Cannot decode as UTF-8: byte 0x{:02X} at offset {at} does not belong there",
                bytes[at]
            )))
        }
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, CoreError> {
    const MARK: usize = 2;
    if bytes.len() % 2 == 1 {
        let at = MARK + bytes.len() - 1;
        let sentence = format!("Cannot decode as UTF-16: half a unit at offset {at}");
        return Err(bad_encoding(sentence));
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::with_capacity(bytes.len());
    let mut at = MARK;
    for decoded in char::decode_utf16(units) {
        let c = decoded.map_err(|_| {
            bad_encoding(format!(
                "Cannot decode as UTF-16: lone surrogate at offset {at}"
            ))
        })?;
        at += 2 * c.len_utf16();
        text.push(c);
    }
    Ok(text)
}

fn bad_encoding(message: String) -> CoreError {
    CoreError::new(ErrorCode::BadEncoding, message)
}

fn unify_line_ends(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf8(bytes: &[u8]) -> String {
        preprocess(bytes, Encoding::Utf8).unwrap()
    }

    fn refused(bytes: &[u8]) -> String {
        let error = preprocess(bytes, Encoding::Utf8).unwrap_err();
        assert_eq!(error.code, ErrorCode::BadEncoding);
        error.message
    }

    #[test]
    fn b38_line_ends_and_composition_do_not_matter() {
        let expected = "caf\u{e9}\n\nline";
        for source in [
            "café\n\nline",
            "cafe\u{301}\r\n\r\nline\r\n",
            "\u{feff}café\r\rline\r",
            "\n \t\n café\n\nline",
        ] {
            assert_eq!(utf8(source.as_bytes()).trim_start(), expected, "{source:?}");
        }
    }

    #[test]
    fn b38_bad_bytes_are_named_by_offset() {
        assert!(refused(b"ab\xffcd").contains("0xFF at offset 2"));
        assert!(refused(b"ab\xe2\x82").contains("offset 2"));
        assert!(refused(b"\x89PNG\r\n\x1a\n").contains("0x89 at offset 0"));
        assert!(refused(b"\xff\xfea\0b").contains("offset 4"));
        assert!(refused(b"\xff\xfea\0\x00\xd8").contains("offset 4"));
        assert!(refused(b"\xfe\xff\0a\xdc\x00").contains("offset 4"));
    }

    #[test]
    fn b38_utf16_and_latin1_are_read() {
        assert_eq!(utf8(b"\xff\xfeh\0i\0"), "hi");
        assert_eq!(utf8(b"\xfe\xff\0h\0i"), "hi");
        let latin = |bytes| preprocess(bytes, Encoding::Latin1).unwrap();
        assert_eq!(latin(b"caf\xe9"), "caf\u{e9}");
        assert_eq!(latin("caf\u{e9}".as_bytes()), "caf\u{e9}");
        assert!(Encoding::named("gbk").is_err());
    }

    #[test]
    fn b38_nul_stays_and_blank_input_is_empty() {
        assert_eq!(utf8(b"# a\0\nb"), "# a\0\nb");
        assert_eq!(utf8(b""), "");
        assert_eq!(utf8(" \n\t\u{3000}\n".as_bytes()), "");
    }

    #[test]
    fn preprocessing_again_changes_nothing() {
        for source in [
            "\u{feff}\n\u{feff}\n  a \n",
            "\r\r\n x\u{301}\r",
            "  indented\n\u{c}",
        ] {
            let once = utf8(source.as_bytes());
            assert_eq!(utf8(once.as_bytes()), once, "{source:?}");
        }
        assert_eq!(utf8(b"\n\n    code\n"), "    code");
    }
}
