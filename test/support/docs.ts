import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of a page and the 1-based line of its fence. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Every page of the repository, as a path from its root. */
export function pages(): readonly string[] {
  const skipped = /(^|\/)(node_modules|dist|\.git|coverage|fixtures|golden)(\/|$)/;
  return folders("").flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  );

  function folders(folder: string): string[] {
    const inside = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !skipped.test(join(folder, entry.name)))
      .flatMap((entry) => folders(join(folder, entry.name)));
    return [folder, ...inside];
  }
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

export function blocksOf(page: string): readonly Block[] {
  const text = readPage(page);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    text: match[2] ?? "",
  }));
}
