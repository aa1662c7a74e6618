import { filterModel } from "../../../codegen/plan/filter.ts";
import { type CompiledSchema, compile, errorsOf } from "../../../language/compile.ts";
import { type Diagnostic, type Location, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import { counted, tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { Model } from "../../../language/model/model.ts";
import { SourceFile } from "../../../language/source/source-file.ts";
import { findBreaks } from "../../../verify/breaking/compare.ts";
import {
  asConverted,
  type BreakingFinding,
  unknownIgnores,
  withoutIgnored,
} from "../../../verify/breaking/findings.ts";
import { type EarlierVersion, readEarlierVersion } from "../../../verify/breaking/unchanged.ts";
import { type BaseSchema, readAgainst, type SpokenVersions } from "../breaking/against.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type CommandError, exitCode } from "../command-error.ts";
import type { Schema } from "../config/schemas.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { reportFindings } from "../output/report.ts";
import { ProgressLine } from "../output/terminal.ts";

const breakingOptions = {
  ...schemaOptions,
  against: {
    kind: "text",
    value: "VERSION",
    description: "Earlier version: a Git revision, a kept version, a file or a URL",
  },
  replay: {
    kind: "text",
    value: "CALLS",
    description: 'Also make calls: "generated", or a file of recorded calls',
  },
  seed: { kind: "integer", value: "N", description: "Seed of generated calls; default: 1" },
  clientsFirst: { kind: "flag", description: "Check new callers against the earlier server instead" },
} as const satisfies OptionTable;

type BreakingCall = CommandCall<typeof breakingOptions>;

export const breaking: Command = defineCommand({
  name: "breaking",
  usage: "--against VERSION [options] [FILE]",
  description: `Compares each schema with an earlier version and reports changes that break callers of that version
once the new server runs. An edit is reported once, at its position in the current schema, no
matter how many methods it affects. Errors break calls. Warnings change the meaning of calls, or
break code that is compiled again. "ridlkit explain CODE" describes each rule.

VERSION is a file, a URL, a kept version of the history, a Git revision (main, v1.2.0, HEAD~3), or
REF:PATH. A schema that was moved since a revision is found there, and one that is not in it is new. A file takes precedence over a kept version, and both
over a revision; another meaning of the name is reported.

A comment in the schema suppresses a finding:
  #! ridlkit-ignore method-removed: it was never called

If the earlier version is kept in the folder "history" of the configuration, the server converts
its calls. Findings that converters cover then are warnings with the note "Converted for VERSION."
They do not fail, not even with --strict.

--replay generates the client and the server of both versions in memory and makes calls. If an old
client fails with the new server, the exit code is 1. Failures of a new client with the old server
are warnings.
CALLS is "generated" or a file of recorded calls, one per line: { "service", "method", "request" }

JSON output is the same as that of lint. The exit code is 1 if a change breaks callers; with
--strict, also for warnings.`,
  options: breakingOptions,
  jsonStream: "out",
  examples: [
    {
      command: "ridlkit breaking --against main",
      description: "Compare all schemas with main",
    },
    { command: "ridlkit breaking --against v1.ridl api.ridl", description: "Compare two files" },
    {
      command: "ridlkit breaking --against main --replay generated",
      description: "Also make generated calls",
    },
  ],
  async run(call) {
    const { options, schemas, report } = call;
    const { against } = options;
    if (against === undefined)
      return call.refuse("Missing --against VERSION: which version should the schema be compared with?");
    const found: Diagnostic[] = [];
    const lines: string[] = [];
    for (const schema of schemas) {
      using progress = new ProgressLine(report);
      progress.show(`Comparing ${schema.path} with ${against}`);
      const compared = await compareSchema(schema, against, progress, call);
      progress.clear();
      if ("error" in compared) return call.refuse(errorMessage(compared.error));
      found.push(...compared.findings);
      lines.push(summaryLine(schema, against, compared));
    }
    reportFindings(report, found);
    if (report.format === "text" && !report.quiet) call.terminal.out(lines.join(""));
    return tallyOf(found).errors === 0 ? exitCode.ok : exitCode.findings;
  },
});

interface Compared {
  readonly findings: readonly Diagnostic[];
  /** Whether both versions are free of errors. "new" if there is no earlier one. */
  readonly isRead: boolean | "new";
  readonly converted?: Converted | undefined;
}

/** Findings that the converters of a kept version cover. */
interface Converted {
  readonly version: string;
  readonly count: number;
}

async function compareSchema(
  schema: Schema,
  against: string,
  progress: ProgressLine,
  call: BreakingCall,
): Promise<Compared | { readonly error: CommandError }> {
  const { reader, options } = call;
  const other = await readAgainst(against, schema, call);
  if (other.error !== undefined) return { error: other.error };
  const earlier = other.value;
  if (earlier === undefined) return { findings: [], isRead: "new" };
  const { ambiguity } = earlier;
  if (ambiguity !== undefined && !call.report.quiet) call.terminal.err(`ridlkit: ${visible(ambiguity)}\n`);
  const now = compile(schema.path, reader, schema);
  const base = options.replay === undefined ? now.result : undefined;
  const before = await readBefore(earlier, base, schema);
  const faults = [...errorsOf(now), ...errorsOf(before).map((one) => labeled(one, earlier.label))];
  if (now.result === undefined || before.version === undefined) return { findings: faults, isRead: false };
  const { version, found } = await findAgainst(before.version, now.result, earlier, call, schema);
  const breaks = withoutIgnored(found, now.result.scopes);
  const shown = breaks.map((one) => withNotesLabeled(one, version.compiled, earlier.label));
  const spoken = await spokenVersions(now.result, earlier, call, schema);
  let replayFindings: readonly Diagnostic[] = [];
  if (options.replay !== undefined) {
    const { replayVersions } = await import("../breaking/replaying.ts");
    const replayed = await replayVersions(
      {
        before: version.compiled,
        now: now.result,
        history: isWhole(schema) ? (spoken?.history ?? []) : [],
        schema,
      },
      options.replay,
      progress,
      call,
    );
    if ("error" in replayed) return replayed;
    replayFindings = replayed.findings;
  }
  const unknown = unknownIgnores(now.result.scopes);
  const strict = <Found extends Diagnostic>(one: Found): Found => (schema.strict ? underStrict(one) : one);
  const changes = shown.map((one) =>
    spoken !== undefined && one.isConvertible ? asConverted(one, spoken) : strict(one),
  );
  return {
    findings: [...faults, ...unknown.map(strict), ...changes, ...replayFindings.map(strict)],
    isRead: true,
    converted: spoken && {
      version: spoken.version,
      count: changes.filter(({ isConvertible }) => isConvertible).length,
    },
  };
}

/** The versions that the new server speaks. Undefined without a history, and for new clients of the old server. */
async function spokenVersions(
  now: CompiledSchema,
  against: BaseSchema,
  { options, reader }: BreakingCall,
  schema: Schema,
): Promise<SpokenVersions | undefined> {
  if (schema.generation?.history === undefined || options.clientsFirst === true) return undefined;
  const { version } = await readBefore(against, undefined, schema);
  if (version === undefined) return undefined;
  const { findSpokenVersions } = await import("../breaking/against.ts");
  return findSpokenVersions(schema, now, version.compiled, reader);
}

type Version = NonNullable<EarlierVersion["version"]>;

/** Finds breaking changes. Compiles the earlier version completely if notes need positions in unchanged declarations that were skipped. */
async function findAgainst(
  short: Version,
  now: CompiledSchema,
  against: BaseSchema,
  { options }: BreakingCall,
  schema: Schema,
): Promise<{ readonly version: Version; readonly found: readonly BreakingFinding[] }> {
  const first = options.clientsFirst === true ? "callers" : "servers";
  const findIn = ({ model, unchanged }: Version): readonly BreakingFinding[] =>
    findBreaks({ before: modelOf(model, schema), now: modelOf(now.model, schema), first, unchanged });
  const found = findIn(short);
  const currentSources = new Set(now.scopes.map(({ file }) => file.source));
  const hasAllLocations = found.every(({ notes }) =>
    notes.every(({ at }) => at === undefined || !currentSources.has(at.file)),
  );
  if (hasAllLocations) return { version: short, found };
  const { version } = await readBefore(against, undefined, schema);
  return version === undefined ? { version: short, found } : { version, found: findIn(version) };
}

/** Applies the filters of the configuration, such as `ignore: ["@internal"]`, so that only the public contract is compared. */
function modelOf(model: Model, schema: Schema): Model {
  return isWhole(schema) ? model : filterModel(model, schema.filter);
}

function isWhole({ filter }: Schema): boolean {
  return Object.keys(filter).length === 0;
}

/** Compiles the earlier version. Unchanged declarations are skipped, unless filters, calls or a broken current schema need all of them. */
function readBefore(
  { path, reader, fetchMissing }: BaseSchema,
  now: CompiledSchema | undefined,
  schema: Schema,
): Promise<EarlierVersion> {
  const { hashParity } = schema;
  return readEarlierVersion(path, reader, isWhole(schema) ? now : undefined, { hashParity, fetchMissing });
}

/** Prefixes positions in the earlier version: `main:api.ridl:3:1`. */
function withNotesLabeled(one: BreakingFinding, before: CompiledSchema, label: string): BreakingFinding {
  if (label === "" || one.notes.length === 0) return one;
  const old = new Set(before.scopes.map(({ file }) => file.source));
  const notes = one.notes.map((note) =>
    note.at !== undefined && old.has(note.at.file) ? { ...note, at: relabeled(note.at, label) } : note,
  );
  return { ...one, notes };
}

function labeled(one: Diagnostic, label: string): Diagnostic {
  const { fix: _, suggestion: __, at, ...rest } = one;
  const path = `${label}${one.path}`;
  return at === undefined ? { ...rest, path } : { ...rest, path, at: relabeled(at, label) };
}

function relabeled({ file, span }: Location, label: string): Location {
  return { file: new SourceFile(`${label}${file.path}`, file.text), span };
}

/** `api.ridl: 2 errors, 1 warning against main`. */
function summaryLine({ path }: Schema, against: string, { findings, isRead, converted }: Compared): string {
  const { errors, warnings } = tallyOf(findings);
  const convertedCount = converted?.count ?? 0;
  if (isRead === "new") return `${visible(path)}: new, not in ${visible(against)}\n`;
  if (!isRead) return `${visible(path)}: invalid\n`;
  const parts = [
    ...(errors === 0 ? [] : [counted(errors, "breaking change")]),
    ...(warnings === convertedCount ? [] : [counted(warnings - convertedCount, "warning")]),
  ];
  if (parts.length === 0) parts.push("no breaking changes");
  if (convertedCount > 0) parts.push(`${convertedCount} converted for ${converted?.version}`);
  const words = parts.join(", ");
  return `${visible(path)}: ${words} against ${visible(against)}\n`;
}

function errorMessage(error: CommandError): string {
  return error.kind === "usage" ? error.message : "The configuration is invalid.";
}
