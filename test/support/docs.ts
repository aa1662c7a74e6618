import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { platform, toolkit } from "../../docs/.vitepress/pages.ts";

export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of a page and the 1-based line of its fence. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The path in a comment on the first line: `// server.ts`. */
  readonly file: string | undefined;
  /** The text of the block that follows without prose in between: what a command prints. */
  readonly output: string | undefined;
}

/** Every page of the repository, as a path from its root. */
export function pages(): readonly string[] {
  const skipped = /(^|\/)(node_modules|dist|\.git|\.venv|\.vitepress|coverage|fixtures|golden|\.made)(\/|$)/;
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

/** Returns a page with the text between each `<!-- generated -->` and `<!-- end -->` replaced by the next part. */
export function withGenerated(page: string, ...parts: readonly string[]): string {
  const left = [...parts];
  const text = readPage(page).replaceAll(
    /(?<=^<!-- generated -->\n)[\s\S]*?(?=^<!-- end -->$)/gm,
    () => `\n${left.shift() ?? "<!-- a part too many -->"}\n\n`,
  );
  if (left.length > 0) throw new Error(`${page} lacks ${left.length} generated parts`);
  return text;
}

export function blocksOf(page: string): readonly Block[] {
  const text = readPage(page);
  const fences = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return fences.map((fence, index) => {
    const [all, language = "", code = ""] = fence;
    const next = fences[index + 1];
    const prose = text.slice(fence.index + all.length, next?.index);
    const isOutput = next !== undefined && /^(text|json|yaml)$/.test(next[1] ?? "") && prose.trim() === "";
    return {
      page,
      line: text.slice(0, fence.index).split("\n").length,
      language,
      text: code,
      file: /^(?:\/\/|#) ([\w./[\]-]+\.\w+)\n/.exec(code)?.[1],
      output: isOutput ? next[2] : undefined,
    };
  });
}

/** Commands that CI runs for itself: within a test they would start the tests again. */
export const isForNpm: RegExp = /^(npm (ci|i|install|run|start|test)|npx ridlkit init hello)\b/m;

/** Commands that need a running platform: host-calls.process.test.ts runs them. */
export const isForHost: RegExp = /^curl .*127[.]0[.]0[.]1|^npx platform /m;

/** A link from a page in `docs/` to the explanation of a code. */
export function linkToCode(code: string, name: string): string {
  return `[${code}](codes/rk${code.slice(2, 3)}00.md#${code.toLowerCase()}-${name})`;
}

/** The last line of a guide: a link to the page after it in its book. */
export function nextLine(source: string): string {
  const book = [toolkit, platform].find((sections) =>
    sections.some(({ pages }) => pages.some((page) => page.source === source)),
  );
  const order = book?.flatMap(({ pages }) => pages) ?? [];
  const next = order[order.findIndex((page) => page.source === source) + 1];
  return next === undefined
    ? ""
    : `Next: [${next.title}](${posix.relative(posix.dirname(source), next.source)}).`;
}
