import { existsSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import {
  adapterNames,
  type CustomTemplates,
  isAdapterName,
  isTargetName,
  type Options,
  openapiVersions,
  resolveOptions,
  runtimeForms,
  standardTargets,
  type TargetName,
  targetNames,
} from "../../../codegen/options.ts";
import { enumForms, type Int64Form } from "../../../codegen/plan/type-text.ts";
import { pageFolder } from "../../../explorer/page-texts.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import { wrapWords } from "../../../language/diagnostics/wrap.ts";
import type { History, KeptVersion } from "../../../language/history.ts";
import { filterIr } from "../../../language/ir/filter.ts";
import type { Model } from "../../../language/model/model.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { CommandCall } from "../command.ts";
import { type Schema, unknownInFilter } from "../config/schemas.ts";
import { OutputFolder } from "../files/output-folder.ts";
import type { Option, Values } from "../options.ts";
import { ProgressLine, type ProgressSettings } from "../output/terminal.ts";
import { TemplateFault } from "../templates/fault.ts";
import { readTemplateFiles, type TemplateFiles, type UnreadableTemplates } from "../templates/files.ts";

type OptionOf<Kind extends Option["kind"]> = Option & { readonly kind: Kind };

const isStandard = (name: TargetName): boolean => standardTargets.includes(name);

const otherTargets = targetNames.filter((name) => !isStandard(name));

/** Wrapped, because help that is not for a terminal is printed as it is. */
const targetDescription = [
  `Default: ${targetNames.filter(isStandard).join(", ")}`,
  ...wrapWords(`Others: ${otherTargets.join(", ")}`, 72),
].join("\n");

/** Options that control what is generated, and where. */
export const generationOptions: {
  readonly out: OptionOf<"text">;
  readonly target: OptionOf<"names">;
  readonly adapter: OptionOf<"names">;
  readonly runtime: OptionOf<"text">;
  readonly templates: OptionOf<"text">;
  readonly int64: OptionOf<"text">;
  readonly enums: OptionOf<"text">;
  readonly openapiFormat: OptionOf<"text">;
  readonly openapiVersion: OptionOf<"text">;
} = {
  out: { kind: "text", value: "DIR", description: "Output folder" },
  target: { kind: "names", value: "A,B", description: targetDescription },
  adapter: {
    kind: "names",
    value: "A,B",
    description: `Adapters: ${adapterNames.join(", ")}; default: koa`,
  },
  runtime: {
    kind: "text",
    value: "FORM",
    description:
      "package (default): import ridlkit-runtime; copy: write the modules that are needed to runtime/",
  },
  templates: {
    kind: "text",
    value: "DIR",
    description: "Folder of custom templates",
  },
  int64: { kind: "text", value: "FORM", description: "Type of int64 and uint64: number (default) or bigint" },
  enums: {
    kind: "text",
    value: "FORM",
    description: "open (default): clients accept unknown enum values; closed: they do not",
  },
  openapiFormat: {
    kind: "text",
    value: "FORM",
    description: "Format of the target openapi: yaml (default) or json",
  },
  openapiVersion: {
    kind: "text",
    value: "3.X",
    description: "Version of OpenAPI: 3.0, 3.1 (default) or 3.2",
  },
};

/** The part of a command call that generation needs. */
export interface GenerationCall extends Pick<CommandCall, "schemas" | "reader" | "cwd"> {
  readonly options: Values<typeof generationOptions>;
}

/** Checks the generation options. Returns a message if one is invalid. */
export function generationError(call: GenerationCall): string | undefined {
  const { target, adapter } = call.options;
  return (
    nameError("target", target, targetNames) ??
    nameError("adapter", adapter, adapterNames) ??
    formsError(call) ??
    folderError(call) ??
    explorerError(call)
  );
}

function nameError(
  kind: string,
  names: readonly string[] | undefined,
  known: readonly string[],
): string | undefined {
  if (names?.length === 0) return `--${kind} names none. Known: ${known.join(", ")}.`;
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, known);
  return `Unknown ${kind} "${unknown}". ${near === undefined ? `Known: ${known.join(", ")}.` : `Did you mean "${near}"?`}`;
}

const openapiFormats = ["yaml", "json"] as const;

const int64Forms = ["number", "bigint"] as const satisfies readonly Int64Form[];

function formsError({
  options: { openapiFormat, openapiVersion, int64, enums, runtime },
}: GenerationCall): string | undefined {
  return (
    formError("--openapi-format", openapiFormat, openapiFormats) ??
    formError("--openapi-version", openapiVersion, openapiVersions) ??
    formError("--int64", int64, int64Forms) ??
    formError("--enums", enums, enumForms) ??
    formError("--runtime", runtime, runtimeForms)
  );
}

function formError(name: string, form: string | undefined, forms: readonly string[]): string | undefined {
  if (form === undefined || forms.includes(form)) return undefined;
  return `${name} takes ${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}; found "${form}".`;
}

/** Every schema needs its own folder: generation deletes files of the folder that it no longer generates. */
function folderError(call: GenerationCall): string | undefined {
  const owners = new Map<string, string>();
  for (const schema of call.schemas) {
    const out = outFolderOf(schema, call);
    if (out === undefined && !existsSync(resolve(call.cwd, schema.path)))
      return `Cannot read "${schema.path}": it does not exist.`;
    if (out === undefined)
      return `"${schema.path}" has no output folder: use --out, or set "out" in the configuration and give no FILE. "ridlkit lint" checks schemas without code.`;
    const folder = resolve(call.cwd, out);
    const other = owners.get(folder);
    if (other !== undefined) return `"${other}" and "${schema.path}" have the same output folder "${out}".`;
    owners.set(folder, schema.path);
  }
  return undefined;
}

/** The page of the explorer is built with ridlkit, so the sources alone lack it. */
function explorerError({ schemas, options }: GenerationCall): string | undefined {
  const wantsPage = schemas.some(({ generation }) =>
    (options.target ?? generation?.targets ?? []).includes("explorer"),
  );
  const page = join(pageFolder(), "index.html");
  if (!wantsPage || existsSync(page)) return undefined;
  return `The target explorer needs the built page, and "${page}" does not exist. In a clone of ridlkit, run "npm run build"; otherwise install ridlkit again.`;
}

function outFolderOf(schema: Schema, call: GenerationCall): string | undefined {
  return call.options.out ?? schema.generation?.out;
}

/** The generation of a schema, with all settings resolved. */
export interface Job {
  readonly schema: Schema;
  readonly out: string;
  readonly folder: OutputFolder;
  /** Without the custom templates, the kept versions and the files of the explorer, which are read later. */
  readonly options: Options;
  /** Custom templates. */
  readonly templates: TemplateFiles | UnreadableTemplates | undefined;
}

export function jobOf(schema: Schema, call: GenerationCall): Job {
  const out = outFolderOf(schema, call) ?? ".";
  const folder = new OutputFolder(resolve(call.cwd, out));
  const { generation } = schema;
  const { target, adapter } = call.options;
  const format = openapiFormats.find((one) => one === call.options.openapiFormat);
  const version = openapiVersions.find((one) => one === call.options.openapiVersion);
  const options = resolveOptions({
    ...generation,
    schemaFile: posix.basename(schema.path),
    targets: target?.filter(isTargetName) ?? generation?.targets,
    adapters: adapter?.filter(isAdapterName) ?? generation?.adapters,
    int64: int64Forms.find((one) => one === call.options.int64) ?? generation?.int64,
    enums: enumForms.find((one) => one === call.options.enums) ?? generation?.enums,
    runtime: runtimeForms.find((one) => one === call.options.runtime) ?? generation?.runtime,
    openapi: {
      ...generation?.openapi,
      ...(format === undefined ? {} : { format }),
      ...(version === undefined ? {} : { version }),
    },
    history: [],
    templates: undefined,
  });
  const own = call.options.templates ?? generation?.templates;
  const templates = own === undefined ? undefined : readTemplateFiles(call.cwd, own);
  return { schema, out, folder, options, templates };
}

/** The files of a schema, generated in memory. */
export interface Output {
  readonly job: Job;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of the schema files that were read. */
  readonly sources: readonly string[];
  /** Undefined if the schema has errors. */
  readonly result: CompiledSchema | undefined;
  /** Texts by path in the output folder; empty if there are errors. */
  readonly files: ReadonlyMap<string, string>;
}

/** Generates all schemas. Reports also files that two of them generate. */
export async function generateInMemory(
  call: GenerationCall,
  report: ProgressSettings,
): Promise<{ readonly outputs: readonly Output[]; readonly diagnostics: readonly Diagnostic[] }> {
  using progress = new ProgressLine(report);
  const outputs: Output[] = [];
  for (const schema of call.schemas) {
    const job = jobOf(schema, call);
    progress.show(`Generating ${job.out}`);
    outputs.push(await generateJob(job, call));
  }
  const diagnostics = outputs.flatMap((output) => output.diagnostics);
  return { outputs, diagnostics: [...diagnostics, ...pathConflicts(outputs)] };
}

async function generateJob(job: Job, { reader, cwd }: GenerationCall): Promise<Output> {
  const { schema } = job;
  const sources = new Set<string>();
  const recorder: SourceReader = {
    ...reader,
    read: (path) => {
      const read = reader.read(path);
      if (read.kind === "bytes") sources.add(resolve(cwd, path));
      return read;
    },
  };
  const { diagnostics: compileDiagnostics, result } = compile(schema.path, recorder, {
    ...schema,
    int64Numbers: job.options.targets.size > 0 && job.options.int64 !== "bigint",
  });
  const diagnostics = [...compileDiagnostics];
  let keptVersions: readonly KeptVersion[] = [];
  if (result !== undefined) {
    const history = await historyOf(result, job, recorder);
    diagnostics.push(...unknownInFilter(result.ir, schema), ...omittedStreams(result.model, job));
    diagnostics.push(...history.diagnostics);
    keptVersions = history.versions.filter(({ isCurrent }) => !isCurrent);
  }
  // Code that ignores a kept version would answer its clients wrongly.
  const isValid = result !== undefined && tallyOf(diagnostics).errors === 0;
  const { files, faults } = await withTemplateFaults(() => isValid && filesOf(result, job, keptVersions));
  return { job, diagnostics: [...diagnostics, ...faults], sources: [...sources], result, files };
}

const noHistory: History = { versions: [], diagnostics: [] };

async function historyOf(
  result: CompiledSchema,
  { schema: { path, filter, strict, generation } }: Job,
  reader: SourceReader,
): Promise<History> {
  if (generation?.history === undefined) return noHistory;
  const { currentContract, readHistory } = await import("../../../language/history.ts");
  const { versions, diagnostics } = readHistory(
    generation.history,
    reader,
    currentContract(path, result, filter),
  );
  const empty = diagnose("history-empty", { folder: generation.history }, { path });
  const found = versions.length === 0 && diagnostics.length === 0 ? [empty] : diagnostics;
  return { versions, diagnostics: strict ? found.map(underStrict) : found };
}

/** Warns about methods with a request stream, which are not generated. */
function omittedStreams({ services }: Model, { options: { targets }, schema }: Job): Diagnostic[] {
  if (!targets.has("client") && !targets.has("server")) return [];
  const serviceNames = schema.filter.services ?? [];
  const selected = services.filter(({ name }) => serviceNames.length === 0 || serviceNames.includes(name));
  const streams = selected.flatMap(({ methods }) => methods.filter((one) => one.streamInput));
  return streams.map(({ name, at }) => diagnose("stream-left-out", { method: name }, at));
}

/** Converts a thrown `TemplateFault` to a diagnostic. */
async function withTemplateFaults(
  make: () => Promise<ReadonlyMap<string, string>> | false,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly faults: readonly Diagnostic[] }> {
  try {
    return { files: (await make()) || new Map(), faults: [] };
  } catch (err) {
    if (err instanceof TemplateFault) return { files: new Map(), faults: [err.diagnostic] };
    throw err;
  }
}

/** Generates all files. Loads emitters and templates on first use. */
async function filesOf(
  result: CompiledSchema,
  job: Job,
  keptVersions: readonly KeptVersion[],
): Promise<ReadonlyMap<string, string>> {
  const templates = await templatesOf(job);
  const [{ createPlan, emitFiles: printPlan }, { filterModel }] = await Promise.all([
    import("../../../codegen/generate.ts"),
    import("../../../codegen/plan/filter.ts"),
  ]);
  const { filter } = job.schema;
  const model = filterModel(result.model, filter);
  const options = { ...job.options, history: keptVersions.map(({ compiled }) => compiled) };
  const plan = createPlan(model, filterIr(result.ir, filter), options);
  const explorer = options.targets.has("explorer")
    ? (await import("../servers/served-contract.ts")).explorerExport(result, plan, {
        filter,
        openapi: options.openapi,
      })
    : undefined;
  return printPlan(plan, { ...options, explorer, templates });
}

async function templatesOf({ templates }: Job): Promise<CustomTemplates | undefined> {
  if (templates === undefined) return undefined;
  if ("reason" in templates) {
    const { path, reason } = templates;
    throw new TemplateFault(diagnose("template-fault", { reason }, { path }));
  }
  const { compileTemplates } = await import("../templates/compile.ts");
  return compileTemplates(templates);
}

/** Finds files that two schemas generate. Their folders may be nested, but must not share a file. */
function pathConflicts(outputs: readonly Output[]): readonly Diagnostic[] {
  const owners = new Map<string, string>();
  return outputs.flatMap(({ job: { folder, out, schema }, files }) => {
    const root = folder.realRoot();
    return [...files.keys()].flatMap((path) => {
      const real = posix.join(root, path);
      const first = owners.get(real);
      owners.set(real, schema.path);
      const place = { path: posix.join(out, path) };
      return first === undefined
        ? []
        : [diagnose("two-targets", { ...place, first, second: schema.path }, place)];
    });
  });
}
