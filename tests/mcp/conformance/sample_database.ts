/**
 * A database with a little of everything that MCP shows.
 *
 * @module
 */

import { type ScratchDatabase, scratchDatabase } from "../../accept/scratch.ts";
import { kbdbJson } from "../../support/command.ts";

/** Document of the sample; its text has the word `heron`. */
export const SAMPLE_DOCID = "birds";

/** Skill of the sample, with the required argument `topic`. */
export const SAMPLE_SKILL = "explain";

/** Makes a database with a document of two sections and a skill. */
export async function sampleDatabase(): Promise<ScratchDatabase> {
  const database = await scratchDatabase();
  try {
    await fill(database.path);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  return database;
}

async function fill(path: string): Promise<void> {
  const text =
    "# Heron\n\nA heron waits in shallow water.\n\n# Swift\n\nA swift sleeps in the air.\n";
  const document = ["--docid", SAMPLE_DOCID, "--title", "Birds", "--type", "text/markdown"];
  await kbdbJson(["learn", "-", ...document, "--db", path], { input: text });
  const skill = ["skill", "learn", SAMPLE_SKILL, "-", "--description", "Explains a topic"];
  await kbdbJson([...skill, "--db", path], { input: "Explain {{ topic }} in a sentence." });
}
