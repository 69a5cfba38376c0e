/**
 * Results for tests.
 *
 * @module
 */

import { type Measurement, measurement, type ResultFile } from "./result_file.ts";

/** A measurement of ten runs of which the slowest took so long, or of the given samples. */
export function measured(
  name: string,
  samples: number | number[],
  more: Partial<Measurement> = {},
): Measurement {
  const [operation, variant] = name.split("/");
  const about = { operation, variant, wasm_memory_bytes: 4194304, daemon_rss_bytes: 52428800 };
  const list = typeof samples === "number"
    ? Array.from({ length: 10 }, (_, i) => samples * (i + 1) / 10)
    : samples;
  return { ...measurement(about, list), ...more };
}

/** A result of the size `small` on a made-up machine, changed as told. */
export function resultOf(
  results: Measurement[],
  more: Partial<ResultFile> = {},
): ResultFile {
  return {
    timestamp: "2026-06-23T10:00:00Z",
    platform: "linux-x86_64",
    runtime: "deno-2",
    corpus_size: "small",
    results,
    index_sizes: {
      terms_idx_bytes: 1048576,
      positions_idx_bytes: 524288,
      corpus_dat_bytes: 65536,
      vectors_idx_bytes: null,
    },
    sections: 1000,
    seed: 42,
    database: "fresh",
    kbdb_version: "0.1.0",
    core_bytes: 1300000,
    machine: {
      cpu: "Example CPU",
      cores: 2,
      memory_bytes: 8e9,
      os: "Linux 6.1",
      runtime_version: "2.9.6",
      load: 0.5,
    },
    ...more,
  };
}
