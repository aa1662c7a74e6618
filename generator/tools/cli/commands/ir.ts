import { compile } from "../../../language/compile.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { expandIr } from "../../../language/ir/expand.ts";
import { filterIr, type IrFilter } from "../../../language/ir/filter.ts";
import type { IrSchema } from "../../../language/ir/schema.ts";
import { hashIr, writeIr } from "../../../language/ir/write.ts";
import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { unknownInFilter } from "../config/schemas.ts";
import { type OptionTable, schemaOptions, type Values } from "../options.ts";
import { type Report, reportFindings } from "../output/report.ts";

const irOptions = {
  ...schemaOptions,
  hash: { kind: "flag", description: "Print the schema hash instead" },
  expand: {
    kind: "flag",
    description: "Write derived structs (omit, pick, partial) with their fields, for other generators",
  },
  service: { kind: "names", value: "A,B", description: "Include only these services" },
  methodTreeShake: {
    kind: "flag",
    description: "With --service: exclude types that the services do not use",
  },
  match: {
    kind: "annotations",
    value: "@x,@y:v",
    description: "Include only methods with one of these annotations",
  },
  ignore: {
    kind: "annotations",
    value: "@x,@y:v",
    description: "Exclude methods with one of these annotations",
  },
  schemaVersion: { kind: "optionalText", value: "V", description: "Replace the schema's version" },
} as const satisfies OptionTable;

export const ir: Command = defineCommand({
  name: "ir",
  usage: "[options] [FILE]",
  description: `Prints the IR of FILE, or of the configuration's schema, byte for byte as webrpc does. --hash
prints the schema hash instead. If the schema has errors, nothing is printed to standard output.

Diagnostics go to standard error. With --format json they are a document as from lint, and --hash
prints { "hash": "..." }.`,
  options: irOptions,
  exclusiveOptions: [["match", "ignore"]],
  takesOneSchema: true,
  jsonStream: "err",
  examples: [
    { command: "ridlkit ir schema/api.ridl > api.json", description: "Write the IR to a file" },
    { command: "ridlkit ir --hash schema/api.ridl", description: "Print the schema hash" },
    { command: "ridlkit ir --expand api.ridl > api.json", description: "Write the IR for webrpc-gen" },
    {
      command: "ridlkit ir --service Admin --method-tree-shake api.ridl",
      description: "Print one service and its types",
    },
    { command: "ridlkit ir --ignore @internal --project public", description: "Print the public part" },
  ],
  async run({ options, schemas, reader, report, terminal }) {
    for (const schema of schemas) {
      const { diagnostics, result } = compile(schema.path, reader, schema);
      const filter = filterWith(schema.filter, options);
      const unknown = result === undefined ? [] : unknownInFilter(result.ir, { ...schema, filter });
      const found = [...diagnostics, ...unknown];
      if (found.length > 0) reportFindings(report, found);
      if (result === undefined || unknown.some(({ severity }) => severity === "error"))
        return exitCode.findings;
      const whole = options.expand === true ? expandIr(result.ir, result.model) : result.ir;
      const filtered = filterIr(whole, filter);
      const text = writeIr(filtered);
      warnAboutAliases(whole, filtered, text, report);
      terminal.out(options.hash ? hashLine(hashIr(text), report) : text);
    }
    return exitCode.ok;
  },
});

/** Flags override the settings of the schema. `match` and `ignore` count as one setting, because they cannot be combined. */
function filterWith(settled: IrFilter, options: Values<typeof irOptions>): IrFilter {
  const { match, ignore, ...rest } = settled;
  const given = { ...nonEmpty("match", options.match), ...nonEmpty("ignore", options.ignore) };
  const annotations =
    Object.keys(given).length > 0 ? given : { ...nonEmpty("match", match), ...nonEmpty("ignore", ignore) };
  return {
    ...rest,
    ...annotations,
    ...(options.service?.length ? { services: options.service } : {}),
    ...(options.methodTreeShake === undefined ? {} : { methodTreeShake: options.methodTreeShake }),
    ...(options.schemaVersion ? { schemaVersion: options.schemaVersion } : {}),
  };
}

type Annotations = ReadonlyMap<string, string>;

function nonEmpty<Key extends "match" | "ignore">(
  key: Key,
  annotations: Annotations | undefined,
): { readonly [K in Key]?: Annotations } {
  return annotations === undefined || annotations.size === 0
    ? {}
    : ({ [key]: annotations } as Record<Key, Annotations>);
}

/** `--method-tree-shake` drops aliases, as webrpc does, also those that remaining types and methods use. */
function warnAboutAliases(
  before: IrSchema,
  after: IrSchema,
  text: string,
  { terminal, quiet }: Report,
): void {
  if (quiet) return;
  const kept = new Set(after.types?.map(({ name }) => name));
  const types = [...text.matchAll(/"type": *"([^"]*)"/g)].flatMap(([, type = ""]) => type.split(/[^\w]+/));
  const used = new Set(types);
  const lost = (before.types ?? []).filter(({ name }) => !kept.has(name) && used.has(name));
  if (lost.length === 0) return;
  const names = visible(lost.map(({ name }) => name).join(", "));
  terminal.err(`ridlkit: --method-tree-shake drops aliases that are in use, as webrpc does: ${names}\n`);
}

function hashLine(hash: string, { format }: Report): string {
  return format === "json" ? `${JSON.stringify({ hash })}\n` : `${hash}\n`;
}
