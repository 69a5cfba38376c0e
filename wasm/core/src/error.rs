//! The one error type of the crate.

use std::fmt;

/// What went wrong, for callers that act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The bytes are no text in the stated encoding.
    BadEncoding,
    /// An argument is not one of the accepted values.
    BadArgument,
    /// Segment bytes are damaged, cut off or of another kind.
    CorruptIndex,
    /// Segment bytes were written by another format version.
    VersionMismatch,
}

impl ErrorCode {
    /// The code as it crosses to other languages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadEncoding => "bad_encoding",
            Self::BadArgument => "bad_argument",
            Self::CorruptIndex => "corrupt_index",
            Self::VersionMismatch => "version_mismatch",
        }
    }
}

/// A failure with its code and a sentence that names the state it met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreError {
    /// What kind of failure this is.
    pub code: ErrorCode,
    /// The sentence for people.
    pub message: String,
}

impl CoreError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn corrupt(what: &str) -> Self {
        Self::new(
            ErrorCode::CorruptIndex,
            format!("Cannot read the index segment: {what}"),
        )
    }
}

impl fmt::Display for CoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CoreError {}
