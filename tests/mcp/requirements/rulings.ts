/**
 * Rulings on what the pages leave open or contradict, as far as they concern the MCP server.
 *
 * @module
 */

import { promisesOf } from "./requirement.ts";

/** Promises made by rulings; the heading is the ruling's number. */
export const RULINGS = promisesOf("decisions", {
  D5: {
    "ruling-d5-1": "`--db` takes the .kbdb folder, or a folder that holds one",
    "ruling-d5-2": "All spellings of a folder (link, `..`, case, slash) lead to one daemon",
  },
  D6: {
    "ruling-d6-1": "A kbid has 26 characters: digits, and small letters but i, l, o and u",
    "ruling-d6-2": "Ids match whole or not at all: the beginning of a kbid finds nothing",
  },
  D7: {
    "ruling-d7-1": "Any string of at most 512 bytes is a docid; as a path it means nothing",
  },
  D10: {
    "ruling-d10-1": "learn without docid of text with several headings makes a document",
    "ruling-d10-2": "Then the reply lists all sections, and `kbid` is the first",
  },
  D11: {
    "ruling-d11-1": "learn with docid adds to the document",
    "ruling-d11-2":
      "`replace: true` puts a new document in the old one's place; equal sections keep ids",
  },
  D12: {
    "ruling-d12-1": "A revised section is out of search, still readable, linked both ways",
  },
  D13: {
    "ruling-d13-1": "gc keeps standalone sections, skills and what agents or live markers name",
    "ruling-d13-2": "gc with `include_standalone: true` takes standalone sections too",
    "ruling-d13-3": "gc with `dry_run: true` lists and removes nothing",
    "ruling-d13-4": "Where a manifest cannot be read gc removes nothing and names it",
  },
  D14: {
    "ruling-d14-1": "check calls no standalone section, skill or agent's skill an orphan",
  },
  D15: {
    "ruling-d15-1": "unlearn by docid removes a document with those sections that no other one has",
  },
  D16: {
    "ruling-d16-1": "content expands includes and cuts a cycle with a note that shows",
    "ruling-d16-2": "content renders link, image and code markers; markers in code stay",
    "ruling-d16-3":
      "Relative links and wiki links are references with marker_type mdlink, wikilink",
  },
  D18: {
    "ruling-d18-1": "The 18 tools, `revise` and `history` are listed, under names with hyphens",
    "ruling-d18-2": "tools/call takes underscores in place of hyphens; those names are not listed",
  },
  D19: {
    "ruling-d19-1": "The documented keys come first in a result; others may follow",
    "ruling-d19-2": "structuredContent is the same data as the text where that is an object",
    "ruling-d19-3": "An array is wrapped as `result` in structuredContent",
    "ruling-d19-4": "A result with an image block has no structuredContent",
    "ruling-d19-5": "A tool with outputSchema keeps it on every way that succeeds",
  },
  D20: {
    "ruling-d20-1": "Schemas are flat objects: no anyOf, oneOf, allOf, $ref; arrays have items",
    "ruling-d20-2": "A number, boolean or JSON array may arrive as a string",
    "ruling-d20-3": "Unknown arguments are ignored",
    "ruling-d20-4": "Descriptions are shorter than 1,024 characters",
  },
  D21: {
    "ruling-d21-1": "A bad tool argument is an isError result that names it",
    "ruling-d21-2": "tools/call without name: -32602",
    "ruling-d21-3": "-32002 for a resource carries its URI in `data.uri`",
    "ruling-d21-4": "Unknown prompt: -32002, exactly `Prompt not found: NAME`",
    "ruling-d21-5": "A missing required prompt argument: -32602 that names it",
    "ruling-d21-6": "Bad JSON: -32700 and no id",
    "ruling-d21-7": "Null id: -32600",
    "ruling-d21-8": "Fractional id: -32600",
    "ruling-d21-9": "An array, or anything that is no object: -32600",
    "ruling-d21-10": "An error says what failed, why and what to do",
    "ruling-d21-11": "No error shows a path outside the database or a stack",
  },
  D22: {
    "ruling-d22-1": "initialize is answered before the daemon is started or asked",
    "ruling-d22-2": "The daemon is reached at the first call that needs it",
    "ruling-d22-3": "Before initialized, requests other than initialize and ping get -32600",
    "ruling-d22-4": "An unknown protocol version is answered with 2025-11-25",
    "ruling-d22-5": "2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25 are accepted",
    "ruling-d22-6": "An id of 0 is an id like any other",
    "ruling-d22-7": "A cancelled call is stopped and not answered",
    "ruling-d22-8": "The server asks the client nothing before initialized",
    "ruling-d22-9": "At the end of input replies that are due are still written",
  },
  D23: {
    "ruling-d23-1":
      "Capabilities: tools, resources with subscribe, prompts with listChanged, logging, completions",
    "ruling-d23-2": "`sampling` is among them only where the client declared it",
    "ruling-d23-3": "roots/list is answered though it is a client's method",
    "ruling-d23-4": "Notifications come also for changes by another client or the command",
  },
  D24: {
    "ruling-d24-1": "Contents that are read carry the section's true MIME type",
    "ruling-d24-2": "An image is read as `blob`",
    "ruling-d24-3": "Reading a document gives one entry of JSON; its images stand there as URIs",
    "ruling-d24-4": "Completion takes the templates with kb_id and doc_id too",
  },
  D25: {
    "ruling-d25-1": "Where the prompt's name is exact, the value of the argument is completed",
    "ruling-d25-2": "A template as URI completes its variable",
    "ruling-d25-3": "A plain URI is completed from its tail",
    "ruling-d25-4": "At most 100 values come back, with the true total and hasMore",
  },
  D26: {
    "ruling-d26-1": "A name look-up takes the newest skill of the name",
    "ruling-d26-2": "skill-list shows all skills of a name, and each is there by kbid",
  },
  D27: {
    "ruling-d27-1": "Without body and without a client that samples: the error for an empty body",
    "ruling-d27-2": "Values are put in literally, in one pass: `$&` and `{{x}}` stay",
  },
  D28: {
    "ruling-d28-1": "The text of a reply keeps to `mcp.max_reply_bytes`, 80,000 by default",
    "ruling-d28-2": "A frame keeps to 1 MB",
    "ruling-d28-3": "search and lists come in pages",
    "ruling-d28-4": "A long recall ends early, says what is missing and goes on by cursor",
    "ruling-d28-5": "A long content ends early, says what is missing and goes on by cursor",
  },
  D29: {
    "ruling-d29-1": "Results say once, in `notice`, that stored text is data",
    "ruling-d29-2": "Every result tells its origin: document, source, tags",
    "ruling-d29-3": "Stored text cannot change the structure around it",
    "ruling-d29-4": "Instructions are under 2,000 characters, name the base and say so too",
  },
  D30: {
    "ruling-d30-1": "Tools, prompts and resources import no type of the SDK",
  },
  D34: {
    "ruling-d34-1": "learn stores a text with a secret and warns of its kind",
  },
  D35: {
    "ruling-d35-1": "`kbdb mcp` exits with 0 after the end of input and with 2 for wrong flags",
  },
  D36: {
    "ruling-d36-1": "`--format json` of a command is the object that the tool gives",
    "ruling-d36-2": "Long work sends progress where the client gave a token",
  },
  D37: {
    "ruling-d37-1":
      "A log line tells time, method, database, counts and digest, no content or query",
  },
  D38: {
    "ruling-d38-1": "status adds wasm_memory_bytes, daemon_rss_bytes, index sizes and counts",
  },
  D40: {
    "ruling-d40-1": "Known content keeps its type and title; tags merge; differences are reported",
    "ruling-d40-2": "Content that is there as another kind is refused, and that is said",
  },
  D43: {
    "ruling-d43-1": "learn takes `tags`, `replace` and `source`",
    "ruling-d43-2": "unlearn takes `docid`",
    "ruling-d43-3": "gc takes `dry_run` and `include_standalone`",
    "ruling-d43-4": "search takes `tag`, `type`, `docid`, `match` and `cursor`",
    "ruling-d43-5": "recall and content take `cursor`",
    "ruling-d43-6": "revise requires kbid and content; takes title, description and tags",
    "ruling-d43-7": "revise inherits what is not given; manifests name the new section then",
    "ruling-d43-8": "Revising an older revision fails with the id of the newest",
    "ruling-d43-9": "revise answers AddSectionResult with `supersedes`",
    "ruling-d43-10": "revise hints at neither destructive nor idempotent",
    "ruling-d43-11": "history requires kbid and answers current and revisions, oldest first",
    "ruling-d43-12": "A revision has kbid, heading, created_at, current and removed",
    "ruling-d43-13":
      "existing, docid, sections and warnings follow only where there is something to say",
  },
  D44: {
    "ruling-d44-1": "Mode documents: items of docid, title, type, section_count and best",
    "ruling-d44-2": "Mode stats: total, documents and terms of term and sections",
    "ruling-d44-3": "Equal calls give equal order",
    "ruling-d44-4": "More than 100 is cut to 100, to be seen in the reply's `limit`",
    "ruling-d44-5": "A limit below 1 or with a fraction is refused",
    "ruling-d44-6": "Without `type` no skill or agent is among the results",
    "ruling-d44-7": "An empty query: exactly `Query must not be empty`",
  },
  D46: {
    "ruling-d46-1": "What learn acknowledged is found by the next search",
  },
  D47: {
    "ruling-d47-1": "status tells in `scan` how far the look at the files is",
  },
  D48: {
    "ruling-d48-1": "Dead Markdown and wiki links are counted apart and are no error",
  },
  D49: {
    "ruling-d49-1": "unlearn takes a section out of every manifest",
    "ruling-d49-2": "Older revisions stay out of search when the newest is removed",
    "ruling-d49-3": "history still lists a removed id, and reading it names restore",
    "ruling-d49-4": "unlearn of an unknown id: `removed: false`, no error",
  },
  D50: {
    "ruling-d50-1": "Arrays hold a stub, `omitted: true`, in place of what is too long",
    "ruling-d50-2": "notice and cursors stand in objects only, never in arrays",
    "ruling-d50-3":
      "`total` of content counts code points returned, `total_all` those of the whole",
    "ruling-d50-4": "Reading a huge resource fails and points to a tool with pages",
  },
  D51: {
    "ruling-d51-1": "After the end of input open requests get at most 4 s, then exit 0",
    "ruling-d51-2": "With none open the server exits within 0.5 s",
    "ruling-d51-3": "A cancelled write is applied whole or not at all",
  },
  D52: {
    "ruling-d52-1": "Instructions use nothing but kbdb.toml",
    "ruling-d52-2": "status warns of a setting it does not know and offers the nearest",
    "ruling-d52-3": "A setting's wrong value fails with its line number",
  },
  D53: {
    "ruling-d53-1": "Without sockets the server works in-process and says so once on stderr",
    "ruling-d53-2": "`--no-daemon` beside a running daemon fails as locked with its process id",
  },
  D54: {
    "ruling-d54-1": "A read-only database is served; writes are refused and name the folder",
  },
  D56: {
    "ruling-d56-1": "A subscription keeps the daemon from going idle",
    "ruling-d56-2": "Changes made while the daemon was away reach the subscriber afterwards",
  },
  D57: {
    "ruling-d57-1": "A line above 32 MiB is refused and the session goes on",
    "ruling-d57-2": "A section above 16 MiB is refused",
    "ruling-d57-3": "A query above 64 KiB is refused",
    "ruling-d57-4": "More than 1,000 ids in a call are refused",
  },
  D58: {
    "ruling-d58-1": "Names are lower-case words with hyphens, at most 64 characters",
    "ruling-d58-2": "Placeholders may hold blanks inside the braces",
    "ruling-d58-3": "An argument found in the body alone counts as required",
    "ruling-d58-4": "Optional arguments left out become empty",
    "ruling-d58-5":
      "The name gives the docid, `agent-<name>`, so that a second one replaces the first",
    "ruling-d58-6": "agent-create with unknown skill ids is refused",
    "ruling-d58-7": "prompts/list shows the newest skill of a name",
    "ruling-d58-8": "Each delete tool takes its own kind alone",
  },
  D59: {
    "ruling-d59-1": "Lists and search never ask a model",
  },
  D60: {
    "ruling-d60-1": "Searches are answered while a rebuild runs",
  },
  D61: {
    "ruling-d61-1": "A database that is not there, in a folder that is: the server starts",
    "ruling-d61-2": "Then instructions and every read say so, with empty results and a notice",
    "ruling-d61-3": "The first write makes the database and says so",
    "ruling-d61-4": "Any other existing folder fails and stays untouched",
  },
  D62: {
    "ruling-d62-1": "`kbdb mcp --help` explains the command; an unknown flag names the nearest",
  },
});
