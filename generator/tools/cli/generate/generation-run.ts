import { posix, resolve } from "node:path";
import type { CustomTemplates } from "../../../codegen/emit/custom/custom.ts";
import type { EmittedFile } from "../../../codegen/emit/emitter.ts";
import type { OpenapiOptions } from "../../../codegen/emit/openapi/options.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { type Hashes, hashOf } from "../../../codegen/write/manifest.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import type { History, KeptVersion } from "../../../language/history.ts";
import { filterIr } from "../../../language/ir/filter.ts";
import type { Model } from "../../../language/model/model.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { unknownInFilter } from "../config/schemas.ts";
import { TemplateFault } from "../templates/fault.ts";
import { type GenerationCall, type Job, pathFrom } from "./generation.ts";
import type { Output } from "./write-folders.ts";

export interface GenerationResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly output: Output;
}

/** A job whose schema was compiled. */
export interface LoadedJob extends Pick<GenerationResult, "diagnostics"> {
  readonly job: Job;
  /** Undefined if the schema has errors. */
  readonly result: CompiledSchema | undefined;
  /** Versions before the current one, oldest first. */
  readonly earlierVersions: readonly KeptVersion[];
  readonly fingerprint: Output["fingerprint"];
}

export async function loadJob(job: Job, { reader, cwd }: GenerationCall): Promise<LoadedJob> {
  const { folder, schema } = job;
  const recorder = recordingReader(reader, { cwd, root: folder.root });
  const { diagnostics, result } = compile(schema.path, recorder.reader, schema);
  const unknown = result === undefined ? [] : unknownInFilter(result.ir, schema);
  const streams = result === undefined ? [] : omittedStreams(result.model, job);
  const history = result === undefined ? noHistory : await historyOf(result, job, recorder.reader);
  return {
    job,
    diagnostics: [...diagnostics, ...unknown, ...streams, ...history.diagnostics],
    // Code that ignores a kept version would answer its clients wrongly.
    result:
      unknown.some(({ severity }) => severity === "error") ||
      history.diagnostics.some(({ severity }) => severity === "error")
        ? undefined
        : result,
    earlierVersions: history.versions.filter(({ isCurrent }) => !isCurrent),
    fingerprint: { ...job.fingerprint, inputs: recorder.hashes() },
  };
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

export async function generateFiles({
  job,
  diagnostics,
  result,
  earlierVersions,
  fingerprint,
}: LoadedJob): Promise<GenerationResult> {
  const { folder, out, schema } = job;
  const { files, faults } = await withTemplateFaults(() => result && filesOf(result, job, earlierVersions));
  return {
    diagnostics: [...diagnostics, ...faults],
    output: { folder, out, schemaPath: schema.path, files, fingerprint },
  };
}

/** Warns about methods with a request stream, which are not generated. */
function omittedStreams({ services }: Model, { targets, schema }: Job): Diagnostic[] {
  if (targets.length > 0 && !targets.includes("client") && !targets.includes("server")) return [];
  const serviceNames = schema.filter.services ?? [];
  const selected = services.filter(({ name }) => serviceNames.length === 0 || serviceNames.includes(name));
  const streams = selected.flatMap(({ methods }) => methods.filter((one) => one.streamInput));
  return streams.map(({ name, at }) => diagnose("stream-left-out", { method: name }, at));
}

/** Converts a thrown `TemplateFault` to a diagnostic. */
async function withTemplateFaults(
  make: () => Promise<ReadonlyMap<string, string>> | undefined,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly faults: readonly Diagnostic[] }> {
  try {
    return { files: (await make()) ?? new Map(), faults: [] };
  } catch (err) {
    if (err instanceof TemplateFault) return { files: new Map(), faults: [err.diagnostic] };
    throw err;
  }
}

/** Generates all files. Loads emitters and templates on first use. */
async function filesOf(
  result: CompiledSchema,
  job: Job,
  earlierVersions: readonly KeptVersion[],
): Promise<ReadonlyMap<string, string>> {
  const templates = await templatesOf(job);
  const [{ createKeptPlans, createPlan, emitFiles: printPlan }, { filterModel }] = await Promise.all([
    import("../../../codegen/generate.ts"),
    import("../../../codegen/plan/filter.ts"),
  ]);
  const { filter } = job.schema;
  const { targets, adapters, openapi, importExtension, runtime } = job;
  const model = filterModel(result.model, filter);
  const options = {
    schemaFile: posix.basename(job.schema.path),
    builtinErrors: job.schema.generation?.builtinErrors ?? {},
    int64: job.int64,
    timestamps: job.timestamps,
    ...(job.enums === undefined ? {} : { enums: job.enums }),
    targets,
    history: earlierVersions.map(({ compiled }) => compiled),
  };
  const plan = createPlan(model, filterIr(result.ir, filter), options);
  const explorer = targets.includes("explorer") ? await exportedExplorer(plan, model, openapi) : [];
  return printPlan(plan, {
    explorer,
    targets,
    adapters,
    openapi,
    importExtension,
    runtime,
    kept: createKeptPlans(options),
    ...(templates === undefined ? {} : { templates }),
  });
}

async function exportedExplorer(
  plan: Plan,
  model: Model,
  openapi: OpenapiOptions,
): Promise<readonly EmittedFile[]> {
  const { explorerExport } = await import("./explorer-export.ts");
  return explorerExport(plan, model, openapi);
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

/** Wraps a reader and records the hash of each file read, by its path from the output folder. */
function recordingReader(
  reader: SourceReader,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): { readonly reader: SourceReader; readonly hashes: () => Hashes } {
  const hashes: Record<string, string> = {};
  return {
    reader: {
      ...reader,
      read: (path) => {
        const result = reader.read(path);
        if (result.kind === "bytes") hashes[pathFrom(root, resolve(cwd, path))] = hashOf(result.bytes);
        return result;
      },
    },
    hashes: () => hashes,
  };
}
