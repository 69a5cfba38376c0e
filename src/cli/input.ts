/**
 * What a command is given to read: files, standard input where `-` asks for it, and a person's yes.
 *
 * @module
 */

import { resolve } from "node:path";
import { type CommandContext, usageError } from "./command.ts";

/** Standard input, where a word asks for it; a person at a terminal is told what is waited for. */
export async function readInput(context: CommandContext): Promise<Uint8Array> {
  const { platform, output } = context;
  if (platform.terminal.inputIsTerminal()) {
    output.note("Reading from the terminal: type the text, then end it with Ctrl-D");
  }
  return await platform.terminal.readInput();
}

/** The bytes of a file, or of standard input for `-`. */
export async function readNamed(context: CommandContext, name: string): Promise<Uint8Array> {
  const { platform } = context;
  if (name === "-") return await readInput(context);
  return platform.files.read(resolve(platform.host.cwd(), name));
}

/**
 * The text of a file, or of standard input for `-`: UTF-8, or UTF-16 with a byte order mark.
 *
 * @throws {KbdbError} `bad_request` if it is no such text
 */
export async function readText(context: CommandContext, name: string): Promise<string> {
  const bytes = await readNamed(context, name);
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    const what = name === "-" ? "standard input" : name;
    throw usageError(`Cannot read ${what}: it is no UTF-8 text. Save it as UTF-8`);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Whether a word names a file that is there. */
export function isFile({ platform }: CommandContext, name: string): boolean {
  try {
    return platform.files.stat(resolve(platform.host.cwd(), name)).kind === "file";
  } catch {
    return false;
  }
}

/**
 * Whether a person agrees to what cannot be undone. `--yes` agrees beforehand; without it a question
 * is asked at a terminal, and anything else is a refusal (D62).
 */
export async function agreed(
  context: CommandContext,
  question: () => Promise<string>,
): Promise<boolean> {
  const { platform: { terminal }, flags } = context;
  if (flags.yes === true) return true;
  const asked = await question();
  if (!terminal.inputIsTerminal() || !terminal.errorIsTerminal()) {
    throw usageError(`Cannot ask here: ${asked} Say so beforehand with --yes`);
  }
  terminal.writeError(`${asked} Type yes to go on, then Enter and Ctrl-D: `);
  const answer = new TextDecoder().decode(await terminal.readInput());
  return /^y(es)?$/i.test(answer.trim());
}
