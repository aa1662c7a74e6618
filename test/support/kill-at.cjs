// Loaded into a program before it starts: kills it just before its nth change of the file system. Without KILL_AT it counts them.
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const killAt = Number(process.env.KILL_AT ?? Number.POSITIVE_INFINITY);
let changes = 0;

for (const name of ["writeFileSync", "renameSync", "rmSync", "rmdirSync", "mkdirSync"]) {
  const real = fs[name];
  fs[name] = (...args) => {
    changes++;
    if (changes === killAt) process.kill(process.pid, "SIGKILL");
    return real(...args);
  };
}
syncBuiltinESMExports();
if (process.env.KILL_AT === undefined) process.on("exit", () => process.stderr.write(`changes ${changes}\n`));
