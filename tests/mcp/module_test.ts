import assert from "node:assert/strict";
import { test } from "node:test";
import * as mcp from "../../src/mcp/index.ts";
import { projectFiles, readProjectFile } from "../support/project.ts";
import { parse, readImports } from "../support/source_reader.ts";
import { AGENT, fakeWorkerClient, METHODS, SKILL } from "./fake_worker_client.ts";
import { textsOf } from "./tools_support.ts";

test("McpServer is exported, bound to its client, and listens [export-class-01 func-server-1 missed-module-5 module-flow-02]", async () => {
  const { client, calls } = fakeWorkerClient();
  const lines = ["initialize", "notifications/initialized", "tools/call"].map((method, id) => ({
    jsonrpc: "2.0",
    ...(method.startsWith("notifications/") ? {} : { id }),
    method,
    params: id === 0
      ? { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }
      : { name: "status", arguments: {} },
  }));
  const input = lines.map((line) => JSON.stringify(line)).join("\n");
  const answers: string[] = [];
  const server = mcp.createMcpServer(client, {
    streams: {
      chunks: ReadableStream.from([new TextEncoder().encode(input)]),
      write: (bytes) => {
        answers.push(new TextDecoder().decode(bytes));
        return Promise.resolve(true);
      },
      error: () => {},
    },
  });
  assert(server instanceof mcp.McpServer);
  await server.listen();
  assert.deepEqual(answers.map((line) => JSON.parse(line).id), [0, 2]);
  assert.deepEqual(calls.map(([method]) => method), ["dbStatus", "disconnect"]);
});

test("the client of the documents has sixteen methods, and each tool goes through one [missed-module-6 tool-any-01]", async () => {
  const { client, calls } = fakeWorkerClient();
  const methods: Record<keyof mcp.McpWorkerClient, true> = {
    search: true,
    addSection: true,
    removeSection: true,
    readSections: true,
    retrieveDocument: true,
    recall: true,
    content: true,
    dbStatus: true,
    integrityCheck: true,
    gc: true,
    rebuildIndexes: true,
    groupSections: true,
    removeGrouping: true,
    listByType: true,
    listDocumentsByType: true,
    disconnect: true,
  };
  assert.deepEqual(METHODS.toSorted(), Object.keys(methods).sort());
  for (const { tool, args } of ROUTES) {
    const result = await mcp.handleToolCall(client, tool, args);
    assert.equal(result.isError, undefined, `${tool}: ${textsOf(result)}`);
  }
  const called = new Set(calls.map(([method]) => method));
  assert.deepEqual(METHODS.filter((method) => !called.has(method)), ["disconnect"]);
});

const kbid = SKILL.kbid;
const skill = { name: "explain", description: "Explains", body: "Explain {{ topic }}." };
const agent = { name: "clerk", description: "Answers", persona: "You are a clerk." };

/** Tools, what they are called with, and the calls that they make. */
const ROUTES: {
  tool: string;
  args: Record<string, unknown>;
  makes: string[];
  cites?: string[];
}[] = [
  { tool: "search", args: { query: "x" }, makes: ["search"] },
  { tool: "learn", args: { content: "x" }, makes: ["addSection"] },
  { tool: "unlearn", args: { kbid }, makes: ["removeSection"] },
  { tool: "retrieve", args: { kbid }, makes: ["readSections"] },
  { tool: "retrieve", args: { docid: AGENT.docid }, makes: ["retrieveDocument"] },
  { tool: "recall", args: { kbid }, makes: ["recall"] },
  { tool: "content", args: { ids: [kbid] }, makes: ["content"] },
  { tool: "status", args: {}, makes: ["dbStatus"] },
  { tool: "check", args: {}, makes: ["integrityCheck"] },
  { tool: "gc", args: {}, makes: ["gc"] },
  { tool: "rebuild", args: {}, makes: ["rebuildIndexes"] },
  {
    tool: "skill-learn",
    args: skill,
    makes: ["addSection"],
    cites: ["tool-skill-learn-07", "func-call-12", "func-skill-2"],
  },
  {
    tool: "skill-list",
    args: {},
    makes: ["listByType"],
    cites: ["tool-skill-list-01", "func-call-13", "func-skill-3"],
  },
  {
    tool: "skill-get",
    args: { kbid },
    makes: ["readSections"],
    cites: ["tool-skill-get-06", "func-call-14"],
  },
  { tool: "skill-get", args: { name: "explain" }, makes: ["listByType"], cites: ["func-skill-4"] },
  {
    tool: "skill-delete",
    args: { kbid },
    makes: ["removeSection"],
    cites: ["tool-skill-delete-04", "func-call-15", "func-skill-5"],
  },
  {
    tool: "agent-create",
    args: { ...agent, skills: [kbid] },
    makes: ["groupSections"],
    cites: ["tool-agent-create-06", "func-call-16"],
  },
  {
    tool: "agent-list",
    args: {},
    makes: ["listDocumentsByType"],
    cites: ["tool-agent-list-01", "func-call-17", "func-agent-2"],
  },
  {
    tool: "agent-get",
    args: { docid: AGENT.docid },
    makes: ["retrieveDocument", "readSections"],
    cites: ["tool-agent-get-05", "func-call-18", "func-agent-3"],
  },
  {
    tool: "agent-delete",
    args: { docid: AGENT.docid },
    makes: ["removeGrouping"],
    cites: ["tool-agent-delete-04", "func-call-19", "func-agent-5"],
  },
];

for (const { tool, args, makes } of ROUTES) {
  test(`${tool} ${Object.keys(args)} calls ${makes.join(", then ")}`, async () => {
    const { client, calls } = fakeWorkerClient();
    await mcp.handleToolCall(client, tool, args);
    assert.deepEqual(calls.map(([method]) => method), makes);
  });
}

test("a skill goes to the client as JSON of type skill, an agent as a group [func-skill-2 tool-agent-create-06]", async () => {
  const { client, calls } = fakeWorkerClient();
  await mcp.handleSkillLearn(skill, client);
  const [, given] = calls[0] as [string, { sectionType: string; content: string }];
  assert.equal(given.sectionType, "skill");
  assert.deepEqual(mcp.parseSkillContent(given.content), {
    ...skill,
    arguments: [{ name: "topic", required: true }],
  });
  await mcp.handleAgentCreate({ ...agent, skills: [kbid] }, client);
  assert.deepEqual(calls[1], ["groupSections", { type: "agent", sections: [kbid], agent }]);
});

test("single handlers answer as the tools do [func-agent-4]", async () => {
  const { client } = fakeWorkerClient();
  const pairs = [
    [await mcp.handleRecall({ kbid }, client), "recall", { kbid }],
    [await mcp.handleSkillLearn(skill, client), "skill-learn", skill],
    [await mcp.handleSkillList(client), "skill-list", {}],
    [await mcp.handleSkillGet({ kbid }, client), "skill-get", { kbid }],
    [await mcp.handleSkillDelete({ kbid }, client), "skill-delete", { kbid }],
    [await mcp.handleAgentCreate({ ...agent, skills: [] }, client), "agent-create", {
      ...agent,
      skills: [],
    }],
    [await mcp.handleAgentList(client), "agent-list", {}],
    [await mcp.handleAgentGet({ docid: AGENT.docid }, client), "agent-get", { docid: AGENT.docid }],
    [await mcp.handleAgentDelete({ docid: AGENT.docid }, client), "agent-delete", {
      docid: AGENT.docid,
    }],
  ] as const;
  for (const [result, tool, args] of pairs) {
    assert.deepEqual(result, await mcp.handleToolCall(client, tool, args), tool);
  }
  const { skills } = JSON.parse(textsOf(pairs[7][0])[0]);
  assert.deepEqual(skills, [
    { kbid, name: "explain", position: 0 },
    { kbid: "2".repeat(26), name: null, position: 1 },
  ]);
});

test("arguments are looked at before anything is stored [func-skill-1]", async () => {
  const { client, calls } = fakeWorkerClient();
  const wrong = [{}, { body: "" }, { name: {} }, { name: "No name" }, { arguments: [{ x: 1 }] }];
  for (const args of wrong.map((one, i) => i === 0 ? one : { ...skill, ...one })) {
    assert.equal((await mcp.handleSkillLearn(args, client)).isError, true);
  }
  const { persona: _, ...incomplete } = agent;
  assert.equal((await mcp.handleAgentCreate({ ...incomplete, skills: [] }, client)).isError, true);
  assert.equal((await mcp.handleAgentCreate({ ...agent, skills: [{}] }, client)).isError, true);
  assert.equal(
    (await mcp.handleAgentCreate({ ...agent, name: "A", skills: [] }, client)).isError,
    true,
  );
  assert.deepEqual(calls, []);
});

test("parseSkillContent() reads what serializeSkillContent() writes, and refuses the rest [func-skill-content-1 func-skill-content-2 func-skill-content-3 func-skill-content-4 missed-module-2]", () => {
  const whole = { ...skill, arguments: [{ name: "topic", description: "What", required: false }] };
  assert.deepEqual(mcp.parseSkillContent(mcp.serializeSkillContent(whole)), whole);
  for (const key of ["name", "description", "body"]) {
    const { [key]: _, ...rest } = skill as Record<string, unknown>;
    assert.throws(() => mcp.parseSkillContent(JSON.stringify(rest)), new RegExp(key));
  }
  for (const text of ["", "{", "[]", "null", '"x"']) {
    assert.throws(() => mcp.parseSkillContent(text), SyntaxError, text);
  }
});

test("createPromptDefinitions() takes skills, and agents or none [func-prompts-1 func-prompts-2 missed-module-3]", () => {
  const explain = {
    name: "explain",
    description: "Explains",
    arguments: [{ name: "topic", required: true }],
  };
  const other = { ...SKILL, kbid: "4".repeat(26), sectionType: "text/markdown", content: "# No" };
  assert.deepEqual(mcp.createPromptDefinitions([SKILL, SKILL, other]), [explain]);
  assert.deepEqual(mcp.createPromptDefinitions([SKILL], [agent]), [
    explain,
    { name: "agent:clerk", description: "Answers", arguments: [] },
  ]);
});

test("handlePromptGet() takes name, arguments and client [func-prompt-1 func-prompt-2 func-prompt-3]", async () => {
  const { client } = fakeWorkerClient();
  const text = (text: string) => ({ type: "text", text });
  assert.deepEqual(await mcp.handlePromptGet("explain", { topic: "herons" }, client), [
    { role: "user", content: text("Explain herons.") },
  ]);
  assert.deepEqual(await mcp.handlePromptGet("agent:clerk", {}, client), [
    { role: "assistant", content: text("You are a clerk.") },
    { role: "user", content: text("Available skills:\n- explain: Explains") },
  ]);
});

test("handleResourceRead() reads by the form of the address [func-read-1 func-read-2 func-read-3]", async () => {
  const { client, calls } = fakeWorkerClient();
  await mcp.handleResourceRead(client, `kbdb://section/${kbid}`);
  await mcp.handleResourceRead(client, `kbdb://document/${AGENT.docid}`);
  assert.deepEqual(calls.map(([method]) => method), [
    "readSections",
    "retrieveDocument",
    "readSections",
  ]);
  for (const uri of ["http://x/y", "kbdb://section/", "kbdb://other/1", "", "kbdb:section/1"]) {
    await assert.rejects(mcp.handleResourceRead(client, uri), {
      code: mcp.RESOURCE_NOT_FOUND,
      data: { uri },
    });
  }
});

test("handleCompletion() completes prompts and addresses [func-completion-1 func-completion-2]", async () => {
  const client = {
    ...fakeWorkerClient().client,
    kbidsFrom: (prefix: string) => Promise.resolve({ ids: [`${prefix}a`], total: 1 }),
    docidsFrom: (prefix: string) => Promise.resolve({ ids: [`${prefix} b`], total: 1 }),
  };
  const values = async (ref: mcp.McpCompletionRef) =>
    (await mcp.handleCompletion(ref, undefined, client)).completion.values;
  assert.deepEqual(await values({ type: "ref/prompt", name: "" }), ["explain", "agent:clerk"]);
  assert.deepEqual(await values({ type: "ref/prompt", name: "ag" }), ["agent:clerk"]);
  assert.deepEqual(await values({ type: "ref/resource", uri: "kbdb://section/12" }), [
    "kbdb://section/12a",
  ]);
  assert.deepEqual(await values({ type: "ref/resource", uri: "kbdb://document/h" }), [
    "kbdb://document/h%20b",
  ]);
});

test("the templates are those of the page [func-templates-1 func-templates-2]", () => {
  const templates = mcp.createResourceTemplates().map(({ uriTemplate, mimeType }) => ({
    uriTemplate,
    mimeType,
  }));
  assert.deepEqual(templates, [
    { uriTemplate: "kbdb://section/{kbid}", mimeType: "text/plain" },
    { uriTemplate: "kbdb://document/{docid}", mimeType: "application/json" },
  ]);
});

test("only the protocol's own folder imports the SDK, and nothing reaches past the client [ruling-d30-1 server-design-2]", () => {
  for (const file of projectFiles("src/mcp", ".ts").filter((one) => !one.endsWith("_test.ts"))) {
    const imports = readImports(parse(file, readProjectFile(file))).map(({ specifier = "" }) =>
      specifier
    );
    const usesSdk = imports.some((name) => name.startsWith("@modelcontextprotocol/"));
    assert(!usesSdk || file.startsWith("src/mcp/protocol/"), file);
    assert(!imports.some((name) => /\/(knowledge|store|core|daemon)\//.test(name)), file);
  }
});
