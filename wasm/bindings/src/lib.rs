//! WebAssembly shell of `kbdb-core`: turns JavaScript values into Rust ones and back, nothing else.
//!
//! Records, requests and answers cross as JSON; an error crosses as the string `code: sentence`.

mod convert;

use convert::{
    failed, read, write, JsonRecord, JsonRequest, JsonResponse, JsonSplit, JsonStats, JsonToken,
};
use js_sys::Uint8Array;
use kbdb_core::{preprocess as preprocess_text, Encoding, Kbid, Mode};
use std::borrow::Cow;
use wasm_bindgen::prelude::wasm_bindgen;

type Answer<T> = Result<T, String>;

/// Version of the calls and of the segment bytes.
#[wasm_bindgen(js_name = coreVersion)]
pub fn core_version() -> u32 {
    kbdb_core::CORE_VERSION
}

/// Id of these bytes.
#[wasm_bindgen]
pub fn kbid(bytes: &[u8]) -> String {
    Kbid::of(bytes).to_string()
}

/// Checksum of these bytes.
#[wasm_bindgen]
pub fn checksum(bytes: &[u8]) -> u32 {
    kbdb_core::checksum(bytes)
}

/// The text to store, as UTF-8.
#[wasm_bindgen]
pub fn preprocess(bytes: &[u8], encoding: &str) -> Answer<Vec<u8>> {
    let encoding = Encoding::named(encoding).map_err(failed)?;
    let text = preprocess_text(bytes, encoding).map_err(failed)?;
    Ok(text.into_bytes())
}

/// The sections of a preprocessed document, as JSON.
#[wasm_bindgen(js_name = splitMarkdown)]
pub fn split_markdown(text: &[u8]) -> Answer<String> {
    let text = std::str::from_utf8(text).map_err(|error| {
        format!(
            "bad_encoding: Cannot split the document: no UTF-8 at offset {}",
            error.valid_up_to()
        )
    })?;
    write(&JsonSplit::from(kbdb_core::split_markdown(text)))
}

/// Bytes of linear memory.
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    const PAGE: usize = 65_536;
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    (pages * PAGE) as f64
}

/// A sealed segment, whose bytes the index goes on using.
#[wasm_bindgen]
pub struct SealedSegment(kbdb_core::SealedSegment);

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

/// A searchable set of entries.
#[wasm_bindgen]
pub struct SearchIndex(kbdb_core::SearchIndex);

#[wasm_bindgen]
impl SearchIndex {
    /// An empty index for a Snowball language.
    #[wasm_bindgen(constructor)]
    pub fn new(language: &str) -> Answer<SearchIndex> {
        kbdb_core::SearchIndex::new(language)
            .map(Self)
            .map_err(failed)
    }

    /// Adds an entry; returns how many different words it holds.
    pub fn add(&mut self, record: &str, body: &[u8]) -> Answer<u32> {
        let record: JsonRecord = read(record)?;
        self.0.add(&record.into(), &text(body)).map_err(failed)
    }

    /// Takes an entry out.
    pub fn remove(&mut self, kbid: &str) -> Answer<bool> {
        self.0.remove(kbid).map_err(failed)
    }

    /// A record as JSON, or `null`.
    pub fn get(&self, kbid: &str) -> Answer<String> {
        let record = self.0.get(kbid).map_err(failed)?;
        write(&record.map(JsonRecord::from))
    }

    /// A page of results as JSON.
    pub fn search(&mut self, request: &str) -> Answer<String> {
        let request: JsonRequest = read(request)?;
        let response = self.0.search(&request.into()).map_err(failed)?;
        write(&JsonResponse::from(response))
    }

    /// A piece of `body` around the rarest word of the query.
    pub fn snippet(&mut self, query: &str, body: &[u8], width: u32) -> String {
        self.0.snippet(query, &text(body), width as usize)
    }

    /// The words of a text as indexing sees them, as JSON.
    pub fn analyze(&self, text: &str) -> Answer<String> {
        let analyzer = self.0.analyzer();
        let mut tokens = Vec::new();
        analyzer.tokens(text, Mode::Index, |token| {
            tokens.push(JsonToken::new(token, &analyzer.group(token.term)));
        });
        write(&tokens)
    }

    /// Turns the tail into a segment.
    pub fn seal(&mut self) -> Answer<Option<SealedSegment>> {
        let sealed = self.0.seal().map_err(failed)?;
        Ok(sealed.map(SealedSegment))
    }

    /// Appends a sealed segment.
    pub fn load(&mut self, terms: Vec<u8>, corpus: Vec<u8>, dead: &[u8]) -> Answer<()> {
        self.0.load(terms, corpus, dead).map_err(failed)
    }

    /// Dead entries of a segment.
    pub fn dead(&self, segment: u32) -> Answer<Vec<u8>> {
        let dead = self.0.dead(segment as usize).map_err(failed)?;
        Ok(dead.to_vec())
    }

    /// Records of a kind as JSON.
    pub fn list(&self, kind: &str, after: Option<String>, limit: u32) -> Answer<String> {
        let records = self
            .0
            .list(kind, after.as_deref(), limit as usize)
            .map_err(failed)?;
        write(
            &records
                .into_iter()
                .map(JsonRecord::from)
                .collect::<Vec<_>>(),
        )
    }

    /// Entries in the tail.
    #[wasm_bindgen(js_name = tailEntries)]
    pub fn tail_entries(&self) -> u32 {
        self.0.tail().0 as u32
    }

    /// About how many bytes the tail takes.
    #[wasm_bindgen(js_name = tailBytes)]
    pub fn tail_bytes(&self) -> u32 {
        self.0.tail().1 as u32
    }

    /// Numbers as JSON.
    pub fn stats(&mut self) -> Answer<String> {
        write(&JsonStats::from(self.0.stats()))
    }
}

/// Content that is no valid UTF-8 stays searchable before and behind the bad bytes.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
