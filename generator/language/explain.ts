import { type CatalogEntry, type Example, exampleLines, headerLines } from "./diagnostics/catalog/entry.ts";
import { catalog } from "./diagnostics/catalog.ts";
import { suggest } from "./diagnostics/suggest.ts";
import { wrapWords } from "./diagnostics/wrap.ts";
import { lintRules } from "./lint/rules/index.ts";

export interface NamedEntry {
  /** Such as `unknown-type`. */
  readonly name: string;
  readonly entry: CatalogEntry;
}

/** All codes in ascending order, lint rules included. */
export const allCodes: readonly NamedEntry[] = [
  ...Object.entries(catalog).map(([name, entry]) => ({ name, entry })),
  ...lintRules.map((entry) => ({ name: entry.name, entry })),
].sort((a, b) => (a.entry.code < b.entry.code ? -1 : 1));

/** An example in JSON output. */
export interface ExampleJson {
  readonly files: Readonly<Record<string, string>>;
  readonly commands?: readonly string[];
}

/** Finds an entry by `"RK308"`, `"rk308"`, `"308"` or `"unknown-type"`. */
export function findCode(word: string): NamedEntry | undefined {
  const code = /^(rk)?[0-9]{3}$/i.test(word) ? `RK${word.slice(-3)}` : undefined;
  return allCodes.find(({ name, entry }) => entry.code === code || name === word.toLowerCase());
}

/** The code or name that is most similar to an unknown word. */
export function nearestCode(word: string): string | undefined {
  return /^(rk)?[0-9]+$/i.test(word)
    ? suggest(
        `RK${word.replace(/^rk/i, "")}`,
        allCodes.map(({ entry }) => entry.code),
        2,
      )
    : suggest(
        word.toLowerCase(),
        allCodes.map(({ name }) => name),
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
export function explainText({ name, entry }: NamedEntry, columns: number): string {
  const { bad, good } = entry.examples();
  const wrapped = (text: string): string => wrapWords(text, columns).join("\n");
  const advice = entry.advice === undefined ? [] : [wrapped(entry.advice)];
  const parts = [
    `${entry.code} ${name}, ${entry.severity === "error" ? "an error" : "a warning, which --strict makes an error"}`,
    wrapped(`${entry.rule} ${entry.reason}`),
    ...advice,
    "Wrong:",
    indented(exampleLines(bad)),
    "Right:",
    indented(exampleLines(good)),
  ];
  return `${parts.join("\n\n")}\n`;
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
