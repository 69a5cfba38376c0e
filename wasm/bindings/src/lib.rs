//! WebAssembly shell of `kbdb-core`: turns JavaScript values into Rust ones and back, nothing else.
//!
//! Records, requests and answers cross as JSON; an error crosses as the string `code: sentence`.

mod index;
mod json;
mod segment;

use json::{failed, write, JsonReference, JsonSplit};
use kbdb_core::{preprocess as preprocess_text, Encoding, Form, Kbid};
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

/// The references of a text, as JSON.
#[wasm_bindgen]
pub fn references(text: &[u8], form: &str) -> Answer<String> {
    let form = Form::named(form).map_err(failed)?;
    let found = kbdb_core::references(text, form).into_iter();
    write(&found.map(JsonReference::from).collect::<Vec<_>>())
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
