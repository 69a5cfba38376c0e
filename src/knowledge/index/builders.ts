/**
 * Who builds and merges: a thread with memory of its own, which goes when it ends, or this program
 * itself, in slices, where there are no threads or there is little to do.
 *
 * @module
 */

import type { Thread } from "../../platform/types.ts";
import { toldError } from "../../rpc/errors.ts";
import type { SegmentEntry } from "../../store/index_current.ts";
import type { Generation } from "../../store/index_generation.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { FillReport, Report, Truth } from "./fill.ts";
import { type BuiltSegment, IndexBuild, type SegmentSize } from "./build.ts";
import type {
  IndexCall,
  IndexCalls,
  IndexReply,
  IndexRequest,
  IndexTask,
  KeptSegment,
  MergeOrder,
} from "./calls.ts";
import { Slices } from "../slices.ts";

/** Makes a new index of everything stored. */
export interface IndexBuilder {
  /** Takes in what is in files. */
  fill(report: Report): Promise<FillReport>;
  /** Takes in what was written after that began and is in files by now. */
  apply(records: readonly JournalRecord[]): Promise<void>;
  finish(): Promise<readonly BuiltSegment<KeptSegment>[]>;
  /** Stops it at once, and gives its memory back; fine to call twice. */
  end(): void;
}

/** A thread that builds or merges. */
export class IndexThread implements IndexBuilder {
  readonly #opened: Promise<null>;

  constructor(private readonly thread: Thread, task: IndexTask) {
    this.#opened = this.#call("open", task);
    this.#opened.catch(() => {});
  }

  async fill(report: Report): Promise<FillReport> {
    await this.#opened;
    return await this.#call("fill", null, report);
  }

  async apply(records: readonly JournalRecord[]): Promise<void> {
    await this.#call("apply", records);
  }

  finish(): Promise<readonly BuiltSegment<KeptSegment>[]> {
    return this.#call("finish", null);
  }

  /** Writes the merged segment; `null` where nothing in it lived. */
  async merge(order: MergeOrder): Promise<SegmentEntry | null> {
    await this.#opened;
    return await this.#call("merge", order);
  }

  end(): void {
    this.thread.end();
  }

  async #call<C extends IndexCall>(
    call: C,
    params: IndexCalls[C]["params"],
    report: Report = () => {},
  ): Promise<IndexCalls[C]["result"]> {
    this.thread.post({ call, params } as IndexRequest);
    while (true) {
      const reply = await this.thread.receive() as IndexReply;
      if ("error" in reply) throw toldError(reply.error);
      if ("result" in reply) return reply.result as IndexCalls[C]["result"];
      report(reply.done, reply.total);
    }
  }
}

/** A build in this program's own memory, where segments must be small. */
export class LocalBuild implements IndexBuilder {
  readonly #build: IndexBuild<KeptSegment>;
  readonly #slices = new Slices();
  #ended = false;

  constructor(
    truth: Truth,
    options: { language: string; size: SegmentSize; generation: Generation | null },
  ) {
    const { language, size, generation } = options;
    this.#build = new IndexBuild(truth, {
      language,
      size,
      keep: (segment) => {
        if (generation === null) return { bytes: segment };
        return { entry: generation.write(generation.takeNumber(), segment) };
      },
      pause: () => this.#pause(),
    });
  }

  fill(report: Report): Promise<FillReport> {
    return this.#build.fill(report);
  }

  apply(records: readonly JournalRecord[]): Promise<void> {
    return this.#build.apply(records);
  }

  finish(): Promise<readonly BuiltSegment<KeptSegment>[]> {
    return Promise.resolve(this.#build.finish());
  }

  end(): void {
    if (!this.#ended) this.#build.free();
    this.#ended = true;
  }

  async #pause(): Promise<void> {
    await this.#slices.breathe();
    if (this.#ended) throw new Error("Cannot go on with the index: it was stopped");
  }
}
