/** The rows of docs/apps.md: lines of code, and which mistakes the compiler finds. Counted in the files of the apps. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const stacks = ["ridlkit", "orval", "trpc"] as const;
export type Stack = (typeof stacks)[number];

export const appsFolder: string = fileURLToPath(new URL(".", import.meta.url));

/** Part, its files, and what differs in safety. */
const parts: readonly (readonly [part: string, files: readonly string[], safety: string])[] = [
  [
    "contract and configuration",
    ["schema.ridl", "ridlkit.config.json", "openapi.yaml", "orval.config.ts", "schemas.ts"],
    "ridlkit: no calendar dates. orval: fractions need `multipleOf: 1` to be rejected",
  ],
  [
    "server",
    ["server.ts"],
    "ridlkit alone rejects undeclared errors. Plain Hono: a handler names the type of its response. tRPC: a line hides texts of exceptions",
  ],
  ["client", ["client.ts", "fetch.ts"], "ridlkit alone has a time-out by default; the others need a line"],
  ["list, page by page", ["list.tsx"], "none"],
  ["form", ["form.tsx"], "that of the contract"],
  ["upload", ["upload.tsx"], "tRPC: fields of the form are not checked"],
  ["rename, optimistic", ["rename.tsx"], "tRPC: errors of all methods. orval, tRPC: typed details of errors"],
  ["live comments", ["live.tsx"], "orval: items are cast"],
];

export function lineTable(): string {
  const counted = parts.map(
    ([part, files, safety]) => [part, stacks.map((stack) => linesOf(stack, files)), safety] as const,
  );
  const sums = stacks.map((_, index) => counted.reduce((sum, [, lines]) => sum + (lines[index] ?? 0), 0));
  return table(
    ["part", "ridlkit", "orval", "tRPC", "what differs in safety"],
    [...counted, ["all", sums, ""] as const].map(([part, lines, safety]) => [part, ...lines, safety]),
  );
}

/** Neither blank lines nor comments. */
function linesOf(stack: Stack, files: readonly string[]): number {
  const isCode = (line: string): boolean => /^\s*(?!\/\/|\/[*]|[*]|#)\S/.test(line);
  return files
    .map((file) => join(appsFolder, stack, file))
    .filter((path) => existsSync(path))
    .reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").filter(isCode).length, 0);
}

/** By the name of its constant in `types.ts`. */
const mistakes: Readonly<Record<string, string>> = {
  misspeltError: "the page misspells the name of an error",
  errorOfAnotherMethod: "the page handles an error that only another method has",
  undeclaredError: "a handler returns an error that its method does not declare",
  responseWithoutField: "a handler forgets a field that the page shows",
  misspeltUpload: "the page misspells the field of a file",
  itemOfAnotherType: "the page expects items of another type in a stream",
};

/** Each constant of `types.ts` is a mistake. Those that the compiler finds contain `@ts-expect-error`. */
export function mistakeTable(): string {
  const found = stacks.map((stack) => {
    const text = readFileSync(join(appsFolder, stack, "types.ts"), "utf8");
    return text.split("\n\n").flatMap((block) => {
      const name = /^export const (\w+)/m.exec(block)?.[1];
      return name === undefined ? [] : [[name, block.includes("@ts-expect-error")] as const];
    });
  });
  const names = [...new Set(found.flat().map(([name]) => name))];
  const verdict = (isFound: boolean | undefined): string =>
    isFound === undefined ? "missing" : isFound ? "compile error" : "compiles";
  return table(
    ["mistake", "ridlkit", "orval", "tRPC"],
    names.map((name) => [
      mistakes[name] ?? name,
      ...found.map((rows) => verdict(rows.find(([each]) => each === name)?.[1])),
    ]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
