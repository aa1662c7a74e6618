import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, ridlkit, ridlkitProcess } from "../../../support/program.ts";

const ridl =
  "# What pets are.\nwebrpc = v1\nname = pets\n\n#! private\n# A pet.\nstruct Pet\n  - id: uint64 # its id\n    + minimum = 1\n";
const yaml = `# What pets are.
webrpc: v1
name: pets

types:
  #! private
  # A pet.
  Pet:
    fields:
      # its id
      id:
        type: uint64
        minimum: 1
`;

test("a file is converted with its comments, and converted back", async () => {
  using dir = folder({ "pets.ridl": ridl });
  expect(await ridlkit(["convert", "pets.ridl", "-o", "out/pets.yaml"], { cwd: dir.path })).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  expect(readFileSync(join(dir.path, "out/pets.yaml"), "utf8")).toBe(yaml);
  const back = await ridlkit(["convert", "out/pets.yaml", "--to", "ridl"], { cwd: dir.path });
  expect(back.out).toBe(ridl.replace("  - id: uint64 # its id\n", "  # its id\n  - id: uint64\n"));
});

test("standard input is converted to standard output", async () => {
  const { code, out, err } = await ridlkitProcess(["convert", "--from", "ridl", "--to", "yaml", "-"], {
    input: ridl,
  });
  expect({ code, out, err }).toEqual({ code: 0, out: yaml, err: "" });
});

test("import paths are rewritten relative to the output file", async () => {
  const files = {
    "a/root.ridl": "webrpc = v1\nimport ../b/leaf.ridl\nstruct A\n  - leaf: Leaf\n",
    "b/leaf.ridl": "webrpc = v1\nstruct Leaf\n",
  };
  using dir = folder(files);
  const { code } = await ridlkit(["convert", "a/root.ridl", "-o", "c/d/root.yaml"], { cwd: dir.path });
  expect(code).toBe(0);
  expect(readFileSync(join(dir.path, "c/d/root.yaml"), "utf8")).toContain("  - ../../b/leaf.ridl\n");
  const lint = await ridlkit(["lint", "c/d/root.yaml"], { cwd: dir.path });
  expect(lint.out).toBe("c/d/root.yaml: 0 methods, 2 types, 0 errors, no problems\n");
  const bundle = await ridlkit(["convert", "a/root.ridl", "--bundle", "--to", "yaml"], { cwd: dir.path });
  expect(bundle.out).toContain("  Leaf: { fields: {} }\n");
});

test("inexpressible content is an error at its position, and nothing is written", async () => {
  using dir = folder({ "a.yaml": "webrpc: v1\ntypes:\n  A:\n    type: string\n    pattern: '^\\d$'\n" });
  const { code, out, err } = await ridlkit(["convert", "a.yaml", "-o", "a.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("error[RK650]");
  expect(err).toContain("--> a.yaml:5:14");
  expect(existsSync(join(dir.path, "a.ridl"))).toBe(false);
});

test("a comment that IR JSON does not hold is an error, and with --lossy a warning", async () => {
  using dir = folder({ "pets.ridl": ridl });
  const strict = await ridlkit(["convert", "pets.ridl", "--to", "ir"], { cwd: dir.path });
  expect({ code: strict.code, out: strict.out }).toEqual({ code: 1, out: "" });
  expect(strict.err.match(/error\[RK651\]/g)).toHaveLength(2);
  const lossy = await ridlkit(["convert", "pets.ridl", "--to", "ir", "--lossy"], { cwd: dir.path });
  const ir = await ridlkit(["ir", "pets.ridl"], { cwd: dir.path });
  expect({ code: lossy.code, out: lossy.out }).toEqual({ code: 0, out: ir.out });
});

test("an invalid schema is reported and not converted", async () => {
  using dir = folder({ "a.ridl": "webrpc = v1\nstruct A\n  - a: Usr\n" });
  const { code, out, err } = await ridlkit(["convert", "a.ridl", "--to", "yaml"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("RK308");
});

test.each([
  [["convert"], "takes one FILE"],
  [["convert", "a.ridl", "b.ridl", "--to", "yaml"], "takes one FILE"],
  [["convert", "a.ridl"], "--to"],
  [["convert", "a.txt", "--to", "yaml"], "--from"],
  [["convert", "a.ridl", "--to", "json"], "ridl, yaml or ir"],
])("%j is refused with 2", async (words, says) => {
  const { code, out, err } = await ridlkit(words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
});
