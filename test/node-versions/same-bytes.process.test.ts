/** The same schema gives the same bytes on every version of Node.js, in any locale, however folders are listed. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program } from "../support/program.ts";

const execute = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

const locales = [
  { LC_ALL: "C", TZ: "UTC" },
  { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Asia/Kolkata" },
  { LC_ALL: "sv_SE.UTF-8", LANG: "sv_SE.UTF-8", TZ: "America/St_Johns" },
];

let folder: string;
let expected: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-node-"));
  cpSync(join(root, "schema"), join(folder, "schema"), { recursive: true });
  const targets = "types,errors,client,server,validators,json,openapi".split(",");
  const schemas = ["platform", "records"].map((name) => ({
    name,
    entry: `schema/${name}.ridl`,
    out: `out/${name}`,
    templates: "templates",
    ...(name === "platform" ? { targets } : {}),
  }));
  writeFileSync(join(folder, "ridlkit.config.json"), JSON.stringify({ schemas }));
  for (const name of ["b", "ä", "Z", "a"]) {
    mkdirSync(join(folder, "templates", name), { recursive: true });
    writeFileSync(join(folder, "templates", name, "list.md.hbs"), "{{#each types}}{{name}}\n{{/each}}");
  }
  expected = await generated({ node: process.execPath, env: {}, flags: [] });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("something is generated", () => {
  expect(expected.size).toBeGreaterThan(12);
});

describe.each(["this", "20", "22", "24"])("Node.js %s", (version) => {
  const node = version === "this" ? process.execPath : `${here}node_modules/node-${version}/bin/node`;
  // Installed by .ci/run: `npm ci --prefix test/node-versions`.
  const isSkipped = !existsSync(node) && process.env["CI"] !== "true";

  test.skipIf(isSkipped).each(locales)("in the locale %j", async (env) => {
    expect(await generated({ node, env, flags: [] })).toEqual(expected);
  });

  test.skipIf(isSkipped)("with folders in another order", async () => {
    const flags = ["--require", `${here}reversed-folders.cjs`];
    expect(await generated({ node, env: {}, flags })).toEqual(expected);
  });

  test.skipIf(isSkipped)("finds what another version wrote up to date", async () => {
    const { stdout } = await execute(node, [program, "check"], { cwd: folder });
    expect(stdout).toMatch(/^out\/platform: up to date, .*\nout\/records: up to date, .*\n$/);
  });
});

/** Hash of each file, the manifests too, of a run into an empty folder. */
async function generated(how: {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}): Promise<ReadonlyMap<string, string>> {
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  await execute(how.node, [...how.flags, program, "generate"], { cwd: folder, env: { ...how.env } });
  const paths = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return new Map(
    paths.map((path) => [relative(out, path), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}
