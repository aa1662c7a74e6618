import { posix, resolve } from "node:path";
import type { CustomTemplates, EmittedFile, OpenapiOptions } from "../../../codegen/options.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import type { History, KeptVersion } from "../../../language/history.ts";
import { filterIr } from "../../../language/ir/filter.ts";
import { checkNumberLimits } from "../../../language/model/check.ts";
import type { Model } from "../../../language/model/model.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { unknownInFilter } from "../config/schemas.ts";
import { ProgressLine, type ProgressSettings } from "../output/terminal.ts";
import { TemplateFault } from "../templates/fault.ts";
import { type GenerationCall, type Job, jobOf } from "./generation-options.ts";

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
  const { diagnostics: compileDiagnostics, result } = compile(schema.path, recorder, schema);
  const diagnostics = [...compileDiagnostics];
  let earlierVersions: readonly KeptVersion[] = [];
  if (result !== undefined) {
    const history = await historyOf(result, job, recorder);
    diagnostics.push(...unknownInFilter(result.ir, schema), ...omittedStreams(result.model, job));
    const { targets, int64 } = job.options;
    if (targets.size > 0 && int64 !== "bigint") diagnostics.push(...checkNumberLimits(result.scopes));
    diagnostics.push(...history.diagnostics);
    earlierVersions = history.versions.filter(({ isCurrent }) => !isCurrent);
  }
  // Code that ignores a kept version would answer its clients wrongly.
  const isValid = result !== undefined && tallyOf(diagnostics).errors === 0;
  const { files, faults } = await withTemplateFaults(() => isValid && filesOf(result, job, earlierVersions));
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
  earlierVersions: readonly KeptVersion[],
): Promise<ReadonlyMap<string, string>> {
  const templates = await templatesOf(job);
  const [{ createPlan, emitFiles: printPlan }, { filterModel }] = await Promise.all([
    import("../../../codegen/generate.ts"),
    import("../../../codegen/plan/filter.ts"),
  ]);
  const { filter } = job.schema;
  const model = filterModel(result.model, filter);
  const options = { ...job.options, history: earlierVersions.map(({ compiled }) => compiled) };
  const plan = createPlan(model, filterIr(result.ir, filter), options);
  const explorer = options.targets.has("explorer")
    ? await exportedExplorer(plan, model, options.openapi)
    : undefined;
  return printPlan(plan, { ...options, explorer, templates });
}

async function exportedExplorer(
  plan: Plan,
  model: Model,
  openapi: OpenapiOptions,
): Promise<readonly EmittedFile[]> {
  const { explorerExport } = await import("../servers/served-contract.ts");
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
