import { createHash } from "node:crypto";
import { posix, resolve } from "node:path";
import { type CompiledSchema, compile } from "../../compile.ts";
import { type Diagnostic, diagnose } from "../../diagnostics/diagnostic.ts";
import { suggest } from "../../diagnostics/suggest.ts";
import { tallyOf } from "../../diagnostics/tally.ts";
import { visible } from "../../diagnostics/visible.ts";
import type { CustomTemplates } from "../../emit/custom/custom.ts";
import type { OpenapiOptions } from "../../emit/openapi/options.ts";
import { filterIr } from "../../ir/filter.ts";
import type { Model } from "../../model/model.ts";
import { isTargetName, type TargetName, targetNames } from "../../plan/targets.ts";
import type { SourceReader } from "../../source/reader.ts";
import type { Change } from "../../write/diff.ts";
import { isFresh } from "../../write/freshness.ts";
import { type Hashes, hashOf, type Manifest, manifestName, readManifest } from "../../write/manifest.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { schemaOptions } from "../options.ts";
import { OutputFolder } from "../output-folder.ts";
import { reportFindings } from "../report.ts";
import type { Schema } from "../schemas.ts";
import { TemplateFault } from "../templates/fault.ts";
import { readTemplateFiles, type TemplateFiles } from "../templates/files.ts";
import { type Call, defineVerb, type Verb } from "../verb.ts";
import { type Output, sharedPaths, writeFolders } from "../write-folders.ts";

declare const RIDLKIT_BUILD: string;

const options = {
  ...schemaOptions,
  out: { kind: "text", value: "DIR", says: "write into this folder" },
  target: { kind: "names", value: "A,B", says: `only these of ${targetNames.join(", ")}` },
  templates: { kind: "text", value: "DIR", says: "templates of yours: more targets, and others for ours" },
  openapiForm: { kind: "text", value: "FORM", says: "the target openapi as yaml (default) or json" },
  force: { kind: "flag", says: "write over files that were edited or are not ours" },
} as const;

type GenerateCall = Call<typeof options>;

/** Turns schemas into code. */
export const generate: Verb = defineVerb({
  name: "generate",
  says: "turn schemas into code",
  usage: "[options] [FILE]",
  about: `Writes what the schema gives into a folder: types, errors, a client, a server, validators, the IR;
and an OpenAPI document where the target openapi is asked for.
Without FILE the schemas of the configuration, each into its "out". Only files that change are
written, and none before all of them can be; a file of the folder that is not ours, or that somebody
edited, is left alone and said. With nothing to do it reads no schema.`,
  options,
  exclusive: [],
  several: true,
  documentOn: "out",
  examples: [
    { command: "ridlkit generate", says: "all schemas of the configuration" },
    { command: "ridlkit generate api.ridl --out src/api --target client", says: "a client, with its types" },
    { command: "ridlkit generate api.ridl --out docs --target openapi", says: "docs/openapi/openapi.yaml" },
  ],
  async run(call) {
    const refusal = refusedTargets(call) ?? refusedForm(call) ?? refusedFolders(call);
    if (refusal !== undefined) {
      call.terminal.err(`ridlkit: ${refusal}\nSee: ridlkit help generate\n`);
      return exitCode.usage;
    }
    return run(call);
  },
});

function refusedTargets({ options: { target = [] } }: GenerateCall): string | undefined {
  const unknown = target.find((name) => !isTargetName(name));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, targetNames);
  return `There is no target "${unknown}". ${near === undefined ? `There are ${targetNames.join(", ")}.` : `Did you mean "${near}"?`}`;
}

const openapiForms = ["yaml", "json"] as const;

function refusedForm({ options: { openapiForm: form } }: GenerateCall): string | undefined {
  if (form === undefined || openapiForms.some((one) => one === form)) return undefined;
  return `--openapi-form takes yaml or json; found "${form}".`;
}

/** Every schema needs a folder of its own, or the second would delete what the first wrote. */
function refusedFolders(call: GenerateCall): string | undefined {
  const owners = new Map<string, string>();
  for (const schema of call.schemas) {
    const out = outOf(schema, call);
    if (out === undefined)
      return `No folder to write "${schema.path}" into: give --out, or "out" in the configuration.`;
    const folder = resolve(call.cwd, out);
    const other = owners.get(folder);
    if (other !== undefined) return `"${other}" and "${schema.path}" would both be written into "${out}".`;
    owners.set(folder, schema.path);
  }
  return undefined;
}

function outOf(schema: Schema, call: GenerateCall): string | undefined {
  return call.options.out ?? schema.generation?.out;
}

/** One schema on its way into its folder. */
interface Job {
  readonly schema: Schema;
  readonly out: string;
  readonly folder: OutputFolder;
  readonly manifest: Manifest;
  readonly targets: readonly TargetName[];
  readonly openapi: OpenapiOptions;
  /** The user's; a finding where they cannot be read. */
  readonly templates: TemplateFiles | Diagnostic | undefined;
  /** Hash of all options that the files depend on. */
  readonly basis: string;
}

/** First everything is made, then everything is written: a fault in the second schema leaves the first one's folder alone. */
async function run(call: GenerateCall): Promise<ExitCode> {
  const jobs = call.schemas.map((schema) => jobOf(schema, call));
  const open = jobs.filter((job) => !isUpToDate(job, call.reader));
  const made = await Promise.all(open.map((job) => make(job, call)));
  const faults = made.flatMap(({ diagnostics }) => diagnostics);
  faults.push(
    ...sharedPaths(
      jobs.map((job) => ({
        ...job,
        schemaPath: job.schema.path,
        paths: made[open.indexOf(job)]?.output.files.keys() ?? Object.keys(job.manifest.files),
      })),
    ),
  );
  const outputs = tallyOf(faults).errors > 0 ? [] : made.map(({ output }) => output);
  const written = await writeFolders(outputs, call.options.force === true);
  faults.push(...written.faults);
  await reportFindings(call.report, faults);
  if (faults.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  if (tallyOf(faults).errors > 0) return exitCode.findings;
  if (call.report.format === "text" && !call.report.quiet) {
    call.terminal.out(jobs.map((job) => summary(job, written.changes[open.indexOf(job)])).join(""));
  }
  return exitCode.ok;
}

function jobOf(schema: Schema, call: GenerateCall): Job {
  const out = outOf(schema, call) ?? ".";
  const folder = new OutputFolder(resolve(call.cwd, out));
  const targets = (call.options.target ?? schema.generation?.targets ?? []).filter(isTargetName);
  const form = openapiForms.find((one) => one === call.options.openapiForm);
  const openapi = { ...schema.generation?.openapi, ...(form === undefined ? {} : { form }) };
  const own = call.options.templates ?? schema.generation?.templates;
  const templates = own === undefined ? undefined : readTemplateFiles(call.cwd, own);
  const { path, strict, hashParity, filter, generation } = schema;
  const parts = [
    path,
    strict,
    hashParity,
    targets,
    generation?.builtinErrors ?? {},
    filterText(filter),
    openapi,
    hashOfTemplates(templates),
  ];
  const basis = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return {
    schema,
    out,
    folder,
    targets,
    openapi,
    templates,
    basis,
    manifest: readManifest(folder.readText(manifestName)),
  };
}

function hashOfTemplates(templates: Job["templates"]): string {
  return templates !== undefined && "hash" in templates ? templates.hash : "";
}

function filterText(filter: Schema["filter"]): unknown {
  return { ...filter, match: [...(filter.match ?? [])], ignore: [...(filter.ignore ?? [])] };
}

function isUpToDate({ out, folder, manifest, basis }: Job, reader: SourceReader): boolean {
  const readInput = (path: string): Uint8Array | undefined => {
    const result = reader.read(posix.join(out, path));
    return result.kind === "bytes" ? result.bytes : undefined;
  };
  return isFresh(manifest, { tool: RIDLKIT_BUILD, options: basis }, readInput, (path) => folder.read(path));
}

interface Made {
  readonly diagnostics: readonly Diagnostic[];
  readonly output: Output;
}

async function make(job: Job, call: GenerateCall): Promise<Made> {
  const { folder, out, schema, basis } = job;
  const recorder = recordingReader(call.reader, out);
  const { diagnostics, result } = compile(schema.path, recorder.reader, schema);
  const { files, faults } = result === undefined ? nothing : await generateFiles(result, job);
  const streams = result === undefined ? [] : streamsLeftOut(result.model, job);
  const madeOf = { tool: RIDLKIT_BUILD, options: basis, inputs: recorder.hashes() };
  return {
    diagnostics: [...diagnostics, ...faults, ...streams],
    output: { folder, out, schemaPath: schema.path, files, basis: madeOf },
  };
}

/** Streams of requests that are asked for, and not made. */
function streamsLeftOut({ services }: Model, { targets, schema }: Job): Diagnostic[] {
  if (targets.length > 0 && !targets.includes("client") && !targets.includes("server")) return [];
  const wanted = schema.filter.services ?? [];
  const asked = services.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const streams = asked.flatMap(({ methods }) => methods.filter((one) => one.streamInput));
  return streams.map(({ name, at }) => diagnose("stream-left-out", { method: name }, at));
}

interface Printed {
  readonly files: ReadonlyMap<string, string>;
  /** Of the user's templates. */
  readonly faults: readonly Diagnostic[];
}

const nothing: Printed = { files: new Map(), faults: [] };

async function generateFiles(result: CompiledSchema, job: Job): Promise<Printed> {
  try {
    return { files: await printFiles(result, job), faults: [] };
  } catch (err) {
    if (err instanceof TemplateFault) return { ...nothing, faults: [err.diagnostic] };
    throw err;
  }
}

/** Emitters and templates are loaded here, when there is something to print. */
async function printFiles(result: CompiledSchema, job: Job): Promise<ReadonlyMap<string, string>> {
  const templates = await templatesOf(job);
  const [{ generate: print }, { filterModel }] = await Promise.all([
    import("../../generate.ts"),
    import("../../plan/filter.ts"),
  ]);
  const { filter } = job.schema;
  return print(filterModel(result.model, filter), filterIr(result.ir, filter), {
    schemaFile: posix.basename(job.schema.path),
    targets: job.targets,
    builtinErrors: job.schema.generation?.builtinErrors ?? {},
    openapi: job.openapi,
    ...(templates === undefined ? {} : { templates }),
  });
}

async function templatesOf({ templates }: Job): Promise<CustomTemplates | undefined> {
  if (templates === undefined) return undefined;
  if (!("hash" in templates)) throw new TemplateFault(templates);
  const { compileTemplates } = await import("../templates/compile.ts");
  return compileTemplates(templates);
}

/** Remembers what was read, by its path from the output folder. */
function recordingReader(reader: SourceReader, out: string): { reader: SourceReader; hashes: () => Hashes } {
  const hashes: Record<string, string> = {};
  return {
    reader: {
      ...reader,
      read: (path) => {
        const result = reader.read(path);
        if (result.kind === "bytes") hashes[posix.relative(out, path)] = hashOf(result.bytes);
        return result;
      },
    },
    hashes: () => hashes,
  };
}

/** `generated: 2 changed, 1 added, 40 as they were`. */
function summary({ out }: Job, changes: readonly Change[] | undefined): string {
  if (changes === undefined) return `${visible(out)}: nothing to do\n`;
  const words = { add: "added", change: "changed", delete: "deleted", same: "as they were" } as const;
  const parts = Object.entries(words).map(([kind, word]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${visible(out)}: ${parts.flat().join(", ")}\n`;
}
