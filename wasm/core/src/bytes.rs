//! Variable-length numbers and fixed little-endian ones, read with bounds checked: damage ends a read,
//! it never panics.

/// Appends `value` seven bits at a time, low bits first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a length and the bytes.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A position in a slice of bytes.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What is left to read.
    pub(crate) fn as_bytes(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        let (&first, rest) = self.rest.split_first()?;
        if first < 0x80 {
            self.rest = rest;
            return Some(u32::from(first));
        }
        u32::try_from(self.u64()?).ok()
    }

    /// Two numbers, which in the postings of common words are a byte each.
    #[inline]
    pub(crate) fn pair(&mut self) -> Option<(u32, u32)> {
        match self.rest {
            &[first, second, ref rest @ ..] if (first | second) < 0x80 => {
                self.rest = rest;
                Some((u32::from(first), u32::from(second)))
            }
            _ => Some((self.u32()?, self.u32()?)),
        }
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for (at, &byte) in self.rest.iter().enumerate().take(10) {
            value |= u64::from(byte & 0x7f) << (7 * at);
            if byte < 0x80 {
                self.rest = &self.rest[at + 1..];
                return Some(value);
            }
        }
        None
    }

    /// The bytes of this many numbers.
    pub(crate) fn numbers(&mut self, count: u64) -> Option<&'a [u8]> {
        let mut left = count;
        let mut length = 0;
        while left > 0 {
            left -= u64::from(*self.rest.get(length)? < 0x80);
            length += 1;
        }
        self.take(length)
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// The little-endian number at byte `at`.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        let values = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut out = Vec::new();
        values.iter().for_each(|&v| put_varint(&mut out, v));
        let mut reader = Reader::new(&out);
        values
            .iter()
            .for_each(|&v| assert_eq!(reader.u64(), Some(v)));
        assert_eq!(reader.u64(), None);
    }

    #[test]
    fn damage_ends_the_read() {
        assert_eq!(Reader::new(&[0xff; 12]).u64(), None);
        assert_eq!(Reader::new(&[0x80]).u32(), None);
        assert_eq!(Reader::new(&[9, b'a']).text(), None);
        assert_eq!(Reader::new(&[1, 0xff]).text(), None);
        assert_eq!(u32_at(&[1, 2, 3], 0), None);
        assert_eq!(u32_at(&[1, 2, 3], usize::MAX), None);
    }
}
