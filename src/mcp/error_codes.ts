/**
 * Numbers of JSON-RPC and MCP error responses.
 *
 * @module
 */

/** The line is no JSON. */
export const PARSE_ERROR = -32700;
/** JSON, but no request; or a request before `initialized`. */
export const INVALID_REQUEST = -32600;
/** No such method. */
export const METHOD_NOT_FOUND = -32601;
/** Parameters are missing or wrong. */
export const INVALID_PARAMS = -32602;
/** A fault in the server. */
export const INTERNAL_ERROR = -32603;
/** No such resource or prompt (MCP). */
export const RESOURCE_NOT_FOUND = -32002;
