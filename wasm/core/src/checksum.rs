//! Checksums of stored bytes: they tell damage, not intent.

use xxhash_rust::xxh3::xxh3_64;

/// The lower half of the 64-bit XXH3 of these bytes.
///
/// ```
/// assert_ne!(kbdb_core::checksum(b"parcel"), kbdb_core::checksum(b"parcels"));
/// ```
pub fn checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn checksum_is_that_of_xxh3() {
        // The published hash of no bytes is 2d06800538d394c2.
        assert_eq!(checksum(b""), 0x38d3_94c2);
    }
}
