#!/usr/bin/env node
// What `npx platform` runs. npm links commands before it builds, so this file must exist before the build.
import { existsSync } from "node:fs";

const program = new URL("dist/platform.js", import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('platform: server/dist/ is missing; run "npm run build" in the repository first\n');
  process.exitCode = 2;
}
