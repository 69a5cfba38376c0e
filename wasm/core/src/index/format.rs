//! The bytes of a sealed segment: little endian, used where they lie.
//!
//! `terms`: magic `KBDT`, version, length of `corpus`, lengths of three dictionaries (u32 each), then the
//! dictionaries as FSTs: word to list, `group NUL word` to list, filter key to list.
//!
//! `corpus`: magic `KBDC`, version, number of entries, length of `terms`, start of records, start of lists
//! (u32 each), then by column: keys (16 bytes, big endian), lengths in words (u32, `NO_LENGTH` for entries
//! that are no sections), places of the records (u32), entry numbers in key order (u32); then the records
//! and the lists. A list starts with its count and byte length; that of a word adds the offset and length
//! of its places in `positions`.
//!
//! `positions`: magic `KBDP`, version, then the places of each word (see `postings`).

use crate::bytes::u32_at;
use crate::error::{CoreError, ErrorCode};

pub(super) const VERSION: u32 = 2;
pub(super) const TERMS_MAGIC: &[u8; 4] = b"KBDT";
pub(super) const CORPUS_MAGIC: &[u8; 4] = b"KBDC";
pub(super) const POSITIONS_MAGIC: &[u8; 4] = b"KBDP";
pub(super) const HEADER: usize = 24;
pub(super) const NO_LENGTH: u32 = u32::MAX;

/// Bytes of an entry in each column: key, length, place of the record, key order.
pub(super) const COLUMNS: [usize; 4] = [16, 4, 4, 4];

/// Where each column of this many entries starts, and where the last one ends.
pub(super) fn columns(docs: usize) -> ([usize; 4], usize) {
    let mut at = HEADER;
    let starts = COLUMNS.map(|width| {
        let start = at;
        at = at.saturating_add(docs.saturating_mul(width));
        start
    });
    (starts, at)
}

/// The four numbers behind magic and version.
pub(super) fn read_header(
    bytes: &[u8],
    magic: &[u8; 4],
    name: &str,
) -> Result<[usize; 4], CoreError> {
    check_start(bytes, magic, name)?;
    if bytes.len() < HEADER {
        return Err(CoreError::corrupt(&format!("{name} has no valid header")));
    }
    let number = |at: usize| u32_at(bytes, 4 * at).unwrap_or_default();
    Ok([2, 3, 4, 5].map(|at| number(at) as usize))
}

/// Refuses bytes that do not begin with this magic and this version.
pub(super) fn check_start(bytes: &[u8], magic: &[u8; 4], name: &str) -> Result<(), CoreError> {
    let version = u32_at(bytes, magic.len()).filter(|_| bytes.starts_with(magic));
    match version {
        Some(VERSION) => Ok(()),
        Some(other) => Err(CoreError::new(
            ErrorCode::VersionMismatch,
            format!(
                "Cannot read the index segment: {name} has format version {other}, this core reads {VERSION}"
            ),
        )),
        None => Err(CoreError::corrupt(&format!("{name} has no valid header"))),
    }
}

/// Magic, version and four numbers as bytes.
pub(super) fn header(magic: &[u8; 4], numbers: [usize; 4]) -> Result<Vec<u8>, CoreError> {
    let mut out = magic.to_vec();
    out.extend(VERSION.to_le_bytes());
    for number in numbers {
        out.extend(small(number)?.to_le_bytes());
    }
    Ok(out)
}

/// The number in 32 bits.
pub(super) fn small(number: usize) -> Result<u32, CoreError> {
    u32::try_from(number).map_err(|_| {
        CoreError::new(
            ErrorCode::BadArgument,
            "Cannot seal the index segment: it would be larger than 4 GiB",
        )
    })
}
