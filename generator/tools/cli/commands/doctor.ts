import { visible } from "../../../language/diagnostics/visible.ts";
import { wrapWords } from "../../../language/diagnostics/wrap.ts";
import { type DoctorFinding, examine } from "../../doctor/examine.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { inspectProject } from "../doctor/inspect-project.ts";
import { outColumns } from "../output/terminal.ts";

export const doctor: Command = defineCommand({
  name: "doctor",
  usage: "[options]",
  description: `Checks Node.js, the version of ridlkit, the schemas of the configuration, generated files,
package.json, tsconfig.json with all configurations that it extends or references, imported
packages, and .gitattributes. Type-checks generated code with your compiler options. Writes
nothing.

With --format json: { ok, findings: [{ level, message, help }] }; level: error, warning or ok

The exit code is 1 if something does not work. Warnings do not change it.`,
  options: {},
  takesArguments: false,
  jsonStream: "out",
  examples: [{ command: "ridlkit doctor", description: "Check the project here" }],
  async run(call) {
    const findings = examine(await inspectProject(call as unknown as CommandCall));
    const ok = findings.every(({ level }) => level !== "error");
    if (call.report.format === "json") call.terminal.out(`${JSON.stringify({ ok, findings }, null, 2)}\n`);
    else call.terminal.out(findings.map((finding) => linesOf(finding, call)).join(""));
    return ok ? exitCode.ok : exitCode.findings;
  },
});

const marks = { error: "error    ", warning: "warning  ", ok: "ok       " } as const;
const noMark = " ".repeat(marks.ok.length);

function linesOf({ level, message, help = "" }: DoctorFinding, { report, terminal }: CommandCall): string {
  if (report.quiet && level !== "error") return "";
  const lines = [message, help].flatMap((text) =>
    text === "" ? [] : wrapWords(visible(text), outColumns(terminal) - noMark.length),
  );
  return lines.map((line, index) => `${index === 0 ? marks[level] : noMark}${line}\n`).join("");
}
