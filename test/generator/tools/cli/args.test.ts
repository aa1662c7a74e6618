import { expect, test } from "vitest";
import { type OptionTable, parseArgs } from "../../../../generator/tools/cli/options.ts";

const table = {
  hashParity: { kind: "flag", description: "" },
  service: { kind: "names", description: "" },
  match: { kind: "annotations", description: "" },
  schemaVersion: { kind: "optionalText", description: "" },
  format: { kind: "format", description: "" },
  cwd: { kind: "text", description: "" },
  header: { kind: "texts", description: "" },
} as const satisfies OptionTable;

function parse(words: readonly string[], stopAtPositional = false) {
  const { value, error } = parseArgs(words, table, { helpCommand: "h", stopAtPositional });
  return value === undefined ? { message: error.kind === "usage" ? error.message : "" } : value;
}

test.each([
  [["a.ridl", "b.ridl"], {}, ["a.ridl", "b.ridl"]],
  [["--hash-parity"], { hashParity: true }, []],
  [["-hash-parity"], { hashParity: true }, []],
  [["--hashParity"], { hashParity: true }, []],
  [["-hashParity", "a"], { hashParity: true }, ["a"]],
  [["--hash-parity=false"], { hashParity: false }, []],
  [["--hash-parity=1"], { hashParity: true }, []],
  [["--no-hash-parity"], { hashParity: false }, []],
  [["--hash-parity", "--no-hash-parity"], { hashParity: false }, []],
  [["--service", "A,B", "x"], { service: ["A", "B"] }, ["x"]],
  [["-service=A", "--service=B"], { service: ["A", "B"] }, []],
  [["--service="], { service: [] }, []],
  [["--service", ""], { service: [] }, []],
  [["--header", "A: b, c", "--header=D:e"], { header: ["A: b, c", "D:e"] }, []],
  [["--match=@a:b=c"], { match: new Map([["a", "b=c"]]) }, []],
  [
    ["--match", "@a", "--match", "@b:1"],
    {
      match: new Map([
        ["a", ""],
        ["b", "1"],
      ]),
    },
    [],
  ],
  [["--schema-version="], { schemaVersion: "" }, []],
  [["--schemaVersion", "v2", "--schemaVersion", "v3"], { schemaVersion: "v3" }, []],
  [["--cwd", "-"], { cwd: "-" }, []],
  [["--cwd=-x"], { cwd: "-x" }, []],
  [["--", "--hash-parity"], {}, ["--hash-parity"]],
  [["-"], {}, ["-"]],
])("%j is read", (words, values, positionals) => {
  expect(parse(words)).toEqual({ values, positionals });
});

test("before a command, reading stops at the command", () => {
  expect(parse(["--cwd", "x", "lint", "--unknown"], true)).toEqual({
    values: { cwd: "x" },
    positionals: ["lint", "--unknown"],
  });
});

test.each([
  [["--hash-partiy"], 'Unknown option "--hash-partiy". Did you mean "--hash-parity"?'],
  [["-servise=A"], 'Unknown option "-servise". Did you mean "--service"?'],
  [["--entirely-else"], 'Unknown option "--entirely-else".'],
  [["--toString"], 'Unknown option "--toString".'],
  [["--no-service"], 'Unknown option "--no-service". Did you mean "--service"?'],
  [["--cwd"], "--cwd takes a value; found no value."],
  [["--cwd", "--hash-parity"], "--cwd takes a value; found no value."],
  [["--cwd="], '--cwd takes a value; found "".'],
  [["--format=xml"], '--format takes text, json, github or sarif; found "xml".'],
  [["--hash-parity=maybe"], '--hash-parity takes true or false; found "maybe".'],
  [["--match", "internal"], '--match takes annotations, such as @internal,@auth:jwt; found "internal".'],
])("%j is rejected", (words, message) => {
  expect(parse(words)).toEqual({ message });
});
