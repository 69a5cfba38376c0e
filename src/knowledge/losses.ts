/**
 * What is stored and cannot be used as it is: named in answers to `status` and `check` until it is
 * whole again.
 *
 * @module
 */

/** More are counted, not named. */
const NAMED = 50;

/** Sentences about sections and manifests, one each. */
export class Losses {
  readonly #sentences = new Map<string, string>();

  /** A section is left out of searches and answers. */
  loseSection(kbid: string, reason: string): void {
    this.#sentences.set(kbid, `Section ${kbid} is left out: ${reason}. Run: kbdb check`);
  }

  /** A manifest counts as it was before. */
  doubtManifest(name: string, reason: string): void {
    const sentence = `documents/${name} counts as it was before: ${reason}. Run: kbdb check`;
    this.#sentences.set(name, sentence);
  }

  /** What a folder holds counts as it was before. */
  doubtFolder(name: string, reason: string): void {
    this.#sentences.set(name, `${name} could not be looked through: ${reason}`);
  }

  /** The section, manifest or folder is whole, or is not asked for any more. */
  forget(id: string): void {
    this.#sentences.delete(id);
  }

  /** Everything was looked at anew. */
  clear(): void {
    this.#sentences.clear();
  }

  /** For people. */
  get sentences(): string[] {
    const all = [...this.#sentences.values()];
    const more = all.length - NAMED;
    if (more <= 0) return all;
    return [...all.slice(0, NAMED), `${more} more files cannot be used. Run: kbdb check`];
  }
}
