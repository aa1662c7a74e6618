// What `npm start` runs: the host, which is built first where `npm ci --ignore-scripts` has left that out.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(new URL("dist/platform.js", import.meta.url))) {
  process.stderr.write("platform: dist/ is not there and is built, this once\n");
  execFileSync(process.execPath, ["esbuild.config.mjs"], {
    cwd: import.meta.dirname,
    stdio: ["ignore", 2, 2],
  });
}
await import("./dist/platform.js");
