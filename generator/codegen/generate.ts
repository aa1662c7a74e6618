import type { IrSchema } from "../language/ir/schema.ts";
import { writeIr } from "../language/ir/write.ts";
import type { Model } from "../language/model/model.ts";
import { emitClient } from "./emit/client/index.ts";
import { emitErrors } from "./emit/errors/index.ts";
import { emitExplorer } from "./emit/explorer/index.ts";
import { withImportExtension } from "./emit/imports.ts";
import { emitJsonSchema } from "./emit/json-schema/index.ts";
import { emitMcp } from "./emit/mcp/index.ts";
import { emitOpenapi } from "./emit/openapi/index.ts";
import { emitRecorder } from "./emit/recorder/index.ts";
import { emitServer } from "./emit/server/index.ts";
import { emitStandardSchema } from "./emit/standard-schema/index.ts";
import { emitTypes } from "./emit/types/index.ts";
import { emitValidators } from "./emit/validators/index.ts";
import { emitVersions } from "./emit/versions/index.ts";
import {
  type EmittedFile,
  type GivenOptions,
  modulesOfServer,
  type Options,
  resolveOptions,
  serverModules,
  type TargetName,
  targetNames,
  uploadModules,
} from "./options.ts";
import { buildPlan } from "./plan/build.ts";
import type { Plan } from "./plan/plan.ts";
import { withRuntimeCopy } from "./runtime.ts";

/**
 * Generates the files of a checked schema, by path. A pure function: the same schema and options give the same bytes.
 */
export function generate(model: Model, ir: IrSchema, options: GivenOptions): ReadonlyMap<string, string> {
  return emitFiles(createPlan(model, ir, options), options);
}

/** Builds the plan of a schema, with the plans of its kept versions. */
export function createPlan(model: Model, ir: IrSchema, given: GivenOptions): Plan {
  const options = resolveOptions(given);
  const earlier = options.history.map((one) => buildPlan(one.model, options, { irText: writeIr(one.ir) }));
  return buildPlan(model, options, { irText: writeIr(ir), earlier });
}

/** Prints the files of a plan, by path. */
export function emitFiles(plan: Plan, given: GivenOptions): ReadonlyMap<string, string> {
  const options = resolveOptions(given);
  const chosen = targetNames.filter((name) => options.targets.has(name));
  const emitted = chosen.flatMap((name) => targets[name].emit(plan, options));
  const entries = chosen.flatMap((name) => targets[name].entries?.(options, plan) ?? []);
  const linked = options.runtime === "copy" ? withRuntimeCopy(emitted, entries) : emitted;
  const own = linked.map(({ path, text }) => ({
    path,
    text: path.endsWith(".ts") ? withImportExtension(text, options.importExtension) : text,
  }));
  const files = [...own, ...options.templates.targets.flatMap((target) => target.emit(plan))];
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  if (byPath.size !== files.length) throw new Error("two files of one generation have the same path");
  return byPath;
}

/** A target of code generation. */
interface Target {
  emit(plan: Plan, options: Options): readonly EmittedFile[];
  /** Returns the modules of the runtime that users import directly. */
  readonly entries?: (options: Options, plan: Plan) => readonly string[];
}

const targets: Readonly<Record<TargetName, Target>> = {
  types: { emit: emitTypes },
  errors: { emit: emitErrors },
  client: {
    emit: emitClient,
    entries: ({ adapters }) => ["transport", ...adapters.filter((name) => serverModules[name] === undefined)],
  },
  server: {
    emit: (plan, options) => [...emitServer(plan, options), ...emitVersions(plan, options)],
    entries: (options, { services }) => {
      const { alternative } = uploadModules(options);
      const takesFiles = services.some(({ methods }) => methods.some(({ files }) => files.length > 0));
      return [
        "testing",
        ...modulesOfServer(options),
        ...(takesFiles && alternative !== undefined ? [alternative] : []),
      ];
    },
  },
  validators: { emit: (plan) => [...emitValidators(plan), ...emitJsonSchema(plan)] },
  recorder: { emit: emitRecorder },
  "standard-schema": { emit: emitStandardSchema },
  mcp: { emit: emitMcp },
  openapi: { emit: (plan, { openapi }) => emitOpenapi(plan, openapi) },
  /** The IR, which all webrpc tools can read. */
  json: { emit: ({ irText }) => [{ path: "schema.webrpc.json", text: irText }] },
  explorer: { emit: emitExplorer },
};
