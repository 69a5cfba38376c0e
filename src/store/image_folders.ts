/**
 * Which ids are images, as far as it is known: looking for a file that is not there is slow, and for
 * every new text somebody would look for an image in vain.
 *
 * @module
 */

import type { Files } from "../platform/types.ts";
import { isThereAt, type SectionPlace } from "./section_files.ts";

/** After so many looks in vain, listing the folder once is cheaper. */
const LOOKS = 16;
const ENDING = ".toml";

/**
 * The images in each folder of sections. An image that somebody else brings is noticed with the next
 * list of all sections (D47).
 */
export class ImageFolders {
  readonly #images = new Map<string, Set<string>>();
  readonly #looks = new Map<string, number>();

  constructor(private readonly files: Files) {}

  /** Whether an image may lie under an id: if not, nobody needs to look. */
  mayHold({ folder, kbid }: SectionPlace): boolean {
    const looks = 1 + (this.#looks.get(folder) ?? 0);
    this.#looks.set(folder, looks);
    if (looks === LOOKS && !this.#images.has(folder)) this.#list(folder);
    if (looks === 1 && !isThereAt(this.files, folder)) this.made(folder);
    return this.#images.get(folder)?.has(kbid) ?? true;
  }

  /** The folder was made: nothing is in it. */
  made(folder: string): void {
    this.#images.set(folder, new Set());
  }

  /** An image was stored. */
  stored({ folder, kbid }: SectionPlace): void {
    this.#images.get(folder)?.add(kbid);
  }

  /** The folder was listed. */
  listed(folder: string, names: readonly string[]): void {
    const images = names.filter((name) => name.endsWith(ENDING));
    this.#images.set(folder, new Set(images.map((name) => name.slice(0, -ENDING.length))));
  }

  #list(folder: string): void {
    try {
      this.listed(folder, this.files.list(folder).map(({ name }) => name));
    } catch {
      // Then it stays unknown, and whoever asks has to look.
    }
  }
}
