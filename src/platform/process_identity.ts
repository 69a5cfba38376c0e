/**
 * What Linux tells of a process under `/proc`, read through a function so that no runtime is named.
 *
 * @module
 */

/** Reads a small text file; throws if it cannot. */
export type ReadText = (path: string) => string;

/** The two facts of `/proc/<pid>/stat` that tell a process from another of the same id. */
export interface ProcessFacts {
  /** One letter; `Z` and `X` are ended processes that their parent has not noticed yet. */
  readonly state: string;
  /** Clock ticks from the boot of the machine to the start of the process. */
  readonly startTicks: string;
}

/** Reads the fields that count; the program's name before them may hold spaces and brackets. */
export function parseProcessFacts(stat: string): ProcessFacts | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 1).trim().split(/\s+/);
  const state = fields[0];
  // The name is field 2, so what follows it starts at field 3; the start time is field 22.
  const startTicks = fields[19];
  return state && startTicks ? { state, startTicks } : undefined;
}

/** Facts of a process; throws what `read` throws. */
export function readProcessFacts(pid: number, read: ReadText): ProcessFacts | undefined {
  return parseProcessFacts(read(`/proc/${pid}/stat`));
}

/** Whether a process with these facts still runs. */
export function isRunning(facts: ProcessFacts): boolean {
  return facts.state !== "Z" && facts.state !== "X";
}

/** Boot id and start time, or `null` if the system will not say or the process has ended. */
export function readStartIdentity(pid: number, read: ReadText): string | null {
  try {
    const facts = readProcessFacts(pid, read);
    if (!facts || !isRunning(facts)) return null;
    return `${read("/proc/sys/kernel/random/boot_id").trim()}:${facts.startTicks}`;
  } catch {
    return null;
  }
}

/** Whether `pid` can be that of a process: 0 and negative numbers mean groups to the system. */
export function isProcessId(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}
