//! Search requests and their answers.

use super::JsonRecord;
use kbdb_core::{
    DocumentHit, DocumentResponse, Hit, Match, QueryStats, SearchRequest, SearchResponse, TermCount,
};
use serde::{Deserialize, Serialize};

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonMatch {
    #[default]
    Any,
    All,
}

impl From<JsonMatch> for Match {
    fn from(json: JsonMatch) -> Self {
        match json {
            JsonMatch::Any => Self::Any,
            JsonMatch::All => Self::All,
        }
    }
}

#[derive(Deserialize)]
pub struct JsonRequest {
    query: String,
    #[serde(default, rename = "match")]
    matching: JsonMatch,
    limit: usize,
    offset: usize,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    types: Vec<String>,
    #[serde(default)]
    docids: Vec<String>,
}

impl From<JsonRequest> for SearchRequest {
    fn from(json: JsonRequest) -> Self {
        Self {
            query: json.query,
            matching: json.matching.into(),
            limit: json.limit,
            offset: json.offset,
            tags: json.tags,
            types: json.types,
            docids: json.docids,
        }
    }
}

#[derive(Serialize)]
struct JsonHit {
    record: JsonRecord,
    matched_terms: Vec<String>,
    score: f64,
}

impl From<Hit> for JsonHit {
    fn from(hit: Hit) -> Self {
        Self {
            record: hit.record.into(),
            matched_terms: hit.matched_terms,
            score: hit.score,
        }
    }
}

#[derive(Serialize)]
pub struct JsonResponse {
    total: usize,
    items: Vec<JsonHit>,
}

impl From<SearchResponse> for JsonResponse {
    fn from(response: SearchResponse) -> Self {
        Self {
            total: response.total,
            items: response.items.into_iter().map(JsonHit::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct JsonDocument {
    docid: String,
    sections: usize,
    best: JsonHit,
}

impl From<DocumentHit> for JsonDocument {
    fn from(found: DocumentHit) -> Self {
        Self {
            docid: found.docid,
            sections: found.sections,
            best: found.best.into(),
        }
    }
}

#[derive(Serialize)]
pub struct JsonDocuments {
    total: usize,
    items: Vec<JsonDocument>,
}

impl From<DocumentResponse> for JsonDocuments {
    fn from(response: DocumentResponse) -> Self {
        Self {
            total: response.total,
            items: response.items.into_iter().map(JsonDocument::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct JsonTerm {
    term: String,
    sections: usize,
}

impl From<TermCount> for JsonTerm {
    fn from(one: TermCount) -> Self {
        Self {
            term: one.term,
            sections: one.sections,
        }
    }
}

#[derive(Serialize)]
pub struct JsonQueryStats {
    total: usize,
    documents: usize,
    terms: Vec<JsonTerm>,
}

impl From<QueryStats> for JsonQueryStats {
    fn from(stats: QueryStats) -> Self {
        Self {
            total: stats.total,
            documents: stats.documents,
            terms: stats.terms.into_iter().map(JsonTerm::from).collect(),
        }
    }
}
