/**
 * The thread that builds and merges: it reads the database's files by itself, in memory of its own,
 * and answers the calls of who started it.
 *
 * @module
 */

import { checksum } from "../../core/text.ts";
import type { Files, ThreadPort } from "../../platform/types.ts";
import { toKbdbError } from "../../rpc/errors.ts";
import { DocumentStore } from "../../store/document_store.ts";
import { IndexFiles } from "../../store/index_files.ts";
import type { Generation } from "../../store/index_generation.ts";
import { DatabasePaths } from "../../store/paths.ts";
import { FileSectionStore } from "../../store/section_store.ts";
import type { Truth } from "./fill.ts";
import { IndexBuild } from "./build.ts";
import type { IndexCalls, IndexReply, IndexRequest, IndexTask, KeptSegment } from "./calls.ts";
import { mergeSegments } from "./merge.ts";

/** Answers calls until the thread is ended. */
export async function serveIndexCalls(files: Files, port: ThreadPort): Promise<never> {
  const server = new IndexServer(files, port);
  while (true) {
    const request = await port.receive() as IndexRequest;
    await server.answer(request);
  }
}

class IndexServer {
  #task: IndexTask | null = null;
  #build: IndexBuild<KeptSegment> | null = null;

  constructor(private readonly files: Files, private readonly port: ThreadPort) {}

  async answer(request: IndexRequest): Promise<void> {
    try {
      const result = await this.#run(request);
      this.#reply({ result }, buffersOf(result));
    } catch (error) {
      this.#reply({ error: toKbdbError(error).toJSON() });
    }
  }

  async #run(request: IndexRequest): Promise<IndexCalls[keyof IndexCalls]["result"]> {
    switch (request.call) {
      case "open":
        this.#task = request.params;
        return null;
      case "fill":
        this.#build = this.#newBuild();
        return await this.#build.fill((done, total) => this.#reply({ done, total }));
      case "apply":
        await this.#build!.apply(request.params);
        return null;
      case "finish":
        return this.#build!.finish();
      case "merge":
        return mergeSegments(this.#generation()!, request.params);
    }
  }

  #newBuild(): IndexBuild<KeptSegment> {
    const generation = this.#generation();
    const { root, language, size } = this.#task!;
    return new IndexBuild(filesOf(this.files, new DatabasePaths(root)), {
      language,
      size,
      keep: ({ terms, positions, corpus }) => {
        if (generation === null) return { bytes: { terms, corpus } };
        return { entry: generation.write(generation.takeNumber(), { terms, positions, corpus }) };
      },
      // Nobody waits for a turn here.
      pause: () => {},
    });
  }

  #generation(): Generation | null {
    const { root, generation } = this.#task!;
    if (generation === null) return null;
    const indexFiles = new IndexFiles(this.files, { paths: new DatabasePaths(root), checksum });
    return indexFiles.open(generation, "");
  }

  #reply(reply: IndexReply, transfer: ArrayBuffer[] = []): void {
    this.port.post(reply, transfer);
  }
}

/** What lies on disk, for who knows no journal. */
function filesOf(files: Files, paths: DatabasePaths): Truth {
  const sections = new FileSectionStore(files, paths);
  const documents = new DocumentStore(files, paths);
  return {
    allDocuments: () => documents.all(),
    listSections: () => sections.list(),
    readSection: (kbid) => sections.read(kbid),
  };
}

/** Segments are moved to the other side, not copied. */
function buffersOf(result: IndexCalls[keyof IndexCalls]["result"]): ArrayBuffer[] {
  if (!Array.isArray(result)) return [];
  const segments = result as IndexCalls["finish"]["result"];
  return segments.flatMap(({ segment }) => {
    if (segment === null || !("bytes" in segment)) return [];
    return [segment.bytes.terms.buffer, segment.bytes.corpus.buffer] as ArrayBuffer[];
  });
}
