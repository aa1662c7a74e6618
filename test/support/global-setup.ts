import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds dist/ once for a run, so that tests of the program never see an old one. */
export function setup(): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  execFileSync(process.execPath, ["esbuild.config.mjs"], { cwd: root, stdio: "inherit" });
}
