//! Search core of kbdb in plain Rust: what a text becomes before it is stored, how it is cut into
//! sections, which words it holds, and how sections are found and ranked again.
//!
//! Nothing here knows files, sockets or JavaScript; the crate `kbdb-wasm` converts types and nothing else.
//!
//! ```
//! use kbdb_core::{Record, SearchIndex, SearchRequest};
//!
//! let mut index = SearchIndex::new("english").unwrap();
//! let record = Record::section("1cy96vmqxgmc72dt1v5b2vkrmy", Some("Parcels"));
//! index.add(&record, "The parcel waits at the door.").unwrap();
//! let found = index.search(&SearchRequest::new("parcel", 10)).unwrap();
//! assert_eq!(found.total, 1);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod analysis;
mod bytes;
mod checksum;
mod error;
mod id;
mod index;
mod markdown;
mod preprocess;
mod references;
mod snippet;

pub use analysis::{Analyzer, Mode, Token};
pub use checksum::checksum;
pub use error::{CoreError, ErrorCode};
pub use id::Kbid;
pub use index::{
    DocumentHit, DocumentResponse, EntryFilter, Hit, Match, QueryStats, Record, Replaced,
    SealedSegment, SearchIndex, SearchRequest, SearchResponse, SegmentBytes, SegmentMerger,
    SegmentSize, Stats, TermCount, ValueCount, ValueKind, FORM_TENTHS,
};
pub use markdown::{split_markdown, Section, Split};
pub use preprocess::{preprocess, Encoding};
pub use references::{references, Form, Marker, Reference};

/// Version of the calls and of the segment bytes; callers compare it before the first use.
pub const CORE_VERSION: u32 = 2;
