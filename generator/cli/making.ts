import { posix, resolve } from "node:path";
import { type CompiledSchema, compile } from "../compile.ts";
import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { CustomTemplates } from "../emit/custom/custom.ts";
import { filterIr } from "../ir/filter.ts";
import type { Model } from "../model/model.ts";
import type { Plan } from "../plan/plan.ts";
import type { Printing } from "../printing.ts";
import type { SourceReader } from "../source/reader.ts";
import { type Hashes, hashOf } from "../write/manifest.ts";
import { type GenerationCall, type Job, pathFrom } from "./generation.ts";
import type { Memory } from "./memory.ts";
import { TemplateFault } from "./templates/fault.ts";
import type { Output } from "./write-folders.ts";

export interface Made {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined with faults that leave nothing to print. */
  readonly plan: Plan | undefined;
  readonly output: Output;
}

/** Reads a schema and prints what it gives, and writes nothing. */
export async function make(job: Job, call: GenerationCall): Promise<Made> {
  return print(read(job, call), call);
}

/** A schema that was read. */
export interface Reading extends Pick<Made, "diagnostics"> {
  readonly job: Job;
  /** Undefined with faults that leave nothing to print. */
  readonly result: CompiledSchema | undefined;
  readonly basis: Output["basis"];
}

export function read(job: Job, { reader, cwd, memory }: GenerationCall): Reading {
  const { folder, schema } = job;
  const recorder = recordingReader(reader, { cwd, root: folder.root });
  const { diagnostics, result } = compile(schema.path, recorder.reader, {
    ...schema,
    memory: memory?.compiled,
  });
  const streams = result === undefined ? [] : streamsLeftOut(result.model, job);
  return {
    job,
    diagnostics: [...diagnostics, ...streams],
    result,
    basis: { ...job.basis, inputs: recorder.hashes() },
  };
}

/** Prints what a schema gives that was read. */
export async function print(reading: Reading, call: GenerationCall): Promise<Made> {
  return finish(await prepare(reading, call), reading.job);
}

/** A schema that was read, and whose files are to be printed. */
export interface Making extends Pick<Made, "diagnostics" | "plan"> {
  /** Undefined with faults that leave nothing to print. */
  readonly printing: Printing | undefined;
  readonly basis: Output["basis"];
}

export async function begin(job: Job, call: GenerationCall): Promise<Making> {
  return prepare(read(job, call), call);
}

async function prepare(
  { job, diagnostics, result, basis }: Reading,
  { memory }: GenerationCall,
): Promise<Making> {
  const { value, faults } = await told(() => result && printingOf(result, job, memory));
  return {
    diagnostics: [...diagnostics, ...faults],
    printing: value?.printing,
    plan: value?.plan,
    basis,
  };
}

/** Prints what is not printed yet. */
export async function finish({ diagnostics, printing, plan, basis }: Making, job: Job): Promise<Made> {
  const { folder, out, schema } = job;
  const { value: files = new Map<string, string>(), faults } = await told(() => printing?.all());
  return {
    diagnostics: [...diagnostics, ...faults],
    plan,
    output: { folder, out, schemaPath: schema.path, files, basis },
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

/** Faults of the user's templates, which come up wherever one of them is used. */
export async function told<Value>(
  make: () => Value | Promise<Value>,
): Promise<{ readonly value: Value | undefined; readonly faults: readonly Diagnostic[] }> {
  try {
    return { value: await make(), faults: [] };
  } catch (err) {
    if (err instanceof TemplateFault) return { value: undefined, faults: [err.diagnostic] };
    throw err;
  }
}

/** Emitters and templates are loaded here, when there is something to print. */
async function printingOf(
  result: CompiledSchema,
  job: Job,
  memory: Memory | undefined,
): Promise<{ readonly printing: Printing; readonly plan: Plan }> {
  const templates = await templatesOf(job);
  const [{ planOf }, { Printing }, { filterModel }] = await Promise.all([
    import("../generate.ts"),
    import("../printing.ts"),
    import("../plan/filter.ts"),
  ]);
  const { filter } = job.schema;
  const plan = planOf(filterModel(result.model, filter), filterIr(result.ir, filter), {
    schemaFile: posix.basename(job.schema.path),
    builtinErrors: job.schema.generation?.builtinErrors ?? {},
    int64: job.int64,
    timestamps: job.timestamps,
  });
  memory?.plans.set(result, plan);
  const { targets, openapi } = job;
  const options = { targets, openapi, ...(templates === undefined ? {} : { templates }) };
  return { printing: new Printing(plan, options), plan };
}

async function templatesOf({ templates }: Job): Promise<CustomTemplates | undefined> {
  if (templates === undefined) return undefined;
  if ("reason" in templates) {
    const { path, reason } = templates;
    throw new TemplateFault(diagnose("template-fault", { reason }, { path }));
  }
  const { compileTemplates } = await import("./templates/compile.ts");
  return compileTemplates(templates);
}

/** Remembers what was read, by its path from the output folder. */
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
