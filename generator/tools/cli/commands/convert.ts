import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import { convert as convertSchema, formatOf, type SchemaFormat } from "../../../language/convert/convert.ts";
import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { readStandardInput, systemReason } from "../files/reader.ts";
import { replaceFile } from "../files/replace-file.ts";
import { reportFindings } from "../output/report.ts";

const options = {
  to: {
    kind: "text",
    value: "FORM",
    description: "ridl, yaml or ir; without it what the name after --out says",
  },
  from: { kind: "text", value: "FORM", description: "what the input is, where its name does not say it" },
  out: { kind: "text", value: "FILE", description: "write into this file (also -o), not to standard output" },
  bundle: { kind: "flag", description: "put all that is imported into the one file" },
  lossy: { kind: "flag", description: "go on where the other form loses something, and warn of it" },
  confineImports: { kind: "flag", description: "refuse imports that lead out of this folder" },
} as const;

type ConvertCall = CommandCall<typeof options>;

export const convert: Command = defineCommand({
  name: "convert",
  summary: "turn a schema into RIDL, YAML or IR JSON",
  usage: "[options] FILE",
  description: `Writes the schema in another form, comments included. "-" reads standard input, whose form
--from says. The result is read back and must have the IR of the original; what the other form
cannot say is an error at its place, and nothing is written. Imports stay as they are, since RIDL
and YAML import each other, and lead on from where the file is written; with --bundle all is in one
file. IR JSON always is one, and holds no private comments and no docs of enums and errors: --lossy
goes on without them.`,
  options,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  readsSchemas: false,
  jsonStream: "err",
  examples: [
    { command: "ridlkit convert api.ridl -o api.yaml", description: "RIDL to YAML" },
    { command: "ridlkit convert --to ridl --bundle api.yaml", description: "one RIDL text with all imports" },
    { command: "ridlkit convert --from ir --to yaml - < api.json", description: "from a pipe" },
  ],
  run: runConvert,
});

async function runConvert(call: ConvertCall): Promise<ExitCode> {
  const request = requestOf(call);
  if (typeof request === "string") {
    call.terminal.err(`ridlkit: ${request}\nSee: ridlkit help convert\n`);
    return exitCode.usage;
  }
  const { path, from, to, out } = request;
  const { bundle = false, lossy = false, confineImports = false } = call.options;
  const entry = `${path === "-" ? "stdin" : path}${from === formatOf(path) ? "" : endings[from]}`;
  const reader = entry === path ? call.reader : await renamed(call.reader, path, entry);
  const { diagnostics, text } = convertSchema(entry, reader, {
    to,
    bundle,
    lossy,
    ...(confineImports ? { importRoot: "." } : {}),
    ...(out === undefined ? {} : { out }),
  });
  const faults = [...diagnostics];
  if (text !== undefined && out === undefined) call.terminal.out(text);
  if (text !== undefined && out !== undefined) {
    const reason = write(resolve(call.cwd, out), text);
    if (reason !== undefined) faults.push(diagnose("cannot-write", { path: out, reason }, { path: out }));
  }
  if (faults.length > 0 || call.report.format === "json") await reportFindings(call.report, faults);
  return faults.some(({ severity }) => severity === "error") ? exitCode.findings : exitCode.ok;
}

const endings: Readonly<Record<SchemaFormat, string>> = { ridl: ".ridl", yaml: ".yaml", ir: ".json" };

interface Request {
  readonly path: string;
  readonly from: SchemaFormat;
  readonly to: SchemaFormat;
  readonly out?: string;
}

function requestOf({ options: given, positionals }: ConvertCall): Request | string {
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    return `"convert" takes one FILE, or "-" for standard input.`;
  const from = given.from === undefined ? formatOf(path) : asFormat(given.from);
  if (from === undefined)
    return given.from === undefined ? `Say by --from what "${path}" is: ridl, yaml or ir.` : notAForm("from");
  const to = given.to === undefined ? formatOf(given.out ?? "") : asFormat(given.to);
  if (to === undefined)
    return given.to === undefined ? "Say by --to what comes out: ridl, yaml or ir." : notAForm("to");
  return { path, from, to, ...(given.out === undefined ? {} : { out: posix.normalize(given.out) }) };
}

function asFormat(text: string): SchemaFormat | undefined {
  return text === "ridl" || text === "yaml" || text === "ir" ? text : undefined;
}

function notAForm(option: string): string {
  return `--${option} takes ridl, yaml or ir.`;
}

/** Returns a reader that finds one input under the name `entry`, whose extension states the format. */
async function renamed(reader: SourceReader, path: string, entry: string): Promise<SourceReader> {
  const input = path === "-" ? await readStandardInput() : reader.read(path);
  return { read: (wanted) => (wanted === entry ? input : reader.read(wanted)) };
}

function write(path: string, text: string): string | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // "a" creates a missing file and keeps an existing file, which is then replaced atomically.
    writeFileSync(path, "", { flag: "a" });
  } catch (err) {
    return systemReason(err);
  }
  return replaceFile(path, text);
}
