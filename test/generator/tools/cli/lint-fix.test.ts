import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, ridlkit } from "../../../support/program.ts";
import { bad, good } from "../../../support/schemas.ts";

const mended = bad.replace("Kin\n", "Kind\n");
const fixable = mended.replace("Kind\n", "Kind;\n");

test("--fix mends what has a fix, says so, and shows what is left", async () => {
  using dir = folder({ "bad.ridl": fixable });
  expect(await ridlkit(["lint", "--fix", "bad.ridl"], { cwd: dir.path })).toEqual({
    code: 0,
    out: 'bad.ridl: 1 fix\n  Remove ";"\nbad.ridl: 1 method, 2 types, 0 errors, no problems\n',
    err: "",
  });
  expect(readFileSync(join(dir.path, "bad.ridl"), "utf8")).toBe(mended);
});

test("--fix is done after one run: the second one changes nothing", async () => {
  using dir = folder({ "bad.ridl": fixable });
  await ridlkit(["lint", "--fix", "bad.ridl"], { cwd: dir.path });
  const { mtimeMs } = statSync(join(dir.path, "bad.ridl"));
  const { out } = await ridlkit(["lint", "--fix", "bad.ridl"], { cwd: dir.path });
  expect(out).toBe("bad.ridl: 1 method, 2 types, 0 errors, no problems\n");
  expect(statSync(join(dir.path, "bad.ridl")).mtimeMs).toBe(mtimeMs);
});

test("--fix mends imported files, each once, also where two schemas share one", async () => {
  const importing = 'webrpc = v1\n\nname = a\nversion = v1\nbasepath = /rpc\n\nimport "bad.ridl"\n';
  using dir = folder({ "bad.ridl": fixable, "a.ridl": importing, "b.ridl": importing });
  const { code, out } = await ridlkit(["lint", "--fix", "-q", "a.ridl", "b.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(readFileSync(join(dir.path, "bad.ridl"), "utf8")).toBe(mended);
});

test("--fix --dry-run shows the changes, writes nothing, and answers 1", async () => {
  using dir = folder({ "bad.ridl": fixable, "good.ridl": good });
  const { code, out } = await ridlkit(["lint", "--fix", "--dry-run", "bad.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({
    code: 1,
    out: `--- a/bad.ridl
+++ b/bad.ridl
@@ -4,9 +4,9 @@
 version = v1.0.0
 basepath = /rpc
 
 struct Pet
-  - kind: Kind;
+  - kind: Kind
 
 enum Kind: uint8
   - CAT
 
bad.ridl: 1 method, 2 types, 0 errors, no problems
`,
  });
  expect(readFileSync(join(dir.path, "bad.ridl"), "utf8")).toBe(fixable);
  expect((await ridlkit(["lint", "--fix", "--dry-run", "good.ridl"], { cwd: dir.path })).code).toBe(0);
});

test("--fix keeps the mode of a file and the link that leads to it, and leaves no other file behind", async () => {
  using dir = folder({ "real.ridl": fixable });
  chmodSync(join(dir.path, "real.ridl"), 0o640);
  symlinkSync("real.ridl", join(dir.path, "link.ridl"));
  await ridlkit(["lint", "--fix", "link.ridl"], { cwd: dir.path });
  expect(readFileSync(join(dir.path, "real.ridl"), "utf8")).toBe(mended);
  expect(statSync(join(dir.path, "real.ridl")).mode & 0o777).toBe(0o640);
  expect(readdirSync(dir.path).toSorted()).toEqual(["link.ridl", "real.ridl"]);
});

test("a file that is not UTF-8 is not written", async () => {
  using dir = folder({});
  const bytes = Buffer.concat([Buffer.from("# caf\u00e9\n", "latin1"), Buffer.from(fixable)]);
  writeFileSync(join(dir.path, "latin.ridl"), bytes);
  await ridlkit(["lint", "--fix", "latin.ridl"], { cwd: dir.path });
  expect(readFileSync(join(dir.path, "latin.ridl")).equals(bytes)).toBe(true);
});

test("--format json says which fixes were made, and --dry-run alone is refused", async () => {
  using dir = folder({ "bad.ridl": fixable });
  const { out } = await ridlkit(["lint", "--fix", "--format", "json", "bad.ridl"], { cwd: dir.path });
  expect(JSON.parse(out) as FindingsJson).toMatchObject({
    ok: true,
    diagnostics: [],
    fixed: [{ path: "bad.ridl", fixes: ['Remove ";"'] }],
  });
  const { code, err } = await ridlkit(["lint", "--dry-run", "bad.ridl"], { cwd: dir.path });
  expect({ code, err }).toEqual({
    code: 2,
    err: "ridlkit: --dry-run requires --fix.\nSee: ridlkit help lint\n",
  });
});

test("--fix applies no suggestion; JSON has it", async () => {
  using dir = folder({ "bad.ridl": bad });
  const { code, out } = await ridlkit(["lint", "--fix", "--format", "json", "bad.ridl"], { cwd: dir.path });
  expect(code).toBe(1);
  expect(JSON.parse(out) as FindingsJson).toMatchObject({
    diagnostics: [{ suggestion: { title: 'Write "Kind"', edits: [{ text: "Kind" }] } }],
    fixed: [],
  });
  expect(readFileSync(join(dir.path, "bad.ridl"), "utf8")).toBe(bad);
});

test.each([
  [20, 20],
  [21, 0],
])("of %i fixes in a file, %i are listed", async (count, listed) => {
  const fields = Array.from({ length: count }, (_, index) => `  - f${index}: bool;\n`).join("");
  using dir = folder({ "a.ridl": `webrpc = v1\nname = a\nversion = v1\n\nstruct A\n${fields}` });
  const { out } = await ridlkit(["lint", "--fix", "a.ridl"], { cwd: dir.path });
  expect(out).toContain(`a.ridl: ${count} fixes\n`);
  expect(out.match(/^ {2}Remove ";"$/gm) ?? []).toHaveLength(listed);
});
