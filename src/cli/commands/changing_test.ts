import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "../../rpc/errors.ts";
import { fakeMethod as method, ran } from "../testing.ts";

const ID = "1cy96vmqxgmc72dt1v5b2vkrmy";
const OTHER = "0b3n1kv45vqwxae97zt5pmh2bk";

test("unlearn of one id prints the documented object", async () => {
  const unlearn = method({ removed: true, elapsed_ms: 3, sections: 1 });
  const json = await ran(["unlearn", ID, "--json"], { client: { unlearn } });
  assert.deepEqual(JSON.parse(json.out), { removed: true, elapsed_ms: 3, sections: 1 });
  const mcp = await ran(["unlearn", ID, "--format", "mcp"], { client: { unlearn } });
  assert.equal(
    JSON.parse(mcp.out).content[0].text,
    '{"removed":true,"elapsed_ms":3,"sections":1}',
  );
  assert.deepEqual(unlearn.calls, [{ kbid: ID }, { kbid: ID }]);
});

test("unlearn takes several sections and documents", async () => {
  const unlearn = method({ removed: true, elapsed_ms: 3, documents: ["d"], warnings: ["w"] });
  const words = ["unlearn", ID, OTHER, "--docid", "d", "--docid", "e"];
  const { code, out, error } = await ran(words, { client: { unlearn } });
  assert.deepEqual(unlearn.calls, [
    { kbid: ID },
    { kbid: OTHER },
    { docid: "d" },
    { docid: "e" },
  ]);
  assert.match(out, new RegExp(`^Moved ${OTHER} to the trash: document d$`, "m"));
  assert.deepEqual([code, error], [0, "w\n".repeat(4)]);
});

test("unlearn is 3 only if nothing was there (D35)", async () => {
  const unlearn = method((target) => ({
    removed: (target as { kbid?: string }).kbid === ID,
    elapsed_ms: 1,
  }));
  const client = { unlearn };
  const some = await ran(["unlearn", ID, OTHER, "--json"], { client });
  assert.deepEqual([some.code, some.error], [0, `kbdb: Not stored: ${OTHER}\n`]);
  assert.deepEqual(JSON.parse(some.out), [
    { id: ID, removed: true, elapsed_ms: 1 },
    { id: OTHER, removed: false, elapsed_ms: 1 },
  ]);
  const none = await ran(["unlearn", OTHER, "--json"], { client });
  assert.deepEqual([none.code, JSON.parse(none.out).removed], [3, false]);
});

test("unlearn stops at a failure and tells what was done", async () => {
  const unlearn = method((target) => {
    if ((target as { kbid: string }).kbid === ID) throw new KbdbError("read_only", "Cannot write");
    return { removed: true, elapsed_ms: 1 };
  });
  const client = { unlearn };
  const { code, out, error } = await ran(["unlearn", OTHER, ID, OTHER], { client });
  assert.deepEqual([code, out, error], [
    1,
    `Moved ${OTHER} to the trash\n`,
    "kbdb: Cannot write\n",
  ]);
  assert.equal(unlearn.calls.length, 2);
  await assert.rejects(ran(["unlearn", ID], { client }), {
    code: "read_only",
    message: "Cannot write",
  });
});

for (const words of [[], ["notes.md"], [ID, "notes.md"], [ID.toUpperCase()]]) {
  test(`unlearn ${words.join(" ")} removes nothing`, async () => {
    const unlearn = method({ removed: true });
    await assert.rejects(ran(["unlearn", ...words], { client: { unlearn } }), {
      message: words.length ? /no kbid\. A document is named with --docid/ : /give a kbid/,
    });
    assert.deepEqual(unlearn.calls, []);
  });
}

const REVISED = { kbid: OTHER, supersedes: ID, warnings: ["tags differ"] };

test("revise takes a file, standard input or words", async () => {
  const revise = method(REVISED);
  const options = { client: { revise }, input: "from input", files: { "/desk/a.md": "from a" } };
  const { out, error } = await ran(["revise", ID, "a.md", "--tag", "a,b", "--tag", "c"], options);
  assert.deepEqual([out, error], [`${OTHER} takes the place of ${ID}\n`, "tags differ\n"]);
  await ran(["revise", ID, "-", "--title", "T"], options);
  await ran(["revise", ID, "--content", "words", "--description", "D"], options);
  assert.deepEqual(revise.calls, [
    { kbid: ID, content: "from a", tags: ["a", "b", "c"] },
    { kbid: ID, content: "from input", title: "T" },
    { kbid: ID, content: "words", description: "D" },
  ]);
});

test("revise sends an image as base64", async () => {
  const revise = method(REVISED);
  const files = { "/desk/a.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47) };
  await ran(["revise", ID, "a.png"], { client: { revise }, files });
  assert.deepEqual(revise.calls, [{ kbid: ID, content: "iVBORw==" }]);
});

test("revise reads UTF-16 and refuses what is no text", async () => {
  const revise = method(REVISED);
  const files = {
    "/desk/le.md": Uint8Array.of(0xff, 0xfe, 0x61, 0x00),
    "/desk/bad.md": Uint8Array.of(0x61, 0xff),
  };
  await ran(["revise", ID, "le.md"], { client: { revise }, files });
  assert.deepEqual(revise.calls, [{ kbid: ID, content: "a" }]);
  const message = "Cannot read bad.md: it is no UTF-8 text. Save it as UTF-8";
  await assert.rejects(ran(["revise", ID, "bad.md"], { client: { revise }, files }), { message });
});

for (const words of [[], [ID], [ID, "a.md", "--content", "x"], [ID, "a.md", "b.md"]]) {
  test(`revise ${words.join(" ")} is refused`, async () => {
    await assert.rejects(ran(["revise", ...words]), {
      message: /^Cannot revise: give a kbid, and/,
    });
  });
}

test("history marks the current revision", async () => {
  const revisions = [
    { kbid: ID, heading: "A", created_at: null, current: false, removed: true },
    {
      kbid: OTHER,
      heading: "B",
      created_at: "2026-01-02T03:04:05.678Z",
      current: true,
      removed: false,
    },
  ];
  const history = method({ current: OTHER, revisions });
  const { out } = await ran(["history", ID], { client: { history } });
  assert.deepEqual(out.split("\n"), [
    `  ${ID}  unknown                   A  (removed; kbdb restore ${ID})`,
    `* ${OTHER}  2026-01-02T03:04:05.678Z  B`,
    "",
  ]);
});

const UNNEEDED = {
  kbid: ID,
  heading: "A",
  type: "text/markdown",
  bytes: 1234,
  reason: "superseded",
};

test("gc tells what and why, and a dry run what would be", async () => {
  const result = { removed_sections: 1, removed_bytes: 1234, elapsed_ms: 2, sections: [UNNEEDED] };
  const gc = method((params) => ({ ...result, ...(params as object), waiting: 2 }));
  const line = `${ID}  A  text/markdown  superseded, 1.2 kB`;
  const dry = await ran(["gc", "--dry-run", "--include-standalone"], { client: { gc } });
  assert.deepEqual(dry.out.split("\n"), [
    line,
    "Would move 1 section (1.2 kB) to the trash",
    "2 sections more once the grace period is over",
    "",
  ]);
  const { out } = await ran(["gc"], { client: { gc } });
  assert.match(out, /^Moved 1 section \(1\.2 kB\) to the trash; see: kbdb trash$/m);
  assert.deepEqual(gc.calls, [{ dry_run: true, include_standalone: true }, {}]);
});

test("gc says so where there is nothing to do", async () => {
  const gc = method({ removed_sections: 0, removed_bytes: 0, elapsed_ms: 2 });
  assert.equal((await ran(["gc"], { client: { gc } })).out, "Nothing to take out\n");
});

const TRASHED = {
  id: ID,
  kind: "section",
  heading: "A",
  type: "text/markdown",
  bytes: 1234,
  docids: ["d"],
  removed_at: "2026-01-02T03:04:05.678Z",
  reason: "unlearn",
};

test("trash lists what was removed, when and why", async () => {
  const trash = method({ items: [TRASHED], total: 1, bytes: 1234 });
  const { out } = await ran(["trash"], { client: { trash } });
  assert.deepEqual(out.split("\n"), [
    `${ID}  A  from d`,
    "  unlearn 2026-01-02T03:04:05.678Z, text/markdown, 1.2 kB",
    "1 entry, 1.2 kB",
    "",
  ]);
  const empty = { client: { trash: method({ items: [], total: 0, bytes: 0 }) } };
  assert.equal((await ran(["trash"], empty)).out, "The trash is empty\n");
});

function emptying() {
  const emptyTrash = method({ removed: 2, freed_bytes: 5 });
  const client = { emptyTrash, trash: method({ items: [], total: 2, bytes: 5 }) };
  return { client, emptyTrash };
}

test("trash empty asks nothing but at a terminal (D62)", async () => {
  const { client, emptyTrash } = emptying();
  await assert.rejects(ran(["trash", "empty"], { client, input: "yes\n" }), {
    code: "bad_request",
    message: /2 entries \(5 B\) will be gone for good\. Say so beforehand with --yes/,
  });
  assert.deepEqual(emptyTrash.calls, []);
  const { out, error } = await ran(["trash", "empty", "--yes", "--older-than", "30"], { client });
  assert.deepEqual([out, error], ["Removed 2 entries for good, 5 B freed\n", ""]);
  assert.deepEqual(emptyTrash.calls, [{ older_than_days: 30 }]);
});

test("trash empty takes only yes for a yes", async () => {
  const { client, emptyTrash } = emptying();
  for (const input of ["", "no\n", "yesterday\n"]) {
    const { code, error } = await ran(["trash", "empty"], { client, input, isTerminal: true });
    assert.equal(code, 1);
    assert.match(error, /gone for good.*Nothing was removed/s);
  }
  assert.deepEqual(emptyTrash.calls, []);
  await ran(["trash", "empty"], { client, input: "Yes\n", isTerminal: true });
  assert.deepEqual(emptyTrash.calls, [{}]);
});

test("restore names what came back and what is unknown", async () => {
  const items = [
    { id: ID, state: "restored", with: ["d"] },
    { id: OTHER, state: "present" },
    { id: "x", state: "unknown" },
  ];
  const restore = method({ items, restored: 1, elapsed_ms: 1 });
  const { code, out, error } = await ran(["restore", ID, OTHER, "x"], { client: { restore } });
  assert.deepEqual(out.split("\n"), [
    `Restored ${ID}, with d`,
    `Not in the trash, stored already: ${OTHER}`,
    "",
  ]);
  assert.deepEqual([code, error], [3, "kbdb: Cannot restore x: it is not in the trash\n"]);
  assert.deepEqual(restore.calls, [[ID, OTHER, "x"]]);
});

test("check prints each fault on a line and is 4 (D35)", async () => {
  const error = { type: "broken_reference", entity: ID, detail: "$(link:x)\nleads nowhere" };
  const check = method({
    ok: false,
    errors: [error],
    sections_checked: 2,
    documents_checked: 1,
    references_checked: 3,
    unresolved_links: 1,
    elapsed_ms: 4,
  });
  const { code, out } = await ran(["check"], { client: { check } });
  assert.equal(code, 4);
  assert.deepEqual(out.split("\n"), [
    `broken_reference: ${ID}: $(link:x)␊leads nowhere`,
    "1 link to something that is not stored",
    "1 fault in 2 sections, 1 document, 3 references (4 ms)",
    "",
  ]);
});

test("rebuild --adopt names the revisions that it made", async () => {
  const adopted = [{ kbid: OTHER, supersedes: ID }];
  const rebuild = method({ sections_reindexed: 2, terms_indexed: 1, elapsed_ms: 4, adopted });
  const { out } = await ran(["rebuild", "--adopt"], { client: { rebuild } });
  assert.equal(out, `${OTHER} takes the place of ${ID}\nIndexed 2 sections, 1 term in 4 ms\n`);
  assert.deepEqual(rebuild.calls, [{ adopt: true }]);
});

test("status tells everything that is known", async () => {
  const status = method({
    initialized: true,
    contextPath: "/notes/.kbdb",
    cacheStats: { contentCount: 5, indexCount: 9 },
    name: "notes",
    version: "1.2.3",
    pid: 42,
    uptime_ms: 7_500_000,
    sections: 8,
    documents: 1,
    terms: 30,
    index: {
      generation: "g",
      segments: 1,
      terms_idx_bytes: 1000,
      positions_idx_bytes: 2000,
      corpus_dat_bytes: 500,
      unsealed_entries: 4,
    },
    journal_bytes: 12,
    scan: { state: "running", done: 3, total: 8, found: 1 },
    skills: 2,
    agents: 1,
    wasm_memory_bytes: 2e6,
    daemon_rss_bytes: 9e7,
    read_only: false,
    warnings: ["unknown setting"],
  });
  const { out } = await ran(["status"], { client: { status } });
  assert.deepEqual(out.split("\n"), [
    "notes  /notes/.kbdb",
    "  holds    8 sections, 1 document, 30 terms, 2 skills, 1 agent",
    "  index    ready, 1 segment, 3.5 kB on disk (terms 1.0 kB, positions 2.0 kB, corpus 500 B), " +
    "4 entries in memory only",
    "  journal  12 B",
    "  scan     running, 3 of 8 files, 1 change from outside found",
    "  process  42, kbdb 1.2.3, up 2 h 5 min",
    "  memory   90.0 MB resident, 2.0 MB in the search core, 5 contents cached",
    "  warning: unknown setting",
    "",
  ]);
});
