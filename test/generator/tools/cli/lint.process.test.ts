import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, ridlkit } from "../../../support/program.ts";
import { bad, doubtful, good } from "../../../support/schemas.ts";

const frame = `error[RK308]: There is no type "Kin".
 --> bad.ridl:8:11
  |
8 |   - kind: Kin
  |           ^^^
  = Did you mean "Kind"?

`;

test("a schema without faults is one line on standard output", async () => {
  using dir = folder({ "good.ridl": good });
  expect(await ridlkit(["lint", "good.ridl"], { cwd: dir.path })).toEqual({
    code: 0,
    out: "good.ridl: 2 methods, 2 types, 1 error, no problems\n",
    err: "",
  });
});

test("an error is shown with its place on standard error, and the exit code is 1", async () => {
  using dir = folder({ "bad.ridl": bad });
  expect(await ridlkit(["lint", "bad.ridl"], { cwd: dir.path })).toEqual({
    code: 1,
    out: "bad.ridl: invalid, 1 error\n",
    err: frame,
  });
});

test("--quiet shows errors and nothing else", async () => {
  using dir = folder({ "bad.ridl": bad, "doubtful.ridl": doubtful });
  expect(await ridlkit(["lint", "-q", "bad.ridl", "doubtful.ridl"], { cwd: dir.path })).toEqual({
    code: 1,
    out: "",
    err: frame,
  });
});

test("a warning passes, --strict makes it an error", async () => {
  using dir = folder({ "doubtful.ridl": doubtful });
  const lax = await ridlkit(["lint", "doubtful.ridl"], { cwd: dir.path });
  expect([lax.code, lax.out]).toEqual([0, "doubtful.ridl: 2 methods, 2 types, 1 error, 1 warning\n"]);
  expect(lax.err).toContain("warning[RK305]");
  const strict = await ridlkit(["lint", "--strict", "doubtful.ridl"], { cwd: dir.path });
  expect([strict.code, strict.out]).toEqual([1, "doubtful.ridl: invalid, 1 error\n"]);
  expect(strict.err).toContain("error[RK305]");
});

test("several schemas are checked together; a fault they share is shown once", async () => {
  const importing = 'webrpc = v1\n\nname = a\nversion = v1\nbasepath = /rpc\n\nimport "bad.ridl"\n';
  using dir = folder({ "bad.ridl": bad, "a.ridl": importing, "b.ridl": importing, "good.ridl": good });
  const { code, out, err } = await ridlkit(["lint", "a.ridl", "good.ridl", "b.ridl"], { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 1, err: frame });
  expect(out).toBe(
    "a.ridl: invalid, 1 error\ngood.ridl: 2 methods, 2 types, 1 error, no problems\nb.ridl: invalid, 1 error\n",
  );
});

test("--format json is one document on standard output", async () => {
  using dir = folder({ "bad.ridl": bad, "good.ridl": good });
  const { code, out, err } = await ridlkit(["lint", "bad.ridl", "good.ridl", "--format", "json"], {
    cwd: dir.path,
  });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(JSON.parse(out) as FindingsJson).toEqual({
    ok: false,
    schemas: [
      { path: "bad.ridl", ok: false, errors: 1, warnings: 0 },
      {
        path: "good.ridl",
        ok: true,
        errors: 0,
        warnings: 0,
        contains: { services: 1, methods: 2, types: 2, errors: 1 },
      },
    ],
    diagnostics: [
      {
        code: "RK308",
        name: "unknown-type",
        severity: "error",
        message: 'There is no type "Kin".',
        advice: 'Did you mean "Kind"?',
        path: "bad.ridl",
        start: { line: 8, column: 11 },
        end: { line: 8, column: 14 },
        notes: [],
        suggestion: {
          title: 'Write "Kind"',
          path: "bad.ridl",
          edits: [{ start: { line: 8, column: 11 }, end: { line: 8, column: 14 }, text: "Kind" }],
        },
      },
    ],
  });
});

test("files that are no schema are findings, with a reason and without a trace", async () => {
  using dir = folder({
    "imports.ridl": 'webrpc = v1\n\nname = a\n\nimport "gone.ridl"\n',
    "x.txt": "hello",
    "folder/a.ridl": good,
  });
  mkdirSync(join(dir.path, "directory.ridl"));
  execFileSync("mkfifo", [join(dir.path, "pipe.ridl")]);
  writeFileSync(join(dir.path, "image.ridl"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe, 1]));
  writeFileSync(join(dir.path, "huge.ridl"), "");
  truncateSync(join(dir.path, "huge.ridl"), 50 * 1024 * 1024);
  const rows: readonly (readonly [string, string])[] = [
    ["gone.ridl", 'error[RK201]: Cannot read "gone.ridl": it does not exist.\n --> gone.ridl\n'],
    [
      "directory.ridl",
      'error[RK201]: Cannot read "directory.ridl": it is a directory.\n --> directory.ridl\n',
    ],
    ["pipe.ridl", 'error[RK201]: Cannot read "pipe.ridl": it is not a regular file.\n --> pipe.ridl\n'],
    ["image.ridl", 'error[RK203]: "image.ridl" is not UTF-8 text.\n --> image.ridl\n'],
    [
      "huge.ridl",
      'error[RK202]: "huge.ridl" has 50 MB; a schema file may have at most 16 MB.\n --> huge.ridl\n',
    ],
    [
      "folder",
      'error[RK201]: Cannot read "folder": it is a directory.\n --> folder\n  = Name a file in it, such as "folder/a.ridl".',
    ],
    ["x.txt", 'error[RK208]: Cannot tell the format of "x.txt" from its name.\n --> x.txt\n'],
    ["imports.ridl", 'error[RK201]: Cannot read "gone.ridl": it does not exist.\n --> imports.ridl:5:8\n'],
  ];
  for (const [path, start] of rows) {
    const { code, out, err } = await ridlkit(["lint", path], { cwd: dir.path });
    expect([path, code, err.slice(0, start.length)]).toEqual([path, 1, start]);
    expect(out).toBe(`${path}: invalid, 1 error\n`);
    expect(err).not.toContain("    at ");
  }
});

test("what the schema says cannot steer the terminal, in text or in JSON", async () => {
  using dir = folder({ "evil.ridl": bad.replace("Kin\n", "Kin\u009b31m\u202e\u001b]0;x\u0007\n") });
  const text = await ridlkit(["lint", "evil.ridl"], { cwd: dir.path });
  const json = await ridlkit(["lint", "--format=json", "evil.ridl"], { cwd: dir.path });
  expect([text.code, json.code]).toEqual([1, 1]);
  expect(text.err).toContain("<U+009B>");
  for (const shown of [text.out, text.err, json.out, json.err]) {
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
});

test.each([
  [{}, [], false],
  [{ FORCE_COLOR: "1" }, [], true],
  [{ FORCE_COLOR: "0" }, [], false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, [], true],
  [{ FORCE_COLOR: "1" }, ["--no-color"], false],
  [{ NO_COLOR: "1" }, ["--color"], true],
])("with %j and %j in a pipe, color is %j", async (env, flags, colored) => {
  using dir = folder({ "bad.ridl": bad });
  const { err } = await ridlkit(["lint", "bad.ridl", ...flags], { cwd: dir.path, env });
  expect(err.includes("\u001b[")).toBe(colored);
  expect(err.replace(/\u001b\[[0-9;]*m/g, "")).toBe(frame);
});
