/** What a query is answered with beside single sections. */

import type { SearchHit } from "./search_index.ts";

/** One document found. */
export interface DocumentHit {
  /** The document. */
  docid: string;
  /** How many of its sections match. */
  sections: number;
  /** The best of them. */
  best: SearchHit;
}

/** A page of documents. */
export interface DocumentsResponse {
  /** Exact number of documents that hold matching sections. */
  total: number;
  /** The page: score of the best section descending, then docid. */
  items: DocumentHit[];
}

/** Numbers about what a query matches. */
export interface QueryStats {
  /** Sections that match. */
  total: number;
  /** Documents that hold them. */
  documents: number;
  /** The query's different words, folded and in its order, each with the sections that hold it in some form. */
  terms: { term: string; sections: number }[];
}
