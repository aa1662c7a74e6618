import { posix, resolve } from "node:path";
import { convert as convertSchema, formatOf, type SchemaFormat } from "../../../language/convert/convert.ts";
import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { readStandardInput } from "../files/reader.ts";
import { overwriteFile } from "../files/write-files.ts";
import { reportFindings } from "../output/report.ts";

const options = {
  to: {
    kind: "text",
    value: "FORM",
    description: "Target format: ridl, yaml or ir; default: from the extension of --out",
  },
  from: {
    kind: "text",
    value: "FORM",
    description: "Source format: ridl, yaml or ir; default: from the extension of FILE",
  },
  out: { kind: "text", value: "FILE", description: "Output file (also -o); default: standard output" },
  bundle: { kind: "flag", description: "Include all imported files" },
  expand: {
    kind: "flag",
    description: "Write derived structs (omit, pick, partial) with their fields; implies --bundle",
  },
  lossy: { kind: "flag", description: "Drop what IR JSON has no place for, with a warning" },
  confineImports: { kind: "flag", description: "Reject imports of files outside the working directory" },
} as const;

type ConvertCall = CommandCall<typeof options>;

export const convert: Command = defineCommand({
  name: "convert",
  usage: "[options] FILE",
  description: `Converts a schema to another format, including comments. "-" reads standard input; --from then
names the format.

The result is parsed again and must have the same IR as the original, except for the order of
types (RK653). If the target format cannot express something, the command reports an error at its
position and writes nothing. IR JSON has no private comments and no docs of enums and errors: --lossy
drops them with a warning instead. RIDL has no backslash in a value, which is always an error.

Imports are kept, because RIDL and YAML can import each other, and are adjusted to the path of the
output. --bundle writes a single file without imports. IR JSON is always a single file.`,
  options,
  readsSchemas: false,
  jsonStream: "err",
  examples: [
    { command: "ridlkit convert api.ridl -o api.yaml", description: "Convert RIDL to YAML" },
    {
      command: "ridlkit convert --to ridl --bundle api.yaml",
      description: "Merge a schema and its imports",
    },
    { command: "ridlkit convert --from ir --to yaml - < api.json", description: "Convert standard input" },
  ],
  run: runConvert,
});

async function runConvert(call: ConvertCall): Promise<ExitCode> {
  const request = requestOf(call);
  if (typeof request === "string") return call.refuse(request);
  const { path, from, to, out } = request;
  const { bundle = false, expand = false, lossy = false, confineImports = false } = call.options;
  const entry = `${path === "-" ? "stdin" : path}${from === formatOf(path) ? "" : endings[from]}`;
  const sources = new Set<string>();
  const recorder: SourceReader = {
    ...call.reader,
    read(source) {
      sources.add(resolve(call.cwd, source));
      return call.reader.read(source);
    },
  };
  const reader = entry === path ? recorder : await renamed(recorder, path, entry);
  const { diagnostics, text } = convertSchema(entry, reader, {
    to,
    bundle,
    expand,
    lossy,
    ...(confineImports ? { importRoot: "." } : {}),
    ...(out === undefined ? {} : { out }),
  });
  if (out !== undefined && sources.has(resolve(call.cwd, out))) {
    call.terminal.err(
      `ridlkit: "${visible(out)}" is a source of this schema, so it is not overwritten. Choose another --out.\n`,
    );
    return exitCode.usage;
  }
  const faults = [...diagnostics];
  if (text !== undefined && out === undefined) call.terminal.out(text);
  if (text !== undefined && out !== undefined) {
    const reason = overwriteFile(out, text, call.cwd);
    if (reason !== undefined) faults.push(diagnose("cannot-write", { path: out, reason }, { path: out }));
  }
  if (faults.length > 0 || call.report.format === "json") reportFindings(call.report, faults);
  return faults.some(({ severity }) => severity === "error") ? exitCode.findings : exitCode.ok;
}

const endings: Readonly<Record<SchemaFormat, string>> = { ridl: ".ridl", yaml: ".yaml", ir: ".json" };

interface Request {
  readonly path: string;
  readonly from: SchemaFormat;
  readonly to: SchemaFormat;
  readonly out?: string;
}

/** Parses the arguments. Returns a message if they are invalid. */
function requestOf({ options: given, positionals }: ConvertCall): Request | string {
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    return `"convert" takes one FILE, or "-" for standard input.`;
  const from = given.from === undefined ? formatOf(path) : asFormat(given.from);
  if (from === undefined)
    return given.from === undefined
      ? `The format of "${path}" is unknown: use --from ridl, yaml or ir.`
      : formatMessage("from", given.from);
  const to = given.to === undefined ? formatOf(given.out ?? "") : asFormat(given.to);
  if (to === undefined)
    return given.to === undefined
      ? "The target format is unknown: use --to ridl, yaml or ir."
      : formatMessage("to", given.to);
  return { path, from, to, ...(given.out === undefined ? {} : { out: posix.normalize(given.out) }) };
}

function asFormat(text: string): SchemaFormat | undefined {
  return text === "ridl" || text === "yaml" || text === "ir" ? text : undefined;
}

function formatMessage(option: string, found: string): string {
  return `--${option} takes ridl, yaml or ir; found "${found}".`;
}

/** Reads the input under a name with the extension of its format. */
async function renamed(reader: SourceReader, path: string, entry: string): Promise<SourceReader> {
  const input = path === "-" ? await readStandardInput() : reader.read(path);
  return { ...reader, read: (wanted) => (wanted === entry ? input : reader.read(wanted)) };
}
