/** `kbdb skill install`: skills that come with the program. */

import type { BuiltinSkill, SkillResult } from "../../rpc/prompts.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { type Output, visibleLine } from "../output.ts";

/** The command. */
export const skillInstall: CommandBody = {
  usage: "[NAME...]",
  details: "Without a name the skills are listed that can be stored.",
  flags: {},
  examples: [
    ["kbdb skill install", "List the skills that come with kbdb"],
    ["kbdb skill install search-and-report", "Store one of them"],
  ],
  async run({ args, output, client }) {
    if (args.length === 0) {
      const { skills } = await client().skillBuiltins();
      await output.result(skills, () => builtinsText(skills, output));
      return EXIT.ok;
    }
    const stored: SkillResult[] = [];
    for (const name of args) stored.push(await client().skillInstall(name));
    await output.result(
      stored.length === 1 ? stored[0] : stored,
      () => stored.map(({ name, kbid }) => `Stored: skill ${name} (${kbid})\n`).join(""),
    );
    return EXIT.ok;
  },
};

/** What a person sees of the skills that can be stored. */
export function builtinsText(skills: readonly BuiltinSkill[], output: Output): string {
  return skills.map(({ name, description, installed }) => {
    const state = installed ? output.dim("  (stored)") : "";
    return `${output.bold(name)}${state}  ${visibleLine(description)}\n`;
  }).join("");
}
