/** CPU time of processes as Linux counts it: `man 5 proc_pid_stat`. */
import { readFileSync } from "node:fs";

export interface ProcessCpu {
  /** Id of the parent process. */
  readonly parent: string;
  /** User and system time, in milliseconds. */
  readonly ms: number;
  /** The same of all ended child processes and their children. */
  readonly endedMs: number;
}

/** A tick is 10 ms on every Linux that Node supports. */
const tickMs = 10;

/** Returns undefined if the process has ended, and on other systems. */
export function processCpu(pid: number | string | undefined): ProcessCpu | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The fields before these are the id and the name, which may contain blanks.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const sum = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) * tickMs;
  return { parent: fields[1] ?? "", ms: sum(11), endedMs: sum(13) };
}
