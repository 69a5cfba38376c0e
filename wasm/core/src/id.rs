//! Content ids: the first 128 bits of SHA-256 as 26 characters of lower-case Crockford base32.

use crate::error::{CoreError, ErrorCode};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Length of an id in characters.
const TEXT_LENGTH: usize = 26;

/// The id of a content: 128 bits, ordered as its text is.
///
/// ```
/// use kbdb_core::Kbid;
/// assert_eq!(Kbid::of(b"hello").to_string(), "1cy96vmqxgmc72dt1v5b2vkrmy");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kbid(u128);

impl Kbid {
    /// The id of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let mut first = [0; 16];
        first.copy_from_slice(&digest[..16]);
        Self::from_bytes(first)
    }

    /// The id whose big-endian bytes these are.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// The id as big-endian bytes, which sort as the text does.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

impl FromStr for Kbid {
    type Err = CoreError;

    fn from_str(text: &str) -> Result<Self, CoreError> {
        let refused = || {
            let sentence = format!(
                "Cannot take {:?} as an id: 26 characters of lower-case Crockford base32 are expected",
                text.chars().take(40).collect::<String>()
            );
            CoreError::new(ErrorCode::BadArgument, sentence)
        };
        // 26 digits hold 130 bits, so the first one may only carry three.
        if text.len() != TEXT_LENGTH || text.as_bytes()[0] > b'7' {
            return Err(refused());
        }
        let mut value = 0u128;
        for byte in text.bytes() {
            let digit = ALPHABET
                .iter()
                .position(|&c| c == byte)
                .ok_or_else(refused)?;
            value = value << 5 | digit as u128;
        }
        Ok(Self(value))
    }
}

impl fmt::Display for Kbid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; TEXT_LENGTH];
        let mut rest = self.0;
        for slot in text.iter_mut().rev() {
            *slot = ALPHABET[(rest & 31) as usize];
            rest >>= 5;
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_of_hello_is_the_documented_one() {
        assert_eq!(Kbid::of(b"hello").to_string(), "1cy96vmqxgmc72dt1v5b2vkrmy");
    }

    #[test]
    fn id_text_survives_parsing() {
        for text in ["00000000000000000000000000", "7zzzzzzzzzzzzzzzzzzzzzzzzz"] {
            assert_eq!(text.parse::<Kbid>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn id_text_of_another_shape_is_refused() {
        for text in [
            "",
            "1cy96",
            "8zzzzzzzzzzzzzzzzzzzzzzzzz",
            "1CY96VMQXGMC72DT1V5B2VKRMY",
            "icy96vmqxgmc72dt1v5b2vkrmy",
            "ééééééééééééé",
        ] {
            assert!(text.parse::<Kbid>().is_err(), "{text}");
        }
    }

    #[test]
    fn id_order_is_text_order() {
        let mut ids: Vec<Kbid> = (0..200u32).map(|n| Kbid::of(&n.to_le_bytes())).collect();
        ids.sort();
        let texts: Vec<String> = ids.iter().map(Kbid::to_string).collect();
        assert!(texts.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
