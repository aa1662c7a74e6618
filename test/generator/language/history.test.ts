import { expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import {
  contractText,
  currentContract,
  type History,
  readHistory,
} from "../../../generator/language/history.ts";
import { writeIr } from "../../../generator/language/ir/write.ts";
import { compareVersions, parseVersion } from "../../../generator/language/semantic-version.ts";
import { memoryReader } from "../../support/memory-reader.ts";

function schema(version: string, fields = "  - id: uint64", name = "shop"): string {
  return `webrpc = v1\nname = ${name}\nversion = ${version}\nbasepath = /rpc\n\n# An order.\nstruct Order\n${fields}\n
service Shop
  - Find(id: uint64) => (order: Order)
`;
}

/** The IR as `ridlkit history add` writes it. */
function kept(text: string): string {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error("the schema has errors");
  return writeIr(currentContract("api.ridl", result, {}).ir);
}

function historyOf(current: string, files: Readonly<Record<string, string>>): History {
  const inFolder = Object.entries(files).map(([name, text]) => [`kept/${name}`, text] as const);
  const reader = memoryReader({ "api.ridl": current, ...Object.fromEntries(inFolder) });
  const { result } = compile("api.ridl", reader);
  if (result === undefined) throw new Error("the schema has errors");
  return readHistory("kept", reader, currentContract("api.ridl", result, {}));
}

/** `path:line code message` of each finding. */
function findings({ diagnostics }: History): readonly string[] {
  return diagnostics.map(({ path, at, code, message }) => {
    const line = at === undefined ? "" : `:${at.file.positionAt(at.span.start).line}`;
    return `${path}${line} ${code} ${message}`;
  });
}

test("kept versions are sorted by number, and the current one is marked", () => {
  const versions = ["v1.10.0", "v1.2.0", "v1.9.0", "v2.0.0-rc.1", "v2.0.0"];
  const files = versions.map((version) => [`${version}.webrpc.json`, kept(schema(version))] as const);
  const { versions: read, diagnostics } = historyOf(schema("v2.0.0"), Object.fromEntries(files));
  expect(diagnostics).toEqual([]);
  expect(read.map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
    ["v1.2.0", false],
    ["v1.9.0", false],
    ["v1.10.0", false],
    ["v2.0.0-rc.1", false],
    ["v2.0.0", true],
  ]);
  expect(read[0]?.compiled.model.services[0]?.methods[0]?.name).toBe("Find");
});

test("a kept version is read with an alias of an enum as the key of a map", () => {
  const text = schema("v1.0.0", "  - paid: map<Key,bool>\n\nenum Side: int8\n  - buy\n\ntype Key: Side");
  const { versions, diagnostics } = historyOf(text, { "v1.0.0.webrpc.json": kept(text) });
  expect(diagnostics).toEqual([]);
  expect(versions.map(({ version }) => version)).toEqual(["v1.0.0"]);
});

test("a folder without versions, or with notes only, has no history", () => {
  expect(historyOf(schema("june"), {})).toEqual({ versions: [], diagnostics: [] });
  expect(historyOf(schema("june"), { "README.md": "notes" })).toEqual({ versions: [], diagnostics: [] });
});

test.each([
  [
    "a schema in RIDL",
    { "v1.0.0.ridl": schema("v1.0.0") },
    ['kept/v1.0.0.ridl RK530 "kept/v1.0.0.ridl" is not a kept version.'],
  ],
  ["text that is not JSON", { "v1.0.0.webrpc.json": "v1.0.0" }, ["kept/v1.0.0.webrpc.json:1 RK501"]],
  [
    "JSON that is no contract",
    { "v1.0.0.webrpc.json": "[]" },
    ["kept/v1.0.0.webrpc.json:1 RK502 The file must be an object, found a list."],
  ],
  [
    "another version than its name",
    { "v1.0.0.webrpc.json": kept(schema("v1.0.1")) },
    [
      'kept/v1.0.0.webrpc.json:4 RK532 The file is named after the version "v1.0.0", but its contract has the version "v1.0.1".',
    ],
  ],
  [
    "a version without numbers",
    { "june.webrpc.json": kept(schema("june")) },
    ['kept/june.webrpc.json:4 RK531 The version "june" is not a semantic version.'],
  ],
  [
    "the same version with and without v",
    { "1.0.0.webrpc.json": kept(schema("1.0.0")), "v1.0.0.webrpc.json": kept(schema("v1.0.0")) },
    [
      'kept/v1.0.0.webrpc.json:4 RK533 The version v1.0.0 is kept twice, and the first file is "kept/1.0.0.webrpc.json".',
    ],
  ],
  [
    "the contract of another schema",
    { "v1.0.0.webrpc.json": kept(schema("v1.0.0", "  - id: uint64", "market")) },
    [
      'kept/v1.0.0.webrpc.json:3 RK534 The file is a version of the schema "market", but the schema is "shop".',
    ],
  ],
  [
    "a version after that of the schema",
    { "v2.0.1.webrpc.json": kept(schema("v2.0.1")) },
    ['api.ridl:3 RK535 The kept version "v2.0.1" is newer than the version "v2.0.0" of the schema.'],
  ],
])("%s is an error, and no version is used", (_, files: Readonly<Record<string, string>>, expected) => {
  const history = historyOf(schema("v2.0.0"), { ...files, "v0.1.0.webrpc.json": kept(schema("v0.1.0")) });
  const found = findings(history);
  expect(found).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
  expect(history.versions).toEqual([]);
});

test("a schema with kept versions has a semantic version", () => {
  const history = historyOf(schema("june"), { "v1.0.0.webrpc.json": kept(schema("v1.0.0")) });
  expect(findings(history)).toEqual(['api.ridl:3 RK531 The version "june" is not a semantic version.']);
});

test("a contract that changed under its kept version is a warning, a changed comment is not", () => {
  const files = { "v2.0.0.webrpc.json": kept(schema("v2.0.0")) };
  expect(findings(historyOf(schema("v2.0.0").replace("An order", "Changed"), files))).toEqual([]);
  const changed = historyOf(schema("v2.0.0", "  - id: uint64\n  - note?: string"), files);
  expect(findings(changed)).toEqual([
    'api.ridl:3 RK536 The contract differs from its kept version "v2.0.0".',
  ]);
  expect(changed.versions.map(({ version }) => version)).toEqual(["v2.0.0"]);
});

test("an annotation named comments belongs to the contract", () => {
  const irOf = (text: string) => {
    const { result } = compile("a.ridl", memoryReader({ "a.ridl": text }));
    if (result === undefined) throw new Error("the schema has errors");
    return result.ir;
  };
  const annotated = schema("v1.0.0").replace("  - Find", "  @comments:1\n  - Find");
  expect(contractText(irOf(annotated))).not.toBe(contractText(irOf(schema("v1.0.0"))));
});

test("versions are ordered as semver.org orders them", () => {
  // The example of https://semver.org, section 11, and numbers of different lengths.
  const ordered = [
    "0.9.9",
    "v1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "v1.0.0",
    "1.0.1",
    "1.2.0",
    "v1.10.0",
    "2.0.0",
  ];
  const parsed = ordered.map((text) => {
    const version = parseVersion(text);
    if (version === undefined) throw new Error(text);
    return { text, version };
  });
  const sorted = parsed.toReversed().toSorted((a, b) => compareVersions(a.version, b.version));
  expect(sorted.map(({ text }) => text)).toEqual(ordered);
});

test.each([
  "",
  "v1",
  "1.0",
  "v1.0.0.0",
  "01.0.0",
  "v1.0.x",
  "1.0.0-",
  "1.0.0-a..b",
  "1.0.0-01",
  "V1.0.0",
  " 1.0.0",
])('"%s" is not a semantic version', (text) => expect(parseVersion(text)).toBeUndefined());

test("build metadata does not count", () => {
  const [a, b] = ["1.0.0+a", "1.0.0+b.1"].map((text) => parseVersion(text));
  expect(a && b && compareVersions(a, b)).toBe(0);
});
