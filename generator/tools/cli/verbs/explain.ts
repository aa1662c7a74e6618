import { type CatalogName, catalog } from "../../../language/diagnostics/catalog.ts";
import {
  type CodeExplanation,
  codeList,
  exampleJson,
  explainText,
  findCode,
  nearestCode,
} from "../../../language/diagnostics/explain.ts";
import { visibleJson } from "../../../language/diagnostics/visible.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { didYouMean, usageText } from "../refusal.ts";
import { type Call, defineVerb, type Verb } from "../verb.ts";

/** Says what a code means, with an example. */
export const explain: Verb = defineVerb({
  name: "explain",
  says: "explain a code, as RK308, or list all of them",
  usage: "[options] [CODE ...]",
  about: `Prints the law behind a code, its reason, and an example that breaks it beside one that does not.
A code is given as RK308, 308 or by its name, as unknown-type. Without one all codes are listed.
With --format json the output is one document:
  { codes: [{ code, name, severity, message, advice, law, reason, bad, good }] }`,
  options: {},
  exclusive: [],
  several: true,
  readsSchemas: false,
  documentOn: "out",
  examples: [
    { command: "ridlkit explain RK308", says: "what is behind it" },
    { command: "ridlkit explain", says: "all codes, one a line" },
  ],
  async run(call) {
    const unknown = call.words.find((word) => findCode(word) === undefined);
    if (unknown !== undefined) return refuse(unknown, call);
    const names = call.words.map(findCode).filter((name) => name !== undefined);
    const explained = await Promise.all(
      (names.length > 0 ? names : codeList().map(([, name]) => name)).map(look),
    );
    if (call.report.format === "json") call.terminal.out(documentOf(explained));
    else call.terminal.out(names.length > 0 ? explained.map(explainText).join("\n") : listOf(explained));
    return exitCode.ok;
  },
});

function refuse(word: string, { terminal }: Call): ExitCode {
  const hint = didYouMean(nearestCode(word)) || " All of them: ridlkit explain";
  terminal.err(usageText(`There is no code "${word}".${hint}`, "ridlkit help explain"));
  return exitCode.usage;
}

async function look(name: CatalogName): Promise<CodeExplanation> {
  const { explanations } = await import("../../../language/diagnostics/explanations.ts");
  return { name, entry: catalog[name], ...explanations[name] };
}

/** `RK308 error    There is no type "{name}".` */
function listOf(explained: readonly CodeExplanation[]): string {
  return explained
    .map(({ entry }) => `${entry.code} ${entry.severity.padEnd(7)} ${entry.message}\n`)
    .join("");
}

function documentOf(explained: readonly CodeExplanation[]): string {
  const codes = explained.map(
    ({ name, entry: { code, severity, message, advice }, rule, reason, bad, good }) => ({
      code,
      name,
      severity,
      message,
      ...(advice === undefined ? {} : { advice }),
      law: rule,
      reason,
      bad: exampleJson(bad),
      good: exampleJson(good),
    }),
  );
  return `${visibleJson(JSON.stringify({ codes }, null, 2))}\n`;
}
