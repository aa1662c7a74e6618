import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type DocsPage, searchDocs } from "../../mcp/docs.ts";
import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";

export const docs: Command = defineCommand({
  name: "docs",
  usage: "[PAGE | WORD ...]",
  description: `Prints a page of the documentation of this version, or the sections that have the words. Without
an argument, the pages are listed.`,
  options: {},
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit docs", description: "List the pages" },
    { command: "ridlkit docs handlers", description: "Print the page about handlers" },
    { command: "ridlkit docs idempotency key store", description: "Find sections" },
  ],
  run({ positionals, report, terminal }) {
    const text = searchDocs(readDocs(), positionals.join(" "), Number.POSITIVE_INFINITY);
    terminal.out(report.format === "json" ? `${JSON.stringify({ text })}\n` : `${text.trimEnd()}\n`);
    return exitCode.ok;
  },
});

/** The docs are next to the bundle, in the folder of the package. */
export function readDocs(): readonly DocsPage[] {
  return ["", "works-with/"].flatMap((part) => {
    const folder = new URL(`../docs/${part}`, import.meta.url);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(".md"))
      .sort()
      .map((file) => ({
        name: part + file.replace(/\.md$/, ""),
        text: readFileSync(new URL(file, folder), "utf8"),
      }));
  });
}
