/** `npm run where -- WORDS` prints the declarations whose names and comments contain most of the words, the best first. */
import { fileURLToPath } from "node:url";
import { allDeclarations, type Declaration } from "./declarations.ts";
import { search } from "./search.ts";

/** A screenful. */
const shownMax = 15;

const root = fileURLToPath(new URL("../..", import.meta.url));
const words = process.argv.slice(2);
if (words.length === 0) {
  process.stderr.write("Usage: npm run where -- WORD...\nFor example: npm run where -- webhook pause\n");
  process.exitCode = 2;
} else {
  const found = search(allDeclarations(root), words);
  process.stdout.write(found.slice(0, shownMax).map(lineOf).join(""));
  const rest = found.length - shownMax;
  if (rest > 0) process.stdout.write(`${rest} more files have some of the words\n`);
  if (found.length === 0) process.stdout.write("No declaration has any of the words\n");
}

function lineOf({ path, line, name, text }: Declaration): string {
  const sentence = /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
  return `${path}:${line}${name === undefined ? "" : ` ${name}`}${sentence === "" ? "" : `\n    ${sentence}`}\n`;
}
