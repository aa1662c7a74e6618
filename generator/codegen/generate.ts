import type { IrSchema } from "../language/ir/schema.ts";
import { hashIr, writeIr } from "../language/ir/write.ts";
import type { Model } from "../language/model/model.ts";
import { type CustomTemplates, noTemplates } from "./emit/custom/custom.ts";
import type { EmittedFile } from "./emit/emitter.ts";
import { type ImportExtension, withImportExtension } from "./emit/import-extension.ts";
import { targets } from "./emit/index.ts";
import type { OpenapiOptions } from "./emit/openapi/options.ts";
import { buildPlan, type PlanInput } from "./plan/build.ts";
import type { Plan } from "./plan/plan.ts";
import {
  type AdapterName,
  type RuntimeForm,
  standardTargets,
  type TargetName,
  targetNames,
} from "./plan/targets.ts";
import type { EnumForm, Int64Form, TimestampForm } from "./plan/value-forms.ts";
import { withRuntimeCopy } from "./runtime.ts";

export interface PrintOptions {
  /** Empty: the standard targets. Targets that these depend on are added. */
  readonly targets: readonly TargetName[];
  readonly openapi?: OpenapiOptions;
  readonly templates?: CustomTemplates;
  /** The frameworks that the server can be mounted in. Default: Koa. */
  readonly adapters?: readonly AdapterName[];
  /** Default "package". */
  readonly runtime?: RuntimeForm;
  /** Default ".ts". */
  readonly importExtension?: ImportExtension;
  /** The files of the target explorer. */
  readonly explorer?: readonly EmittedFile[];
  /** The plans of the earlier versions that the server speaks, the oldest first. */
  readonly kept?: readonly Plan[];
}

/** A version of a schema. */
export interface Contract {
  readonly model: Model;
  readonly ir: IrSchema;
}

export interface GenerateOptions extends Omit<PrintOptions, "kept"> {
  /** Path of the root schema, as the first line of each file prints it. */
  readonly schemaFile: string;
  readonly builtinErrors?: PlanInput["builtinErrors"];
  /** Default "number". */
  readonly int64?: Int64Form;
  /** Default "string". */
  readonly timestamps?: TimestampForm;
  /** Default "open"; "closed" without a client. */
  readonly enums?: EnumForm;
  /** The earlier versions that the server speaks, the oldest first. */
  readonly history?: readonly Contract[];
}

/** `targets` determine the default of `enums`. */
export type PlanOptions = Partial<Pick<GenerateOptions, "targets">> &
  Pick<GenerateOptions, "schemaFile" | "builtinErrors" | "int64" | "timestamps" | "enums" | "history">;

/**
 * Generates the files of a checked schema, by path. A pure function: the same schema and options give the same bytes.
 */
export function generate(model: Model, ir: IrSchema, options: GenerateOptions): ReadonlyMap<string, string> {
  return emitFiles(createPlan(model, ir, options), { ...options, kept: createKeptPlans(options) });
}

/** Prints the files of a plan, by path. */
export function emitFiles(
  plan: Plan,
  {
    openapi = {},
    templates = noTemplates,
    targets: wanted,
    adapters = ["koa"],
    runtime = "package",
    importExtension = ".ts",
    explorer = [],
    kept = [],
  }: PrintOptions,
): ReadonlyMap<string, string> {
  const chosen = withNeededTargets(wanted);
  const hasServer = chosen.has("server");
  const options = { openapi, adapters, overrides: templates.overrides, explorer, hasServer, kept };
  const emitted = targetNames.flatMap((name) => (chosen.has(name) ? targets[name].emit(plan, options) : []));
  const entries = [...chosen].flatMap((name) => targets[name].entries(adapters));
  const linked = runtime === "copy" ? withRuntimeCopy(emitted, entries) : emitted;
  const own = linked.map(({ path, text }) => ({
    path,
    text: path.endsWith(".ts") ? withImportExtension(text, importExtension) : text,
  }));
  const files = [...own, ...templates.targets.flatMap((target) => target.emit(plan))];
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  if (byPath.size !== files.length) throw new Error("two files of one generation have the same path");
  return byPath;
}

/** Adds the targets that the requested ones depend on. */
function withNeededTargets(wanted: readonly TargetName[]): ReadonlySet<TargetName> {
  const chosen = new Set(wanted.length === 0 ? standardTargets : wanted);
  // Iterating a Set includes elements added during the loop.
  for (const name of chosen) for (const needed of targets[name].needs) chosen.add(needed);
  return chosen;
}

/** Only clients receive unknown enum values: a server checks its requests and its own responses. */
function defaultEnumForm(wanted: readonly TargetName[]): EnumForm {
  return withNeededTargets(wanted).has("client") ? "open" : "closed";
}

/** Builds the plan of a schema. */
export function createPlan(
  model: Model,
  ir: IrSchema,
  {
    schemaFile,
    builtinErrors = {},
    int64 = "number",
    timestamps = "string",
    targets: wanted = [],
    enums = defaultEnumForm(wanted),
    history = [],
  }: PlanOptions,
): Plan {
  const irText = writeIr(ir);
  const schemaHash = hashIr(irText);
  return buildPlan({
    model,
    schemaFile,
    irText,
    schemaHash,
    builtinErrors,
    int64,
    timestamps,
    enums,
    hasHistory: history.length > 0,
  });
}

/** Builds the plans of the earlier versions. */
export function createKeptPlans(options: PlanOptions): readonly Plan[] {
  return (options.history ?? []).map(({ model, ir }) => createPlan(model, ir, options));
}
