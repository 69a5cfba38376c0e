/** `kbdb eval`: are known answers found? */

import type { EvaluationResult, MissedQuery } from "../../client/evaluation.ts";
import {
  type CommandBody,
  type CommandContext,
  countFlag,
  EXIT,
  textFlag,
  usageError,
} from "../command.ts";
import { columns, title } from "../format.ts";
import { readText } from "../input.ts";
import { type Output, visibleLine } from "../output.ts";

/** The command. */
export const evaluation: CommandBody = {
  usage: "QUERIES.jsonl",
  details:
    "Searches for queries whose answers you know, and tells how high these stand and which\n" +
    "queries missed them. A line of the file, or of standard input for -, is\n" +
    '  {"query": "blue parcels", "expected": ["handbook/parcels.md"]}\n' +
    "with kbids and docids, where any section of a document counts. tag, type and docid (lists)\n" +
    "and match narrow a query as they do in kbdb search. The exit code is 1 if a line cannot be\n" +
    "asked, or below --min-mrr.\n" +
    "\n" +
    "MRR is the mean of 1/rank of the first expected result; nDCG also counts the others, those\n" +
    "further down less; Recall is the share of all expected ids that were found.",
  flags: {
    limit: { kind: "count", value: "N", help: "Results of each query, 1 to 100 (default 10)" },
    minMrr: { kind: "text", value: "X", help: "Fail if MRR is below this number from 0 to 1" },
  },
  examples: [
    ["kbdb eval queries.jsonl", "Measure, and show the queries that missed"],
    ["kbdb eval queries.jsonl --min-mrr 0.6", "Fail a script when search got worse"],
    ["kbdb eval queries.jsonl --limit 3", "Look at the three best results only"],
    ["kbdb eval - --json < queries.jsonl", "The measures as JSON"],
  ],
  async run(context) {
    const { output, args, flags } = context;
    const least = leastMrr(textFlag(flags, "minMrr"));
    const result = await evaluated(context);
    for (const warning of result.warnings) output.note(warning);
    for (const { line, id, reason } of result.unfindable) {
      output.note(`line ${line}: ${id} ${reason}`);
    }
    await output.result(result, () => evaluationText(result, output));
    for (const { message } of result.failed) output.error(message);
    if (result.failed.length > 0) return EXIT.failure;
    if (least === undefined || result.mrr >= least) return EXIT.ok;
    output.error(`MRR of ${args[0]} is ${result.mrr}: below --min-mrr ${least}`);
    return EXIT.failure;
  },
};

async function evaluated(context: CommandContext): Promise<EvaluationResult> {
  const { args, flags, output } = context;
  if (args.length !== 1) throw usageError("Cannot evaluate: name one file of queries, or -");
  const limit = countFlag(flags, "limit") ?? 10;
  if (limit < 1 || limit > 100) throw usageError("Cannot use --limit: it goes from 1 to 100");
  const lines = (await readText(context, args[0])).split("\n");
  if (lines.every((line) => line.trim() === "")) {
    throw usageError(
      `Cannot evaluate ${args[0]}: it holds no queries. See: kbdb eval --help`,
    );
  }
  const { evaluate } = await import("../../client/evaluation.ts");
  return await evaluate(context.client(), {
    lines,
    limit,
    onProgress: (progress) => output.progress(progress),
  });
}

function leastMrr(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= 0 && value <= 1) return value;
  throw usageError(`Cannot use --min-mrr ${text}: it takes a number from 0 to 1`);
}

/** What a person sees: the queries that missed, and below them the measures. */
export function evaluationText(result: EvaluationResult, output: Output): string {
  const { queries, limit, found_at, mrr, ndcg, recall, no_result, missed, elapsed_ms } = result;
  const time = output.dim(`(${elapsed_ms} ms)`);
  const measures = columns([
    ...found_at.map(({ rank, share }) => [`found at ${rank}`, percent(share)]),
    ["MRR", mrr.toFixed(3)],
    [`nDCG@${limit}`, ndcg.toFixed(3)],
    [`Recall@${limit}`, recall.toFixed(3)],
    ["no result", percent(no_result)],
  ]);
  return [
    ...missed.flatMap((query) => missedBlock(query, output)),
    `${queries === 1 ? "1 query" : `${queries} queries`}, ${missed.length} missed ${time}`,
    ...measures.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function missedBlock({ line, query, expected, found }: MissedQuery, output: Output): string[] {
  const instead = found.map(({ kbid, heading, docids }, i) => {
    const place = docids.length > 0 ? docids.map(visibleLine).join("  ") : output.dim(kbid);
    return `  ${i + 1}. ${title(heading)}  ${place}`;
  });
  return [
    `line ${line} missed: ${output.bold(visibleLine(query))}`,
    `  expected ${expected.map(visibleLine).join(", ")}`,
    ...(instead.length > 0 ? instead : ["  nothing was found"]),
    "",
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
