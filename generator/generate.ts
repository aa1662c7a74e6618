import type { IrSchema } from "./ir/schema.ts";
import { hashIr, writeIr } from "./ir/write.ts";
import type { Model } from "./model/model.ts";
import { buildPlan, type PlanInput } from "./plan/build.ts";
import type { Int64Form, TimestampForm } from "./plan/int64.ts";
import type { Plan } from "./plan/plan.ts";
import { Printing, type PrintOptions } from "./printing.ts";

export interface GenerateOptions extends PrintOptions {
  /** The root schema's path as the first line of each file names it. */
  readonly schemaFile: string;
  readonly builtinErrors?: PlanInput["builtinErrors"];
  /** Default "number". */
  readonly int64?: Int64Form;
  /** Default "string". */
  readonly timestamps?: TimestampForm;
}

/**
 * A checked schema to files, by path. Does no input or output and reads no clock and no environment: the same schema and options
 * give the same bytes.
 */
export function generate(model: Model, ir: IrSchema, options: GenerateOptions): ReadonlyMap<string, string> {
  return new Printing(planOf(model, ir, options), options).all();
}

/** All that printing needs to know of a schema. */
export function planOf(
  model: Model,
  ir: IrSchema,
  {
    schemaFile,
    builtinErrors = {},
    int64 = "number",
    timestamps = "string",
  }: Pick<GenerateOptions, "schemaFile" | "builtinErrors" | "int64" | "timestamps">,
): Plan {
  const irText = writeIr(ir);
  const schemaHash = hashIr(irText);
  return buildPlan({ model, schemaFile, irText, schemaHash, builtinErrors, int64, timestamps });
}
