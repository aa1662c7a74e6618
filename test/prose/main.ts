/** Checks the words of docs, comments, messages and names: `npm run prose`, after `npm ci --prefix test/prose`. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { avoidedInNames, publicNames } from "./names.ts";
import { textsOf } from "./texts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
if (!existsSync(new URL("node_modules/", import.meta.url))) {
  console.error(
    "Words are not checked: npm ci --prefix test/prose --ignore-scripts installs what is needed.",
  );
  process.exit(1);
}
const load = createRequire(import.meta.url);
const { TextlintKernel } = load("@textlint/kernel");
const kernel = new TextlintKernel();
const plugins = ["markdown", "text"].map((pluginId) => ({
  pluginId,
  plugin: load(`@textlint/textlint-plugin-${pluginId}`).default,
}));
const rules = [
  {
    ruleId: "prh",
    rule: load("textlint-rule-prh").default,
    options: { rulePaths: [fileURLToPath(new URL("words.yml", import.meta.url))] },
  },
];

/** Generated files repeat sources; the contract's words are fixed; fixtures are input. */
const skipped = /^(generated|test)\/|\/generated\/|CHANGELOG[.]md$|[.]d[.]m?ts$/;
const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.tsx", "*.mjs"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && !skipped.test(path));

let findings = 0;
for (const path of files) {
  const text = readFileSync(join(root, path), "utf8");
  const isPage = path.endsWith(".md");
  const { prose, names } = isPage ? { prose: text, names: [] } : textsOf(path, text);
  const { messages } = await kernel.lintText(prose, {
    ext: isPage ? ".md" : ".txt",
    filePath: path,
    plugins,
    rules,
  });
  for (const { line, column, message } of messages) report(`${path}:${line}:${column}`, message);
  for (const { name, line } of names) {
    const avoided = wordsOf(name).find((word) => avoidedInNames.has(word));
    if (avoided !== undefined && !publicNames.has(name))
      report(`${path}:${line}`, `the name "${name}" has "${avoided}" in it`);
  }
}
console.log(`${files.length} files, ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;

function report(place: string, message: string): void {
  findings++;
  console.log(`${place}: ${message}`);
}

/** `isToldTwice` → is, told, twice */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}
