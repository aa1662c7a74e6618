/** The tables of docs/apps.md. Lines and mistakes are counted in the files of the apps. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const appsFolder: string = fileURLToPath(new URL(".", import.meta.url));

/** An app that is written on several stacks. Each stack has a folder in that of the app. */
export interface App<Stack extends string = string, Difference extends string = string> {
  readonly folder: string;
  /** The title of each stack, by its folder. */
  readonly stacks: Readonly<Record<Stack, string>>;
  /** Part, its files, and what differs in safety. */
  readonly parts: readonly (readonly [part: string, files: readonly string[], safety: string])[];
  /** By the name of its constant in `types.ts`. */
  readonly mistakes: Readonly<Record<string, string>>;
  /** What the app does where its stacks differ. */
  readonly behavior: Readonly<
    Record<Difference, Readonly<Record<Stack, string>> & { readonly label: string }>
  >;
}

export function stacksOf<Stack extends string>({ stacks }: Pick<App<Stack>, "stacks">): readonly Stack[] {
  return Object.keys(stacks) as Stack[];
}

export function lineTable(app: App): string {
  const stacks = stacksOf(app);
  const counted = app.parts.map(
    ([part, files, safety]) =>
      [part, stacks.map((stack) => linesOf(join(app.folder, stack), files)), safety] as const,
  );
  const sums = stacks.map((_, index) => counted.reduce((sum, [, lines]) => sum + (lines[index] ?? 0), 0));
  return stackTable(
    app,
    "part",
    [...counted, ["all", sums, ""] as const].map(([part, lines, safety]) => [part, ...lines, safety]),
    ["what differs in safety"],
  );
}

/** Neither blank lines nor comments. */
function linesOf(folder: string, files: readonly string[]): number {
  const isCode = (line: string): boolean => /^\s*(?!\/\/|\/[*]|[*]|#)\S/.test(line);
  return files
    .map((file) => join(appsFolder, folder, file))
    .filter((path) => existsSync(path))
    .reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").filter(isCode).length, 0);
}

/** Each constant of `types.ts` is a mistake. Those that the compiler finds contain `@ts-expect-error`. */
export function mistakeTable(app: App): string {
  const found = stacksOf(app).map((stack) => {
    const text = readFileSync(join(appsFolder, app.folder, stack, "types.ts"), "utf8");
    return text.split("\n\n").flatMap((block) => {
      const name = /^export const (\w+)/m.exec(block)?.[1];
      return name === undefined ? [] : [[name, block.includes("@ts-expect-error")] as const];
    });
  });
  const names = [...new Set(found.flat().map(([name]) => name))];
  const verdict = (isFound: boolean | undefined): string =>
    isFound === undefined ? "missing" : isFound ? "compile error" : "compiles";
  return stackTable(
    app,
    "mistake",
    names.map((name) => [
      app.mistakes[name] ?? name,
      ...found.map((rows) => verdict(rows.find(([each]) => each === name)?.[1])),
    ]),
  );
}

export function behaviorTable(app: App): string {
  return stackTable(
    app,
    "what happens to",
    Object.values(app.behavior).map((row) => [row.label, ...stacksOf(app).map((stack) => row[stack] ?? "")]),
  );
}

type Cells = readonly (string | number)[];

/** A table with a column for each stack. */
export function stackTable(
  { stacks }: App,
  first: string,
  rows: readonly Cells[],
  more: readonly string[] = [],
): string {
  const head = [first, ...Object.values(stacks), ...more];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
