import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Tests of the project "unit" start no process: what a person runs while working must be quick on any machine. */
function refuse(): never {
  throw new Error(
    "A unit test starts a process. Name its file *.process.test.ts, or *.chain.test.ts where it needs a local chain.",
  );
}

for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const)
  childProcess[name] = refuse as never;
syncBuiltinESMExports();
