import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../support/program.ts";

test("npm start reports a failed build without a stack trace", () => {
  using place = folder({
    "server/build.mjs": 'console.log("no"); process.exit(1);',
    "package.json": '{ "type": "module" }',
  });
  const script = join(place.path, "start.mjs");
  copyFileSync(join(import.meta.dirname, "../../../start.mjs"), script);
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe(
    "platform: building server/dist/ for the first start\nno\nplatform: server/dist/ could not be built; nothing was started\n",
  );
  expect(status).toBe(1);
});

test("npm start builds a missing or outdated server, and reports it", () => {
  using place = folder({
    "server/build.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("server/dist", { recursive: true });
writeFileSync("server/dist/platform.js", "console.log(process.argv.slice(2).join())");
console.log("built");`,
    "package.json": '{ "type": "module" }',
  });
  const script = join(place.path, "start.mjs");
  copyFileSync(join(import.meta.dirname, "../../../start.mjs"), script);
  const start = (flag: string): string =>
    execFileSync("sh", ["-c", `"${process.execPath}" "${script}" ${flag} 2>&1`], {
      encoding: "utf8",
      cwd: "/",
    });
  expect(start("--json")).toBe("platform: building server/dist/ for the first start\nbuilt\ndemo,--json\n");
  expect(start("--json")).toBe("demo,--json\n");
  expect(start("--production")).toBe("--production\n");
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(place.path, "server/build.mjs"), later, later);
  expect(start("--json")).toBe(
    "platform: the sources have changed; building server/dist/ again\nbuilt\ndemo,--json\n",
  );
});
