//! Segments on their way out, and their merging.

use crate::json::failed;
use crate::Answer;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

/// A sealed segment, whose bytes the index goes on using.
#[wasm_bindgen]
pub struct SealedSegment(pub(crate) kbdb_core::SealedSegment);

#[wasm_bindgen]
impl SealedSegment {
    /// A copy of the dictionaries.
    pub fn terms(&self) -> Uint8Array {
        Uint8Array::from(&self.0.terms[..])
    }

    /// A copy of the places of words.
    pub fn positions(&self) -> Uint8Array {
        Uint8Array::from(&self.0.positions[..])
    }

    /// A copy of entries, records and postings.
    pub fn corpus(&self) -> Uint8Array {
        Uint8Array::from(&self.0.corpus[..])
    }
}

/// Joins segments into one.
#[wasm_bindgen]
#[derive(Default)]
pub struct SegmentMerger(kbdb_core::SegmentMerger);

#[wasm_bindgen]
impl SegmentMerger {
    /// A merger without segments.
    #[wasm_bindgen(constructor)]
    pub fn new() -> SegmentMerger {
        Self::default()
    }

    /// Adds the next segment.
    pub fn add(
        &mut self,
        terms: Vec<u8>,
        positions: Vec<u8>,
        corpus: Vec<u8>,
        dead: &[u8],
    ) -> Answer<()> {
        self.0.add(terms, positions, corpus, dead).map_err(failed)
    }

    /// The merged segment; none where nothing lives.
    pub fn finish(self) -> Answer<Option<SealedSegment>> {
        let merged = self.0.finish().map_err(failed)?;
        Ok(merged.map(SealedSegment))
    }
}
