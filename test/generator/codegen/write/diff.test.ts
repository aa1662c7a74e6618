import { expect, test } from "vitest";
import {
  diffFiles,
  type ExistingFile,
  withoutCarriageReturns,
} from "../../../../generator/codegen/write/diff.ts";
import { hashOf, type Manifest } from "../../../../generator/codegen/write/manifest.ts";

const none: Manifest = { tool: "", options: "", templates: "", inputs: {}, files: {} };
const listed: Manifest = { ...none, files: { "a.ts": hashOf("old\n") } };
const planned: Manifest = { ...listed, next: { "a.ts": hashOf("later\n") } };
const onlyPlanned: Manifest = { ...none, next: { "a.ts": hashOf("later\n") } };

const text = (content: string): ExistingFile => ({ kind: "text", text: content });
const link: ExistingFile = { kind: "other", path: "a.ts", what: "a symbolic link" };

/** What happens to `a.ts`, which is to hold "new" or not to exist. */
function outcome(
  wanted: string | undefined,
  existing: ExistingFile,
  manifest: Manifest,
  force?: boolean,
): string | undefined {
  const files = new Map(wanted === undefined ? [] : [["a.ts", wanted]]);
  const { changes, obstacles } = diffFiles(files, () => existing, manifest, force);
  expect(changes.length + obstacles.length).toBeLessThan(2);
  return changes[0]?.kind ?? obstacles[0]?.reason;
}

test.each<[string, ExistingFile, Manifest, string, string]>([
  ["nothing", { kind: "nothing" }, none, "add", "add"],
  ["what was deleted by hand", { kind: "nothing" }, listed, "add", "add"],
  ["the same text, even of a foreign file", text("new\n"), none, "same", "same"],
  ["the same text with Windows line ends", text("new\r\n"), none, "same", "same"],
  ["what the last run wrote", text("old\n"), listed, "change", "change"],
  ["the same with Windows line ends", text("old\r\n"), listed, "change", "change"],
  ["what an interrupted run wrote", text("later\n"), planned, "change", "change"],
  ["what an interrupted run had not written yet", text("old\n"), planned, "change", "change"],
  ["a new file of an interrupted run", text("later\n"), onlyPlanned, "change", "change"],
  ["a merged text", text("both\n"), { ...planned, merged: new Set(["a.ts"]) }, "change", "change"],
  ["another merged text", text("both\n"), { ...planned, merged: new Set(["b.ts"]) }, "edited", "change"],
  ["an edit", text("mine\n"), listed, "edited", "change"],
  ["an edit of a new file of an interrupted run", text("mine\n"), onlyPlanned, "edited", "change"],
  ["a foreign file", text("mine\n"), none, "foreign", "change"],
  ["a link", link, listed, "other", "other"],
])("a planned file meets %s", (_case, existing, manifest, kind, forced) => {
  expect([outcome("new\n", existing, manifest), outcome("new\n", existing, manifest, true)]).toEqual([
    kind,
    forced,
  ]);
});

test.each<[string, ExistingFile, Manifest, string | undefined, string | undefined]>([
  ["is gone", { kind: "nothing" }, listed, undefined, undefined],
  ["is a link now", link, listed, undefined, undefined],
  ["is unchanged", text("old\n"), listed, "delete", "delete"],
  ["comes from an interrupted run", text("later\n"), onlyPlanned, "delete", "delete"],
  ["was edited", text("mine\n"), listed, "edited", "delete"],
  ["was never generated", text("mine\n"), none, undefined, undefined],
])("a file that is no longer planned %s", (_case, existing, manifest, kind, forced) => {
  expect([outcome(undefined, existing, manifest), outcome(undefined, existing, manifest, true)]).toEqual([
    kind,
    forced,
  ]);
});

test("an obstacle above several files is reported once, and names itself", () => {
  const existing = (): ExistingFile => ({ kind: "other", path: "client", what: "a symbolic link" });
  const wanted = new Map([
    ["client/a.ts", ""],
    ["client/b.ts", ""],
  ]);
  expect(diffFiles(wanted, existing, none)).toEqual({
    changes: [],
    obstacles: [{ path: "client", reason: "other", what: "a symbolic link" }],
  });
});

test("carriage returns that end no line stay", () => {
  expect(withoutCarriageReturns("a\r\nb\rc\r\n")).toBe("a\nb\rc\n");
});
