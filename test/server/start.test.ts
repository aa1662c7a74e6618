import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../support/program.ts";

test("npm start builds what was not built at the installation, once, and says so", () => {
  using place = folder({
    "esbuild.config.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("dist");
writeFileSync("dist/platform.js", "console.log(process.argv.slice(2).join())");
console.log("built");`,
    "package.json": '{ "type": "module" }',
  });
  const script = join(place.path, "start.mjs");
  copyFileSync(join(import.meta.dirname, "../../start.mjs"), script);
  const start = (): string =>
    execFileSync("sh", ["-c", `"${process.execPath}" "${script}" --json 2>&1`], {
      encoding: "utf8",
      cwd: "/",
    });
  expect(start()).toBe("platform: dist/ is not there and is built, this once\nbuilt\n--json\n");
  expect(start()).toBe("--json\n");
});
