/** What `node server/deploy/assemble.mjs` leaves behind when it fails. The image is assembled in image.process.test.ts. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../support/docs.ts";
import { folder } from "../../support/program.ts";

const repository = {
  "server/deploy/x": "",
  "package.json": '{ "workspaces": [] }',
  "package-lock.json": "{}",
  ".npmrc": "",
  "bin/npm": "#!/bin/sh\nexit 1\n",
};

function assemble(path: string): { readonly status: number | null; readonly stderr: string } {
  const script = join(path, "server/deploy/assemble.mjs");
  copyFileSync(join(root, "server/deploy/assemble.mjs"), script);
  chmodSync(join(path, "bin/npm"), 0o755);
  const env = { PATH: `${join(path, "bin")}:${process.env["PATH"]}` };
  return spawnSync(process.execPath, [script, join(path, "app")], { encoding: "utf8", env });
}

test("without a build, it writes nothing", () => {
  using place = folder(repository);
  expect(assemble(place.path)).toMatchObject({
    status: 2,
    stderr: 'assemble: server/dist/ is missing; run "npm run build" in the repository first\n',
  });
  expect(existsSync(join(place.path, "app"))).toBe(false);
});

test("if npm fails, the folder is empty, so that it can be used again", () => {
  using place = folder({ ...repository, "server/dist/platform.js": "" });
  expect(assemble(place.path)).toMatchObject({
    status: 2,
    stderr: "assemble: npm ci failed; nothing was written\n",
  });
  expect(readdirSync(join(place.path, "app"))).toEqual([]);
});
