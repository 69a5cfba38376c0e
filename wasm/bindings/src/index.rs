//! The search index.

use crate::json::{
    failed, read, write, JsonDocuments, JsonList, JsonQueryStats, JsonRecord, JsonRequest,
    JsonResponse, JsonSegmentSize, JsonStats, JsonToken, JsonValue, JsonValues,
};
use crate::segment::SealedSegment;
use crate::Answer;
use js_sys::Uint8Array;
use kbdb_core::{Mode, Replaced, SegmentBytes, ValueKind};
use std::borrow::Cow;
use wasm_bindgen::prelude::wasm_bindgen;

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

    /// A page of documents as JSON.
    #[wasm_bindgen(js_name = searchDocuments)]
    pub fn search_documents(&mut self, request: &str) -> Answer<String> {
        let request: JsonRequest = read(request)?;
        let response = self.0.search_documents(&request.into()).map_err(failed)?;
        write(&JsonDocuments::from(response))
    }

    /// Numbers about the matches of a query, as JSON.
    #[wasm_bindgen(js_name = queryStats)]
    pub fn query_stats(&mut self, request: &str) -> Answer<String> {
        let request: JsonRequest = read(request)?;
        let stats = self.0.query_stats(&request.into()).map_err(failed)?;
        write(&JsonQueryStats::from(stats))
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

    /// Records that have what is asked for, as JSON.
    pub fn list(&self, request: &str) -> Answer<String> {
        let mut request: JsonList = read(request)?;
        let (after, limit) = (request.after.take(), request.limit);
        let listed = self.0.list(&request.into(), after.as_deref(), limit);
        let records = listed.map_err(failed)?.into_iter();
        write(&records.map(JsonRecord::from).collect::<Vec<_>>())
    }

    /// How many entries have what is asked for.
    pub fn count(&self, request: &str) -> Answer<f64> {
        let request: JsonList = read(request)?;
        let count = self.0.count(&request.into()).map_err(failed)?;
        Ok(count as f64)
    }

    /// Values with their counts, as JSON.
    pub fn values(&self, request: &str) -> Answer<String> {
        let request: JsonValues = read(request)?;
        let kind = ValueKind::named(&request.filter).map_err(failed)?;
        let after = request.after.as_deref();
        let values = self.0.values(kind, &request.prefix, after, request.limit);
        let values = values.into_iter().map(JsonValue::from);
        write(&values.collect::<Vec<_>>())
    }

    /// Puts a merged segment, where there is one, in the place of those it was merged from.
    #[wasm_bindgen(js_name = replaceSegments)]
    pub fn replace_segments(
        &mut self,
        first: u32,
        dead_at_merge: Vec<Uint8Array>,
        terms: Option<Vec<u8>>,
        corpus: Option<Vec<u8>>,
        dead: &[u8],
    ) -> Answer<()> {
        let dead_at_merge: Vec<Vec<u8>> = dead_at_merge.iter().map(Uint8Array::to_vec).collect();
        let replaced = Replaced {
            first: first as usize,
            dead_at_merge: &dead_at_merge,
        };
        let merged = terms.zip(corpus).map(|(terms, corpus)| SegmentBytes {
            terms: terms.into(),
            corpus: corpus.into(),
            dead,
        });
        self.0.replace_segments(replaced, merged).map_err(failed)
    }

    /// Sizes of the segments, as JSON.
    pub fn segments(&self) -> Answer<String> {
        let sizes = self.0.segments().into_iter();
        write(&sizes.map(JsonSegmentSize::from).collect::<Vec<_>>())
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
