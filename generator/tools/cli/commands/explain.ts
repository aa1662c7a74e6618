import { visibleJson } from "../../../language/diagnostics/visible.ts";
import { wrapWords } from "../../../language/diagnostics/wrap.ts";
import {
  allCodes,
  exampleJson,
  explainText,
  findCode,
  type NamedEntry,
  nearestCode,
} from "../../../language/explain.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { didYouMean, exitCode } from "../command-error.ts";
import { outColumns, textColumns } from "../output/terminal.ts";

export const explain: Command = defineCommand({
  name: "explain",
  usage: "[options] [CODE ...]",
  description: `Prints the rule behind a code, its reason, and an invalid and a valid example.
A code is given as RK308, as 308, or by its name, such as unknown-type. Without a code, all are
listed.

With --format json:
  { codes: [{ code, name, severity, message, advice, rule, reason, invalid, valid }] }`,
  options: {},
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit explain RK308", description: "Explain a code" },
    { command: "ridlkit explain", description: "List all codes" },
  ],
  run(call) {
    const unknown = call.positionals.find((word) => findCode(word) === undefined);
    if (unknown !== undefined) return call.refuse(unknownCode(unknown));
    const named = call.positionals.map(findCode).filter((found) => found !== undefined);
    const explained = named.length > 0 ? named : allCodes;
    if (call.report.format === "json") call.terminal.out(documentOf(explained));
    else call.terminal.out(named.length > 0 ? explanationsOf(explained, call) : listOf(explained, call));
    return exitCode.ok;
  },
});

function unknownCode(word: string): string {
  const hint = didYouMean(nearestCode(word)) || " Run ridlkit explain to list all codes.";
  return `Unknown code "${word}".${hint}`;
}

function explanationsOf(explained: readonly NamedEntry[], { terminal }: CommandCall): string {
  return explained.map((one) => explainText(one, textColumns(outColumns(terminal)))).join("\n");
}

/** `RK308 error   There is no type "{name}".` */
function listOf(explained: readonly NamedEntry[], { terminal }: CommandCall): string {
  return explained
    .map(({ entry }) => {
      const start = `${entry.code} ${entry.severity.padEnd(7)} `;
      const lines = wrapWords(entry.message, outColumns(terminal) - start.length);
      return `${start}${lines.join(`\n${" ".repeat(start.length)}`)}\n`;
    })
    .join("");
}

function documentOf(explained: readonly NamedEntry[]): string {
  const codes = explained.map(
    ({ name, entry: { code, severity, message, advice, rule, reason, examples } }) => {
      const { bad, good } = examples();
      return {
        code,
        name,
        severity,
        message,
        ...(advice === undefined ? {} : { advice }),
        rule,
        reason,
        invalid: exampleJson(bad),
        valid: exampleJson(good),
      };
    },
  );
  return `${visibleJson(JSON.stringify({ codes }, null, 2))}\n`;
}
