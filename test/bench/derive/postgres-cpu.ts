import { readdirSync, readFileSync } from "node:fs";
import type { Queries } from "../../../server/base/storage/database.ts";

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** CPU time of a database server so far, ended processes included. 0 if it runs on another machine. */
export async function postgresCpuMs(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = statOf(String(row?.pid))?.parent;
  if (parent === undefined) return 0;
  const stats = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? [statOf(pid)] : []));
  return stats.reduce((sum, stat) => {
    if (stat?.parent === parent) return sum + stat.ms;
    return stat?.pid === parent ? sum + stat.ms + stat.endedMs : sum;
  }, 0);
}

interface Stat {
  readonly pid: string;
  readonly parent: string;
  readonly ms: number;
  /** CPU time of ended children. */
  readonly endedMs: number;
}

/** `man 5 proc_pid_stat`. Fields are counted after the name, which may contain blanks. */
function statOf(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = (index: number): number => Number(fields[index]) * tickMs;
  return {
    pid,
    parent: fields[1] ?? "",
    ms: ticks(11) + ticks(12),
    endedMs: ticks(13) + ticks(14),
  };
}
