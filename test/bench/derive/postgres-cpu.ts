import { readdirSync } from "node:fs";
import type { Queries } from "../../../server/base/storage/database.ts";
import { processCpu } from "../process-cpu.ts";

/** CPU time of a database server so far, ended processes included. 0 if it runs on another machine. */
export async function postgresCpuMs(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = processCpu(row?.pid)?.parent;
  const server = parent === undefined ? undefined : processCpu(parent);
  if (server === undefined) return 0;
  const backends = readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => processCpu(pid) ?? [])
    .filter((cpu) => cpu.parent === parent);
  return backends.reduce((sum, { ms }) => sum + ms, server.ms + server.endedMs);
}
