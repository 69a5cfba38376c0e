import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSession, type TestSession } from "./session.ts";
import {
  assertLayout,
  idOfText,
  NOBODY,
  pathsOf,
  seed,
  textBytes,
  textsOf,
} from "./tools_support.ts";

test("check of a sound base is ok, with its counters, two spaces [tool-check-02 tool-check-03 tool-check-04 missed-check-2 ruling-d14-1]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "alone" });
  await session.tool("learn", { content: `# A\n\n$(link:${kbid})`, docid: "d" });
  const skill = { name: "s", description: "d", body: "b" };
  const { kbid: skillId } = await session.tool("skill-learn", skill);
  const agent = { name: "a", description: "d", persona: "p", skills: [skillId] };
  await session.tool("agent-create", agent);
  const [text] = textsOf(await session.result("check"));
  assertLayout(text, 2);
  const { elapsed_ms, ...rest } = JSON.parse(text);
  assert.deepEqual(rest, {
    ok: true,
    errors: [],
    // One of the document, one of the agent, and the marker.
    sections_checked: 3,
    documents_checked: 2,
    references_checked: 3,
    unresolved_links: 0,
  });
  assert.equal(typeof elapsed_ms, "number");
});

interface Fault {
  type: string;
  entity: string;
  detail: RegExp;
  seed(session: TestSession): void | Promise<unknown>;
  cites: string[];
}

const orphan = "Nobody keeps this.";
const FAULTS: Fault[] = [
  {
    type: "checksum_mismatch",
    entity: idOfText("# A"),
    detail: /its bytes no longer give its id/,
    seed: (session) => {
      const path = pathsOf(session).section(idOfText("# A"));
      writeFileSync(path, `${readFileSync(path, "utf8")}!`);
    },
    cites: ["tool-check-05", "missed-check-1"],
  },
  {
    type: "orphan_section",
    entity: idOfText(orphan),
    detail: /no document holds it, no marker names it/,
    seed: (session) => {
      const path = pathsOf(session).section(idOfText(orphan));
      const text = readFileSync(path, "utf8");
      assert.match(text, /^standalone = true$/m);
      writeFileSync(path, text.replace(/^standalone = true\n/m, "standalone = false\n"));
    },
    cites: ["tool-check-06", "missed-check-1"],
  },
  {
    type: "orphan_document",
    entity: "ghost",
    detail: /none of its sections exists/,
    seed: (session) => {
      const paths = pathsOf(session);
      const text = readFileSync(paths.document("d"), "utf8");
      const ghost = text.replace('docid = "d"', 'docid = "ghost"')
        .replaceAll(idOfText("# A"), NOBODY);
      seed(paths.document("ghost"), ghost);
    },
    cites: ["tool-check-07", "missed-check-1"],
  },
  {
    type: "broken_reference",
    entity: idOfText("See $(link:nowhere)"),
    detail: /^\$\(link:nowhere\) names nothing that is stored/,
    seed: (session) => session.tool("learn", { content: "See $(link:nowhere)" }),
    cites: ["tool-check-08", "missed-check-1"],
  },
  {
    type: "type_mismatch",
    entity: idOfText("See $(image:d)"),
    detail: /names text\/markdown, which is no image/,
    seed: (session) => session.tool("learn", { content: "See $(image:d)" }),
    cites: ["tool-check-09", "missed-check-1"],
  },
  {
    type: "circular_reference",
    entity: idOfText("$(include:ring)"),
    detail: /it includes itself/,
    seed: (session) => session.tool("learn", { content: "$(include:ring)", docid: "ring" }),
    cites: ["tool-check-10", "missed-check-1"],
  },
];

for (const { type, entity, detail, seed } of FAULTS) {
  test(`check finds a ${type} that was put in`, async () => {
    await using session = await openSession();
    await session.tool("learn", { content: "# A", docid: "d" });
    await session.tool("learn", { content: orphan });
    await seed(session);
    const { ok, errors, notice } = await session.tool("check");
    assert.equal(ok, false);
    assert.deepEqual(errors.map((error: object) => Object.keys(error)), [[
      "type",
      "entity",
      "detail",
    ]]);
    assert.deepEqual([errors[0].type, errors[0].entity], [type, entity]);
    assert.match(errors[0].detail, detail);
    assert.match(notice, /stored data/);
  });
}

test("check counts dead links apart, which are no error [ruling-d48-1]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "[a](gone.md) and [[Nowhere]]", docid: "n/a.md" });
  const { ok, errors, unresolved_links } = await session.tool("check");
  assert.deepEqual([ok, errors, unresolved_links], [true, [], 2]);
});

test("check with thousands of errors and strays keeps to the room and counts the rest [ruling-d28-1]", async () => {
  const room = 20_000;
  await using session = await openSession({ room });
  const markers = Array.from({ length: 2000 }, (_, i) => `$(link:nowhere ${i} "quoted")`);
  await session.tool("learn", { content: markers.join("\n") });
  for (let i = 0; i < 200; i++) {
    seed(join(pathsOf(session).sections, `stray ${"s".repeat(100)} ${i}.bak`), "x");
  }
  const result = await session.result("check");
  assert(textBytes(result) <= room);
  const { errors, errors_omitted, warnings, warnings_omitted, notice } = JSON.parse(
    textsOf(result)[0],
  );
  assert.equal(errors.length + errors_omitted, 2000);
  assert.equal(warnings.length + warnings_omitted, 200);
  assert(errors.length > 50);
  assert.match(notice, /stored data.* more of errors do not fit.* more of warnings do not fit/);
});
