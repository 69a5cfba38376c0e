/**
 * The table of commands. The file of a command is loaded when it is named, so that a start does not
 * pay for the others.
 *
 * @module
 */

import type { CommandBody, CommandRow } from "./command.ts";

const agent = file(() => import("./commands/agent.ts"));
const check = file(() => import("./commands/check.ts"));
const content = file(() => import("./commands/content.ts"));
const dbInit = file(() => import("./commands/db_init.ts"));
const evaluation = file(() => import("./commands/eval.ts"));
const gc = file(() => import("./commands/gc.ts"));
const learn = file(() => import("./commands/learn.ts"));
const list = file(() => import("./commands/list.ts"));
const mcp = file(() => import("./commands/mcp.ts"));
const rebuild = file(() => import("./commands/rebuild.ts"));
const recall = file(() => import("./commands/recall.ts"));
const retrieve = file(() => import("./commands/retrieve.ts"));
const revise = file(() => import("./commands/revise.ts"));
const search = file(() => import("./commands/search.ts"));
const skill = file(() => import("./commands/skill.ts"));
const skillInstall = file(() => import("./commands/skill_install.ts"));
const status = file(() => import("./commands/status.ts"));
const trash = file(() => import("./commands/trash.ts"));
const unlearn = file(() => import("./commands/unlearn.ts"));
const watch = file(() => import("./commands/watch.ts"));
const worker = file(() => import("./commands/worker.ts"));

/** Commands of one subject, under their heading in the help. */
export interface CommandGroup {
  readonly title: string;
  readonly rows: readonly CommandRow[];
}

/** All commands, in the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  group("Store", [
    ["db init", "Make a new database", dbInit("dbInit")],
    ["learn", "Store files, folders or standard input (-)", learn("learn")],
    ["revise", "Put a corrected text in a section's place", revise("revise")],
  ]),
  group("Find and read", [
    ["search", "Find sections or documents, best first", search("search")],
    ["recall", "Show sections and what belongs to them", recall("recall")],
    ["content", "Compose sections and documents into one text", content("content")],
    ["retrieve", "Show a section or a document as it is stored", retrieve("retrieve")],
    ["history", "List the revisions of a section", revise("history")],
    ["list documents", "List documents", list("listDocuments")],
    ["list sections", "List sections", list("listSections")],
    ["list tags", "List tags and how many sections have them", list("listTags")],
    ["watch", "Print changes as they happen", watch("watch")],
  ]),
  group("Remove and bring back", [
    ["unlearn", "Move sections or documents to the trash", unlearn("unlearn")],
    ["gc", "Move what nothing needs any more to the trash", gc("gc")],
    ["trash", "List what lies in the trash", trash("trash")],
    ["trash empty", "Remove for good what lies in the trash", trash("trashEmpty")],
    ["restore", "Bring things back from the trash", trash("restore")],
  ]),
  group("Skills and agents", [
    ["skill learn", "Store a skill: a prompt with placeholders", skill("skillLearn")],
    ["skill list", "List skills", skill("skillList")],
    ["skill get", "Show a skill", skill("skillGet")],
    ["skill render", "Print a skill with values in place", skill("skillRender")],
    ["skill delete", "Move a skill to the trash", skill("skillDelete")],
    ["skill install", "Store skills that come with kbdb", skillInstall("skillInstall")],
    ["agent create", "Store an agent: a persona with skills", agent("agentCreate")],
    ["agent list", "List agents", agent("agentList")],
    ["agent get", "Show an agent", agent("agentGet")],
    ["agent delete", "Move an agent to the trash; its skills stay", agent("agentDelete")],
  ]),
  group("Serve agents", [
    ["mcp", "Serve an agent host over standard input and output", mcp("mcp")],
    ["mcp instructions", "Print what the server tells the agent", mcp("mcpInstructions")],
  ]),
  group("Look after", [
    ["status", "Show counts, sizes and faults", status("status")],
    ["check", "Verify every stored file", check("check")],
    ["rebuild", "Make the index again from the stored files", rebuild("rebuild")],
    ["eval", "Measure whether known answers are found", evaluation("evaluation")],
    ["worker status", "Tell whether a daemon serves the database", worker("workerStatus")],
    ["worker stop", "Ask the daemon to finish and leave", worker("workerStop")],
  ]),
];

/** All commands. */
export const COMMANDS: readonly CommandRow[] = GROUPS.flatMap(({ rows }) => rows);

type Loader = CommandRow["load"];

/** Those exports of a file that are commands. */
type CommandsIn<Exports> = {
  [Name in keyof Exports]: Exports[Name] extends CommandBody ? Name : never;
}[keyof Exports];

/** A file of commands: gives what loads one of them, by the name that it is exported under. */
function file<Exports>(load: () => Promise<Exports>): (name: CommandsIn<Exports>) => Loader {
  return (name) => async () => (await load())[name] as CommandBody;
}

function group(
  title: string,
  entries: readonly (readonly [name: string, summary: string, load: Loader])[],
): CommandGroup {
  return { title, rows: entries.map(([name, summary, load]) => ({ name, summary, load })) };
}
