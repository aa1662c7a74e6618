import { type CustomTemplates, noTemplates } from "./emit/custom/custom.ts";
import type { EmittedFile } from "./emit/emitter.ts";
import { targets } from "./emit/index.ts";
import type { OpenapiOptions } from "./emit/openapi/options.ts";
import { printWith } from "./emit/render.ts";
import { runtimeFiles } from "./emit/runtime-files.ts";
import type { IrSchema } from "./ir/schema.ts";
import { hashIr, writeIr } from "./ir/write.ts";
import type { Model } from "./model/model.ts";
import { buildPlan, type PlanInput } from "./plan/build.ts";
import type { Int64Form } from "./plan/int64.ts";
import type { Plan } from "./plan/plan.ts";
import { standardTargets, type TargetName, targetNames } from "./plan/targets.ts";

export interface GenerateOptions {
  /** The root schema's path as the first line of each file names it. */
  readonly schemaFile: string;
  /** Empty: the standard ones. What a target needs comes with it. */
  readonly targets: readonly TargetName[];
  readonly builtinErrors?: PlanInput["builtinErrors"];
  /** Default "number". */
  readonly int64?: Int64Form;
  readonly openapi?: OpenapiOptions;
  readonly templates?: CustomTemplates;
}

/**
 * A checked schema to files, by path. Does no input or output and reads no clock and no environment: the same schema and options
 * give the same bytes.
 */
export function generate(model: Model, ir: IrSchema, options: GenerateOptions): ReadonlyMap<string, string> {
  return printPlan(planOf(model, ir, options), options);
}

/** The files of a plan, by path. */
export function printPlan(
  plan: Plan,
  options: Pick<GenerateOptions, "targets" | "openapi" | "templates">,
): ReadonlyMap<string, string> {
  const { openapi = {}, templates = noTemplates } = options;
  const chosen = withNeeds(options.targets.length === 0 ? standardTargets : options.targets, plan);
  const emitted: EmittedFile[] = [];
  printWith(templates.overrides, () => {
    for (const name of targetNames) {
      if (chosen.has(name)) emitted.push(...targets[name].emit(plan, { chosen, openapi }));
    }
  });
  const roots = [...chosen].flatMap((name) => targets[name].runtime);
  const files = [...emitted, ...runtimeFiles(emitted, roots)];
  for (const target of templates.targets) files.push(...target.emit(plan));
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  if (byPath.size !== files.length) throw new Error("two files of one generation have the same path");
  return byPath;
}

/** All that printing needs to know of a schema. */
export function planOf(
  model: Model,
  ir: IrSchema,
  {
    schemaFile,
    builtinErrors = {},
    int64 = "number",
  }: Pick<GenerateOptions, "schemaFile" | "builtinErrors" | "int64">,
): Plan {
  const irText = writeIr(ir);
  return buildPlan({ model, schemaFile, irText, schemaHash: hashIr(irText), builtinErrors, int64 });
}

function withNeeds(wanted: readonly TargetName[], { int64 }: Plan): ReadonlySet<TargetName> {
  const chosen = new Set(wanted);
  // A set may grow while it is walked.
  for (const name of chosen) for (const needed of targets[name].needs) chosen.add(needed);
  // What comes as a number becomes a bigint in the validators, and nowhere else.
  if (int64 === "bigint" && chosen.has("server")) chosen.add("validators");
  return chosen;
}
