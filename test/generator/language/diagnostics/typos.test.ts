/** The findings in texts with one typo each, compared with checked-in lists. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const yaml = `webrpc: v1
name: shop
version: v1
basepath: /rpc
types:
  Kind:
    enum: string
    values: [cat, dog: DOG]
  Ids: uint64[]
  Pet:
    docs: "A pet"
    fields:
      id: uint64
      name?: { type: string, maxLength: 9, pattern: '^[a-z]+$' }
      kind:
        type: Kind
        default: cat
errors:
  Gone: { code: 7, message: gone, status: 410 }
services:
  Shop:
    path: /pets
    methods:
      Get:
        annotations: [readonly, auth: key]
        route: GET /{id}
        input: { id: uint64 }
        output: { pet: Pet }
        errors: [Gone]
`;

const ridl = `webrpc = v1
name = shop
version = v1
basepath = /rpc

enum Kind: string
  - CAT = cat
  - DOG

type Ids: []uint64
  + maxItems = 9

# A pet.
struct Pet
  - id: uint64
  - name?: string
    + maxLength = 9
    + pattern = "^[a-z]+$"
  - kinds: map<string,Kind>

error 7 Gone "gone" HTTP 410

service Shop
  path = /pets
  @readonly @auth:"key"
  - Get(id: uint64) => (pet: Pet) errors Gone
    GET /{id}
  - Watch(Pet) => stream (Pet)
`;

/** A line with a typo. Undefined: there is no such typo in the line. */
const typos: Readonly<Record<string, (line: string) => string | undefined>> = {
  "is gone": () => "",
  "is there twice": (line) => `${line}\n${line}`,
  "is indented further": (line) => ` ${line}`,
  "is indented less": (line) => (line.startsWith(" ") ? line.slice(1) : undefined),
  "has no first sign": (line) => without(line, /[:=(\-+@]/),
  "has no last sign": (line) => line.slice(0, -1),
  "has no bracket": (line) => without(line, /[[\]{}<>)]/),
  "has a letter less": (line) => without(line, /(?<=[A-Za-z]{2})[A-Za-z]/),
  "has a letter in the other case": (line) =>
    line.replace(/[A-Za-z]/, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase())),
};

function without(line: string, pattern: RegExp): string | undefined {
  return pattern.test(line) ? line.replace(pattern, "") : undefined;
}

test.each([
  ["m.yaml", yaml],
  ["m.ridl", ridl],
])("%s with one typo", async (path, text) => {
  expect(compile(path, memoryReader({ [path]: text })).diagnostics).toEqual([]);
  const shown: string[] = [];
  const lines = text.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries())
    for (const [typo, change] of Object.entries(typos)) {
      const changed = line === "" ? undefined : change(line);
      if (changed === undefined || changed === line) continue;
      const mistyped = [...lines.slice(0, index), changed, ...lines.slice(index + 1), ""].join("\n");
      const { diagnostics } = compile(path, memoryReader({ [path]: mistyped }));
      shown.push(`${index + 1} ${typo}: ${JSON.stringify(changed.split("\n")[0])}`);
      for (const { code, severity, message, advice, at, notes, fix, suggestion } of diagnostics.slice(0, 3)) {
        const { line: row, column } = at?.file.positionAt(at.span.start) ?? { line: 0, column: 0 };
        const end = at === undefined ? 0 : at.span.end - at.span.start;
        shown.push(
          `  ${row}:${column}+${end} ${code} ${severity}: ${message}${advice === undefined ? "" : ` ${advice}`}`,
          ...notes.map((note) => `    ${note.message} ${note.at?.file.lineAt(note.at.span.start) ?? ""}`),
        );
        const edits = fix ?? suggestion;
        if (edits !== undefined) {
          const offered = withSuggestions(diagnostics).filter((one) => one.fix === edits);
          const [fixed] = applyFixes(offered).files;
          const result = fixed?.text.split("\n") ?? [];
          const at = result.findIndex((each, row) => each !== mistyped.split("\n")[row]);
          const kind = fix === undefined ? "suggestion: " : "";
          shown.push(`    ${kind}${edits.title}: ${JSON.stringify(result[at])}`);
        }
      }
      if (diagnostics.length > 3) shown.push(`  and ${diagnostics.length - 3} more`);
    }
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(`golden/typos-${path.slice(2)}.txt`);
});
