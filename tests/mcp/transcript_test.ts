// @ts-types="@modelcontextprotocol/sdk/types"
import {
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { kbdb } from "../support/command.ts";
import { callTool, Hosts, toolJson } from "./client.ts";

const FACTS = [
  "Mira prefers tabs over spaces in Go code.",
  "The staging server is reached as stage-2, port 8443.",
  "Deployments happen on Tuesdays, after the standup.",
  "The parcel scanner needs firmware 4.1 or newer.",
  "Invoices are archived for ten years.",
  "The old importer dropped rows whose date was empty.",
  "Retries are limited to three, with a pause of two seconds.",
  "The nightly backup runs at half past two.",
  "Customers in Norway get an extra customs form.",
  "The search page must answer within one second.",
  "Passwords are hashed with argon2.",
  "The design system lives in its own repository.",
  "Feature flags are removed after two releases.",
  "Logs are kept for fourteen days.",
  "The mobile app talks to version 3 of the interface.",
  "A parcel that is refused twice goes back to the sender.",
  "Dates are stored in universal time.",
  "The team chose queues over polling because of load.",
  "Broken labels are printed again by the night shift.",
  "Pull requests need one review.",
];

/** Resolves once `done` holds, or fails after a second. */
async function within(ms: number, done: () => boolean): Promise<void> {
  const end = performance.now() + ms;
  while (!done()) {
    assert(performance.now() < end, `over ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("an agent's session, from the first fact to the check [module-transport-2 server-goal-1 server-cli-1]", async (t) => {
  await using hosts = new Hosts();
  const client = await hosts.connect();
  const updated: string[] = [];
  let lists = 0;
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void lists++);
  let parcel = "";

  await t.test("introduces itself", async () => {
    assert.equal(client.getServerVersion()?.name, "kbdb");
    assert.match(client.getInstructions() ?? "", /日本 base/);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 20);
    assert.deepEqual((await client.listResources()).resources, []);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
  });

  await t.test("learns twenty facts", async () => {
    for (const [i, content] of FACTS.entries()) {
      const args = { content, docid: "facts", tags: [i % 2 === 0 ? "even" : "odd"] };
      const { kbid, attached, indexed_terms_count } = await toolJson(client, "learn", args);
      assert.match(kbid, /^[0-9a-z]{26}$/);
      assert(attached && indexed_terms_count > 0);
    }
    assert.equal((await toolJson(client, "status")).sections, FACTS.length);
  });

  await t.test("finds and recalls", async () => {
    const { items, total } = await toolJson(client, "search", { query: "parcel firmware" });
    assert.equal(total, 2);
    assert.match(items[0].snippet, /firmware/);
    parcel = items[0].kbid;
    const recalled = await toolJson(client, "recall", { kbid: parcel, depth: 3 });
    assert.equal(recalled.content, FACTS[3]);
    assert.equal(recalled.siblings.length, FACTS.length - 1);
    assert.deepEqual(recalled.documents.map(({ docid }: { docid: string }) => docid), ["facts"]);
    assert.deepEqual((await toolJson(client, "search", { query: "zebra" })).items, []);
  });

  await t.test("corrects", async () => {
    const content = "The parcel scanner needs firmware 4.2 or newer.";
    const { kbid, supersedes } = await toolJson(client, "revise", { kbid: parcel, content });
    assert.equal(supersedes, parcel);
    const { current, revisions } = await toolJson(client, "history", { kbid: parcel });
    assert.equal(current, kbid);
    assert.deepEqual(revisions.map((one: { kbid: string }) => one.kbid), [parcel, kbid]);
    parcel = kbid;
  });

  await t.test("keeps skills and agents, and offers them as prompts [notify-out-4 ruling-d27-2]", async () => {
    assert.deepEqual((await client.listPrompts()).prompts, []);
    const body = "Explain {{ topic }} in one sentence.";
    const skill = { name: "explain", description: "Explains something", body };
    const { kbid } = await toolJson(client, "skill-learn", skill);
    const agent = {
      name: "clerk",
      description: "Answers about parcels",
      persona: "You are a clerk.",
    };
    await toolJson(client, "agent-create", { ...agent, skills: [kbid] });
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), ["explain", "agent:clerk"]);
    const { messages } = await client.getPrompt({
      name: "explain",
      arguments: { topic: "$& {{x}}" },
    });
    const content = { type: "text", text: "Explain $& {{x}} in one sentence." };
    assert.deepEqual(messages, [{ role: "user", content }]);
    await within(1000, () => lists > 0);
  });

  await t.test("is told of what a separate command changes [ruling-d23-4 notify-out-3]", async () => {
    const uri = `kbdb://section/${parcel}`;
    await client.subscribeResource({ uri });
    const { code } = await kbdb(["unlearn", parcel, "--db", hosts.path]);
    assert.equal(code, 0);
    await within(1000, () => updated.includes(uri));
    await kbdb(["restore", parcel, "--db", hosts.path]);
    await within(1000, () => updated.filter((one) => one === uri).length === 2);
  });

  await t.test("composes, sweeps and checks", async () => {
    const { data, total } = await toolJson(client, "content", { ids: ["facts"] });
    assert.match(data, /firmware 4\.2/);
    assert.equal(total, [...data].length);
    const dry = await toolJson(client, "gc", { dry_run: true });
    assert.equal(dry.removed_sections, 1);
    assert.equal((await toolJson(client, "check")).ok, true);
    const unknown = await callTool(client, "forget_everything");
    assert.equal(unknown.isError, true);
  });
});
