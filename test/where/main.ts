/** `npm run where -- WORDS` prints the declarations whose names, comments and texts contain most of the words, the best first. */
import { fileURLToPath } from "node:url";
import { allDeclarations } from "./declarations.ts";
import { type Hit, search } from "./search.ts";

/** A screenful. */
const shownMax = 15;

const root = fileURLToPath(new URL("../..", import.meta.url));
const words = process.argv.slice(2);
if (words.length === 0) {
  process.stderr.write("Usage: npm run where -- WORD...\nFor example: npm run where -- webhook pause\n");
  process.exitCode = 2;
} else {
  const hits = search(allDeclarations(root), words);
  const most = Math.max(0, ...hits.map((hit) => hit.words));
  // With fewer of the words, hits are noise.
  const shown = hits.filter((hit) => hit.words >= Math.max(1, most - 1)).slice(0, shownMax);
  process.stdout.write(`Words found together, at most: ${most}\n${shown.map(textOf).join("")}`);
}

function textOf({ declaration: { path, line, name, text }, words: count }: Hit): string {
  const sentence = /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
  return `${count}  ${path}:${line}${name === undefined ? "" : ` ${name}`}${sentence === "" ? "" : `\n       ${sentence}`}\n`;
}
