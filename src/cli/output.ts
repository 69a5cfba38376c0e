/**
 * What a person or a script sees: results on standard output, everything else on standard error.
 *
 * @module
 */

import type { Terminal } from "../platform/types.ts";
import type { Progress } from "../rpc/protocol.ts";
import { toolResult } from "../rpc/results.ts";

/** How output is shaped. */
export interface OutputOptions {
  /** `mcp`: a tool result as the MCP server gives it (D36). */
  readonly format: "text" | "json" | "mcp";
  readonly quiet: boolean;
  readonly color: boolean;
  /** Name of the MCP tool that does what the command does. */
  readonly tool: string;
}

const PROGRESS_MS = 100;
const ESCAPE = "\x1b";
/** Control characters of a text that would act on the terminal; line ends and tabs are fine. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Those that JSON leaves as they are; some terminals obey them like escape sequences. */
const BEYOND_ASCII_CONTROL = /[\x7f-\x9f]/g;
/** Characters that turn the direction of writing, so that a line reads other than it is. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Prints results, notes and progress. */
export class Output {
  #progressAt = -Infinity;
  #progressShown = false;

  constructor(private readonly terminal: Terminal, readonly options: OutputOptions) {}

  /** The shape that was asked for. */
  get format(): OutputOptions["format"] {
    return this.options.format;
  }

  /** A result: `json` as such or as a tool result, or what `text` makes for a person. */
  async result(json: unknown, text: () => string): Promise<void> {
    this.#clearProgress();
    const { format, tool } = this.options;
    const shown = format === "text"
      ? text()
      : printableJson(format === "json" ? json : toolResult(tool, json), 2);
    await this.terminal.writeOut(shown);
  }

  /** Whether somebody looks at the results, rather than a file or a program. */
  get isSeen(): boolean {
    return this.terminal.outputIsTerminal();
  }

  /** A part of a result, written as it comes; resolves to `false` where nobody reads on. */
  async part(data: string | Uint8Array): Promise<boolean> {
    this.#clearProgress();
    return await this.terminal.writeOut(data);
  }

  /** One of many results, on a line of its own; resolves to `false` where nobody reads on. */
  async line(json: unknown, text: () => string): Promise<boolean> {
    return await this.part(this.format === "text" ? text() : printableJson(json, 0));
  }

  /**
   * Stored text that is the whole of a result: in a file or a pipe exactly what is stored, on a
   * terminal with what would act on it made visible.
   */
  stored(text: string): string {
    return this.isSeen ? visible(text) : text;
  }

  /** A remark that is no result. */
  note(sentence: string): void {
    if (this.options.quiet) return;
    this.#clearProgress();
    this.terminal.writeError(`${visibleLine(sentence)}\n`);
  }

  /** Something that went wrong. */
  error(sentence: string): void {
    this.#clearProgress();
    this.terminal.writeError(`kbdb: ${visibleLine(sentence)}\n`);
  }

  /** One line that is written over; only on a terminal. */
  progress(progress: Progress): void {
    if (this.options.quiet || !this.terminal.errorIsTerminal()) return;
    const now = performance.now();
    if (now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    this.#progressShown = true;
    const { done, total, message } = progress;
    const share = total ? ` ${Math.floor((100 * done) / total)} %` : "";
    const line = visibleLine(`${message}${share}`).slice(0, this.terminal.columns() - 1);
    this.terminal.writeError(`\r${line}${ESCAPE}[K`);
  }

  dim(text: string): string {
    return this.#styled(text, "2");
  }

  bold(text: string): string {
    return this.#styled(text, "1");
  }

  #styled(text: string, code: string): string {
    return this.options.color ? `${ESCAPE}[${code}m${text}${ESCAPE}[0m` : text;
  }

  /** Takes away a line of progress that is still there. */
  end(): void {
    this.#clearProgress();
  }

  #clearProgress(): void {
    if (!this.#progressShown) return;
    this.#progressShown = false;
    this.terminal.writeError(`\r${ESCAPE}[K`);
  }
}

/** JSON in which what would act on a terminal is escaped; it reads back as the same value. */
export function printableJson(json: unknown, indent: number): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(json, null, indent).replace(BEYOND_ASCII_CONTROL, escaped);
  return `${text.replace(TURNING, escaped)}\n`;
}

/** A stored text of one line, such as a title; a line end in it must not begin a line of ours. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\u240a");
}

/** A stored text as it may be shown: what would act on the terminal is made visible. */
export function visible(text: string): string {
  const shown = text.replace(CONTROL, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\u2421";
  });
  return shown.replace(
    TURNING,
    (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase()}>`,
  );
}
