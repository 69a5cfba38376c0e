/**
 * Promises that are easily missed, and what real clients do; headings are the first cells of rows.
 *
 * @module
 */

import { promisesOf } from "./requirement.ts";

/** Promises that builders tend to overlook. */
export const MISSED = promisesOf("easily-missed", {
  search: {
    "missed-search-1": "Modes documents and stats have shapes of their own",
    "missed-search-2": "matched_terms is flat and without counts; no score is shown",
    "missed-search-3": "An image has an empty snippet and is found by title and description",
  },
  learn: {
    "missed-learn-1": "All keys of AddSectionResult are there",
    "missed-learn-2": "Known content without docid says `existing: true`",
    "missed-learn-3": "A docid that is there already gives `attached: false`",
    "missed-learn-4": "Broken base64 is refused",
    "missed-learn-5": "An unsupported type is refused",
    "missed-learn-6": "`description` is stored and found by search",
  },
  unlearn: {
    "missed-unlearn-1": "Unknown id: `removed: false`; a known one leaves every manifest",
  },
  retrieve: {
    "missed-retrieve-1": "Neither id: exactly `Provide kbid or docid`",
    "missed-retrieve-2": "`size` is in bytes",
    "missed-retrieve-3": "By docid the raw record of the document comes back",
  },
  recall: {
    "missed-recall-1": "`kbid` is put after `kbids`; `kbids` gives an array even for one",
    "missed-recall-2": "An unknown id in a batch costs only itself",
    "missed-recall-3": "No key of a deeper level shows, not even empty",
    "missed-recall-4": "Depth 3 ends one level deep, with the references' own back-references",
  },
  content: {
    "missed-content-1": "kbids and docids are mixed in one call",
    "missed-content-2": "An unknown id is named",
    "missed-content-3": "`total` is in code points",
  },
  status: {
    "missed-status-1": "The counts of cacheStats are real and move",
    "missed-status-2": "`initialized` is false while loading",
  },
  check: {
    "missed-check-1": "A fault of every type, put in on purpose, is found",
    "missed-check-2": "The three counters are right",
  },
  "gc, rebuild": {
    "missed-gc-1": "`removed_bytes` is what was really freed",
    "missed-rebuild-1": "`terms_indexed` is counted and images are skipped",
  },
  skills: {
    "missed-skill-1": "Arguments given and arguments detected are merged",
    "missed-skill-2": "Exactly `skill body must not be empty`",
    "missed-skill-3": "`argumentCount` is right",
    "missed-skill-4": "In skill-get the kbid wins",
    "missed-skill-5": "Exactly `Provide name or kbid`",
    "missed-skill-6": "skill-delete refuses what is no skill",
  },
  agents: {
    "missed-agent-1": "Each skill has its `position`, a deleted one `name: null`",
    "missed-agent-2": "agent-create twice is the same as once",
    "missed-agent-3": "agent-delete refuses what is no agent",
  },
  "text form": {
    "missed-text-1": "One line: learn, unlearn, content, skill-learn/-delete, agent-create/-delete",
    "missed-text-2": "Two spaces in every other tool",
  },
  "functions and module": {
    "missed-module-1": "No function, type or constant that the pages name is missing",
    "missed-module-2": "parseSkillContent throws",
    "missed-module-3": "createPromptDefinitions takes agents as a second argument, or none",
    "missed-module-4": "A thrown value of any kind has a text",
    "missed-module-5": "`server.listen()` is there",
    "missed-module-6": "McpWorkerClient has the methods that tools map to and five more, no others",
  },
  resources: {
    "missed-resource-1": "resources/list is empty",
    "missed-resource-2": "A URI that nothing has may be subscribed to: `{}`",
    "missed-resource-3": "updated is sent on add, change, delete and change of a manifest",
    "missed-resource-4": "updated is not sent after unsubscribe",
    "missed-resource-5": "docids with / % # ? and blanks are read",
  },
  prompts: {
    "missed-prompt-1": "An agent's roles, its list of skills and `arguments: []` are as documented",
    "missed-prompt-2": "An optional placeholder may be left out",
    "missed-prompt-3": "A name that two skills have is listed and rendered",
  },
  completion: {
    "missed-completion-1": "A missing `argument` is no error",
    "missed-completion-2": "`agent:` names are completed",
    "missed-completion-3": "docids are completed",
    "missed-completion-4": "`hasMore` and `total` are right",
  },
  sampling: {
    "missed-sampling-1": "A skill's body comes from a client that samples; else the error text",
  },
  roots: {
    "missed-roots-1": "The URI is percent-encoded",
  },
  logging: {
    "missed-log-1": "All eight levels are taken",
    "missed-log-2": "A bad level is -32602",
    "missed-log-3": "Nothing is sent before setLevel",
    "missed-log-4": "A real event is logged at each level that is used",
  },
  notifications: {
    "missed-notify-1": "rebuild, check, gc and learn send progress",
    "missed-notify-2": "A progressToken of 0 counts",
    "missed-notify-3": "Unknown notifications are ignored",
  },
  starting: {
    "missed-start-1": "Started beside a `.kbdb` without --db and KBDB_DIR, it still fails",
    "missed-start-2": "Two servers serve two databases",
  },
  secrets: {
    "missed-secret-1": "learn names the kind of secret in `warnings`",
  },
});

/** What kbdb does about real clients. */
export const CLIENTS = promisesOf("clients", {
  "full name `mcp__server__tool` must match `^[a-zA-Z0-9_-]{1,64}$` or `{1,128}`; dots and slashes break the whole session":
    {
      "client-names-1":
        "Tool names are letters, digits, hyphens; `mcp__kbdb__` before them fits 64",
    },
  "server + tool over 60 characters is hidden": {
    "client-names-2": "Server and tool name together stay under 60 for the names in the documents",
  },
  "hyphen turned into underscore, and not always turned back": {
    "client-names-3": "skill_learn is taken for skill-learn, and is not listed",
  },
  "`mcp_` prefix and cut at 64": {
    "client-names-4": "Tool names stay apart when a prefix is added and they are cut at 64",
  },
  "top-level anyOf/oneOf/allOf rejects the request or drops the tool": {
    "client-schema-1": "`kbid or docid` is said in the description and checked at the call",
  },
  "`$ref`/`$defs` unresolved; `$schema`, `propertyNames`, object `additionalProperties` refused; object items without properties refused; description over 1024 characters":
    {
      "client-schema-2":
        "None of $ref, $defs, $schema, propertyNames, additionalProperties is used",
      "client-schema-3": "Items that are objects have typed properties",
    },
  "array without `items` fails validation": {
    "client-schema-4": "arguments, skills, ids and kbids have typed items",
  },
  "outputSchema without `type: object` breaks the whole tools/list": {
    "client-schema-5": "An outputSchema, where there is one, is of type object",
  },
  "numbers, booleans, arrays arrive as strings": {
    "client-schema-6": '`"20"`, `"true"` and JSON-encoded arrays are taken',
  },
  "tool count: 40 (Cursor, 2025), 50 to 100 (Windsurf), 128 (VS Code)": {
    "client-names-5": "There are no more than about 20 tools",
  },
  "descriptions and instructions cut at 2048 characters": {
    "client-schema-7": "Instructions are under 2 kB, the key facts first",
  },
  "model-emitted base64 over about 10 kB rarely arrives": {
    "client-result-1": "learn's description sends large images to the command line",
  },
  "start-up limit: Codex 10 s, 30 s by a change of March 2026 (its docs still said 10 s in July); Claude Code about 30 s default, MCP_TIMEOUT raises it, one report of a 60 s cap; inspector 15 s":
    {
      "client-start-1": "initialize is answered while the worker is not there, and at once",
    },
  "npx from empty cache 3 to 7 s here, longer on slow links; a kill in mid-install can leave a broken cache":
    {
      "client-start-2": "The npm package has no dependencies, and the guide shows npx with `-y`",
    },
  "Windows cannot spawn `npx` without `cmd /c`; desktop apps lack the shell's PATH": {
    "client-start-3": "The guide shows `cmd /c` for Windows and absolute paths",
  },
  "Claude Code ignores `mcpServers` in settings.json": {
    "client-start-4": "The guide does not send Claude Code users to settings.json",
  },
  "environment: SDK clients pass HOME, LOGNAME, PATH, SHELL, TERM, USER (read); Codex adds LANG, LC_ALL, TMPDIR, TZ; Cline only PATH (2025); Gemini redacts some":
    {
      "client-start-5": "The server works with PATH alone in its environment, without HOME",
      "client-start-6": "XDG_RUNTIME_DIR and TMPDIR do not change which daemon is reached",
    },
  "shutdown: SDK client closes stdin, SIGTERM after 2 s, SIGKILL after 2 s more (read); some clients only vanish":
    {
      "client-stop-1": "The end of stdin ends the server in under 2 s, with replies flushed",
      "client-stop-2": "The daemon holds none of the server's pipes and outlives it",
    },
  "non-JSON on stdout: Claude Desktop shows an error toast or disconnects; Claude Code tolerates it; the SDK client reports and goes on (seen)":
    {
      "client-start-7": "What code prints to the console never reaches stdout, from the very start",
    },
  "request ids start at 0": {
    "client-start-8": "The first request may have the id 0",
  },
  "Codex probes ping, resources, templates and prompts on connecting": {
    "client-start-9": "All list methods are answered right after initialized",
  },
  "tool call limit: SDK default 60 s; Claude Desktop about 60 s fixed; Codex 60 s; Claude Code has an idle limit (30 min stdio, 5 min HTTP) that progress resets":
    {
      "client-progress-1": "Progress of rebuild, check, gc and a large learn carries a `message`",
    },
  "structuredContent replaces content for the model: Claude Code since 2.0.21 (still on 2.1.280, with or without outputSchema), VS Code, Codex, opencode; Cursor showed the text; some clients read only text":
    {
      "client-result-2": "Text and structuredContent hold the same data wherever both are there",
    },
  "structuredContent on error results is dropped by Claude Code": {
    "client-result-3": "The whole error is in the text",
  },
  "SDK clients throw if a tool has outputSchema and a non-error result lacks or breaks it (seen); the SDK's TS client checks only after tools/list":
    {
      "client-result-4": "After tools/list the SDK's client takes every tool's result",
    },
  "images beside structuredContent are lost": {
    "client-result-5": "A result with an image is an image block without structuredContent",
  },
  "Claude Code caps a tool result at 25,000 tokens (MAX_MCP_OUTPUT_TOKENS)": {
    "client-result-6": "content and recall page what is too long",
  },
  "Claude Desktop: 1 MB per tool result; images 8000 px, 2000 px in many-image chats; base64 counts as tokens in some Claude Code versions":
    {
      "client-result-7": "No result is above 1 MB; a large image is named as a resource",
    },
  "embedded image blobs reach the model; PDFs and audio go to disk with a note; resource_link is not followed, or fills the context":
    {
      "client-result-8": "No answer hangs on a resource_link",
    },
  "SDK clients reject a whole result with bad base64 or a data: URL in image data (seen)": {
    "client-result-9": "Image data in a reply is valid base64 and no data: URL",
  },
  "Features per client": {
    "client-feature-1": "All that resources and prompts give is reached by tools too",
    "client-feature-2": "A prompt has no blank in its name and no title with blanks",
    "client-feature-3": "Messages of prompts are by user or assistant only",
  },
  "The SDK: what to know": {
    "client-sdk-1": "Bad JSON, batches, null ids and what is no JSON-RPC get an answer",
    "client-sdk-2": "Long lines are read without time that grows with their square",
    "client-sdk-3": "A request with the id 0 can be cancelled",
    "client-sdk-4": "A large last reply is written whole before the exit",
  },
});
