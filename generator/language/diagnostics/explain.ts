import type { CatalogEntry } from "./catalog/entry.ts";
import { type CatalogName, catalog } from "./catalog.ts";
import { type Example, type Explanation, headerLines } from "./explanations/explanation.ts";
import { suggest } from "./suggest.ts";
import { wrapWords } from "./wrap.ts";

/** A code with its catalog entry and its explanation. */
export interface CodeExplanation extends Explanation {
  readonly name: string;
  readonly entry: CatalogEntry;
}

/** An example in JSON output. */
export interface ExampleJson {
  readonly files: Readonly<Record<string, string>>;
  readonly commands?: readonly string[];
}

/** All codes in ascending order with their names: `["RK101", "unexpected"]`. */
export function codeList(): readonly (readonly [code: string, name: CatalogName])[] {
  const names = Object.keys(catalog) as CatalogName[];
  return names.map((name) => [catalog[name].code, name] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `"RK308"`, `"rk308"`, `"308"` or `"unknown-type"` → `"unknown-type"`. */
export function findCode(word: string): CatalogName | undefined {
  const code = /^(rk)?[0-9]{3}$/i.test(word) ? `RK${word.slice(-3)}` : undefined;
  return codeList().find((pair) => pair[0] === code || pair[1] === word.toLowerCase())?.[1];
}

/** The code or name that is most similar to an unknown word. */
export function nearestCode(word: string): string | undefined {
  const list = codeList();
  return /^(rk)?[0-9]+$/i.test(word)
    ? suggest(
        `RK${word.replace(/^rk/i, "")}`,
        list.map(([code]) => code),
        2,
      )
    : suggest(
        word.toLowerCase(),
        list.map(([, name]) => name),
      );
}

/**
 * A code as `ridlkit explain` prints it, with a closing line break:
 *
 *     RK324 empty-service, an error
 *
 *     A service has at least one method. webrpc rejects a service without methods.
 *
 *     Wrong:
 *
 *         service Shop
 *
 * Sentences are wrapped at `columns`.
 */
export function explainText(
  { name, entry, rule, reason, bad, good }: CodeExplanation,
  columns: number,
): string {
  const wrapped = (text: string): string => wrapWords(text, columns).join("\n");
  const advice = entry.advice === undefined ? [] : [wrapped(entry.advice)];
  const parts = [
    `${entry.code} ${name}, ${entry.severity === "error" ? "an error" : "a warning, which --strict makes an error"}`,
    wrapped(`${rule} ${reason}`),
    ...advice,
    "Wrong:",
    indented(exampleLines(bad)),
    "Right:",
    indented(exampleLines(good)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Returns the lines of a schema, or all files, each below its name, followed by the commands. */
export function exampleLines(example: Example): readonly string[] {
  if (!("files" in example)) return example;
  const files = Object.entries(example.files).flatMap(([path, lines]) => [`# ${path}`, ...lines, ""]);
  const commands = (example.commands ?? []).map((command) => `$ ${command}`);
  return [...files, ...commands].join("\n").trimEnd().split("\n");
}

export function exampleJson(example: Example): ExampleJson {
  if (!("files" in example)) return { files: { "api.ridl": textOf([...headerLines, ...example]) } };
  const files = Object.fromEntries(
    Object.entries(example.files).map(([path, lines]) => [path, textOf(lines)]),
  );
  return example.commands === undefined ? { files } : { files, commands: example.commands };
}

function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`.trimEnd()).join("\n");
}
