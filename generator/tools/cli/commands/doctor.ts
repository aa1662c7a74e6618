import { visible } from "../../../language/diagnostics/visible.ts";
import { examine, type Finding } from "../../doctor/examine.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { inspectProject } from "../doctor/inspect-project.ts";
import { exitCode } from "../exit-code.ts";

export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "tell what is wrong with a set-up",
  usage: "[options]",
  description: `Examines Node.js, the versions of ridlkit, the schemas of the configuration, their generated files,
package.json, tsconfig.json with all that it inherits or refers to, the packages that your files
import, and .gitattributes. Compiles the generated code with your options and writes nothing.
Reports what is wrong and what to do.
The exit code is 1 if something does not work; advice leaves it at 0.
With --format json: { ok, findings: [{ level, message, remedy }] }; level: fault, advice or fine`,
  options: {},
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  takesNames: true,
  jsonStream: "out",
  examples: [{ command: "ridlkit doctor", description: "in the folder of the configuration" }],
  async run(call) {
    const findings = examine(await inspectProject(call as unknown as CommandCall));
    const ok = findings.every(({ level }) => level !== "fault");
    if (call.report.format === "json") call.terminal.out(`${JSON.stringify({ ok, findings }, null, 2)}\n`);
    else call.terminal.out(findings.map((finding) => line(finding, call.report.quiet)).join(""));
    return ok ? exitCode.ok : exitCode.findings;
  },
});

const marks = { fault: "wrong ", advice: "advice", fine: "fine  " } as const;

function line({ level, message, remedy }: Finding, isQuiet: boolean): string {
  if (isQuiet && level !== "fault") return "";
  const todo = remedy === undefined ? "" : `        ${visible(remedy)}\n`;
  return `${marks[level]}  ${visible(message)}\n${todo}`;
}
