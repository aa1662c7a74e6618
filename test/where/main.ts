/** `npm run where -- WORDS` prints the source files that the words are about, the best first, each with its best declarations. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Hit, search } from "./search.ts";
import { readSource, type Source } from "./source.ts";

/** A screenful. */
const shownMax = 12;

const words = process.argv.slice(2).join(" ");
if (words === "") {
  process.stderr.write("Usage: npm run where -- WORD...\nFor example: npm run where -- webhook pause\n");
  process.exitCode = 2;
} else {
  const hits = search(allSources(fileURLToPath(new URL("../..", import.meta.url))), words, shownMax);
  process.stdout.write(hits.map(textOf).join(""));
  if (hits.length === 0) {
    process.stderr.write("No source file contains these words.\n");
    process.exitCode = 1;
  }
}

/** Of both products, without tests and generated code. */
function allSources(root: string): readonly Source[] {
  return ["generator", "server", "client"].flatMap((half) =>
    readdirSync(join(root, half), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<![.]d)[.]tsx?$/.test(path) && !/(^|[\\/])(dist|node_modules)[\\/]/.test(path))
      .map((path) => `${half}/${path.replaceAll("\\", "/")}`)
      .map((path) => readSource(path, readFileSync(join(root, path), "utf8"))),
  );
}

function textOf({ path, declarations }: Hit): string {
  return `${path}\n${declarations
    .map(({ line, name, comment }) => {
      const sentence = /^.*?[.](?= |$)/.exec(comment)?.[0] ?? comment;
      return `  ${line}: ${[name, sentence].filter(Boolean).join(" · ")}\n`;
    })
    .join("")}`;
}
