//! A set of entry numbers, one bit each.

/// Bits are kept in bytes, lowest first, so that they cross and are stored as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bitmap {
    bytes: Vec<u8>,
    /// Whether any bit was ever set; searches ask before they look at single bits.
    is_used: bool,
}

impl Bitmap {
    pub(super) fn with_size(bits: u32) -> Self {
        Self {
            bytes: vec![0; Self::bytes_for(bits)],
            is_used: false,
        }
    }

    /// The bitmap in `bytes`, which may be empty for "none"; refused where the length fits no `bits`.
    pub(super) fn from_bytes(bytes: &[u8], bits: u32) -> Option<Self> {
        let length = Self::bytes_for(bits);
        if !bytes.is_empty() && bytes.len() != length {
            return None;
        }
        let mut own = bytes.to_vec();
        own.resize(length, 0);
        if bits % 8 != 0 {
            own[length - 1] &= (1 << (bits % 8)) - 1;
        }
        let is_used = own.iter().any(|&byte| byte != 0);
        Some(Self {
            bytes: own,
            is_used,
        })
    }

    fn bytes_for(bits: u32) -> usize {
        bits.div_ceil(8) as usize
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    pub(super) fn has(&self, bit: u32) -> bool {
        let byte = self.bytes.get((bit >> 3) as usize);
        byte.is_some_and(|byte| byte >> (bit & 7) & 1 == 1)
    }

    pub(super) fn set(&mut self, bit: u32) {
        let at = (bit >> 3) as usize;
        if at >= self.bytes.len() {
            self.bytes.resize(at + 1, 0);
        }
        self.is_used = true;
        self.bytes[at] |= 1 << (bit & 7);
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.is_used
    }

    /// How many bits are set.
    pub(super) fn count(&self) -> u32 {
        self.bytes.iter().map(|byte| byte.count_ones()).sum()
    }

    /// Keeps the bits that `other` has too.
    pub(super) fn intersect(&mut self, other: &Self) {
        for (at, byte) in self.bytes.iter_mut().enumerate() {
            *byte &= other.bytes.get(at).copied().unwrap_or(0);
        }
    }
}
