/**
 * Skills and agents in the library.
 *
 * @module
 */

import type {
  AgentDefinition,
  AgentResult,
  AgentSummary,
  BuiltinSkill,
  NewAgent,
  NewSkill,
  SkillDefinition,
  SkillResult,
  SkillSummary,
} from "../rpc/prompts.ts";
import type { Calls } from "./calls.ts";

/** Skills: reusable prompts with placeholders. */
export class Skills {
  /** Use {@linkcode Database.skills}. */
  constructor(private readonly client: Calls) {}

  /**
   * Stores a skill; of several with one name the newest stands for it.
   *
   * @throws {KbdbError} `bad_request` for a name, a body or arguments that cannot be
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.skills.learn({
   *   name: "sort-parcels",
   *   description: "Says where a parcel goes",
   *   body: "Sort the {{ colour }} parcel.",
   * });
   * assert.equal((await db.skills.get({ name: "sort-parcels" })).kbid, kbid);
   * ```
   */
  learn(skill: NewSkill): Promise<SkillResult> {
    return this.client.skillLearn(skill);
  }

  /**
   * All skills.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.skills.learn({ name: "sort", description: "Sorts", body: "Sort {{ what }}." });
   * const [{ name, argumentCount }] = await db.skills.list();
   * assert(name === "sort" && argumentCount === 1);
   * ```
   */
  async list(): Promise<SkillSummary[]> {
    return (await this.client.skillList()).skills;
  }

  /**
   * A skill by its id, or the newest of a name.
   *
   * @throws {KbdbError} `not_found` if there is none
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.skills.learn({ name: "sort", description: "Sorts", body: "Sort {{ what }}." });
   * assert.equal((await db.skills.get({ name: "sort" })).body, "Sort {{ what }}.");
   * ```
   */
  get(skill: { kbid: string } | { name: string }): Promise<SkillDefinition> {
    return this.client.skillGet(skill);
  }

  /**
   * A skill's text with values in the place of its placeholders.
   *
   * @throws {KbdbError} `not_found` if there is none, `bad_request` if a required value is missing
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.skills.learn({ name: "sort", description: "Sorts", body: "Sort {{ what }}." });
   * const text = await db.skills.render({ name: "sort" }, { what: "parcels" });
   * assert.equal(text, "Sort parcels.");
   * ```
   */
  async render(
    skill: { kbid: string } | { name: string },
    values: Record<string, string> = {},
  ): Promise<string> {
    return (await this.client.skillRender({ ...skill, arguments: values })).text;
  }

  /**
   * Takes a skill out; whether it was there. It goes to the trash.
   *
   * @throws {KbdbError} `bad_request` for the id of anything else
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.skills.learn({ name: "sort", description: "Sorts", body: "Sort {{ what }}." });
   * const { kbid } = await db.skills.get({ name: "sort" });
   * assert(await db.skills.delete(kbid));
   * ```
   */
  async delete(kbid: string): Promise<boolean> {
    return (await this.client.skillDelete(kbid)).removed;
  }

  /**
   * The skills that come with the program.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const [{ name }] = await db.skills.builtins();
   * await db.skills.install(name);
   * assert((await db.skills.list()).some((skill) => skill.name === name));
   * ```
   */
  async builtins(): Promise<BuiltinSkill[]> {
    return (await this.client.skillBuiltins()).skills;
  }

  /**
   * Stores a skill that comes with the program.
   *
   * @throws {KbdbError} `not_found` if there is none of this name
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const [{ name }] = await db.skills.builtins();
   * assert.equal((await db.skills.install(name)).name, name);
   * ```
   */
  install(name: string): Promise<SkillResult> {
    return this.client.skillInstall(name);
  }
}

/** Agents: personas with skills. */
export class Agents {
  /** Use {@linkcode Database.agents}. */
  constructor(private readonly client: Calls) {}

  /**
   * Creates an agent, or puts another in the place of the one of its name.
   *
   * @throws {KbdbError} `bad_request` for a name that cannot be, `not_found` for a skill that is not stored
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { docid } = await db.agents.create({
   *   name: "sorter",
   *   description: "Sorts parcels",
   *   persona: "You sort parcels by colour.",
   *   skills: [],
   * });
   * assert.equal(docid, "agent-sorter");
   * ```
   */
  create(agent: NewAgent): Promise<AgentResult> {
    return this.client.agentCreate(agent);
  }

  /**
   * All agents.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { docid } = await db.agents.create({
   *   name: "sorter",
   *   description: "Sorts parcels",
   *   persona: "You sort parcels by colour.",
   *   skills: [],
   * });
   * assert.equal((await db.agents.list())[0].docid, docid);
   * ```
   */
  async list(): Promise<AgentSummary[]> {
    return (await this.client.agentList()).agents;
  }

  /**
   * An agent by its docid.
   *
   * @throws {KbdbError} `not_found` if there is none
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { docid } = await db.agents.create({
   *   name: "sorter",
   *   description: "Sorts parcels",
   *   persona: "You sort parcels by colour.",
   *   skills: [],
   * });
   * assert.equal((await db.agents.get(docid)).persona, "You sort parcels by colour.");
   * ```
   */
  get(docid: string): Promise<AgentDefinition> {
    return this.client.agentGet(docid);
  }

  /**
   * Takes an agent out; whether it was there. It goes to the trash.
   *
   * @throws {KbdbError} `bad_request` for the docid of anything else
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { docid } = await db.agents.create({
   *   name: "sorter",
   *   description: "Sorts parcels",
   *   persona: "You sort parcels by colour.",
   *   skills: [],
   * });
   * assert(await db.agents.delete(docid));
   * ```
   */
  async delete(docid: string): Promise<boolean> {
    return (await this.client.agentDelete(docid)).removed;
  }
}
