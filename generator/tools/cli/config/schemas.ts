import { posix } from "node:path";
import {
  type AdapterName,
  type GivenOptions,
  isAdapterName,
  isTargetName,
  type OpenapiOptions,
  type TargetName,
} from "../../../codegen/options.ts";
import type { ContextType } from "../../../handlers/folders.ts";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { type IrFilter, parseAnnotationFilter } from "../../../language/ir/filter.ts";
import type { IrSchema } from "../../../language/ir/schema.ts";
import { knownAnnotations } from "../../../language/model/annotations.ts";
import type { Config, ContextConfig, LintConfig, SchemaConfig } from "../../config/config.ts";
import { isModulePath } from "../../config/context.ts";
import { projectName } from "../../config/name.ts";
import { didYouMean, type Result, usageError } from "../command-error.ts";
import type { SchemaValues } from "../options.ts";
import type { Environment } from "../process-context.ts";
import type { FoundConfig } from "./read-config.ts";

/** A schema to process, with settings from flags, the environment and the configuration. */
export interface Schema {
  /** Path from the working directory, as the user wrote it. */
  readonly path: string;
  /** Its name in the configuration; absent for a FILE. */
  readonly project?: string;
  readonly strict: boolean;
  readonly hashParity: boolean;
  readonly lint: LintConfig;
  readonly filter: IrFilter;
  /** The folder that imports are confined to, from the working directory. */
  readonly importRoot?: string;
  /** Settings of code generation; absent for a FILE. */
  readonly generation?: Generation;
}

/** The settings of a schema in the configuration. Paths are relative to the working directory. */
export interface Generation extends Omit<SchemaConfig, "adapters" | "context" | "targets"> {
  readonly targets: readonly TargetName[] | undefined;
  readonly adapters: readonly AdapterName[] | undefined;
  readonly openapi: OpenapiOptions;
  /** The type of `ctx.context` in new handlers. */
  readonly context?: ContextType;
  /** Output folders of the configuration's other schemas. */
  readonly otherOuts: readonly string[];
}

/** The options for commands that report what `generate` would. */
export function forCode<Given extends Pick<Schema, "generation">>(
  schema: Given,
): Given & { readonly int64Numbers: boolean } {
  const { targets, int64 } = schema.generation ?? {};
  return { ...schema, int64Numbers: targets?.length !== 0 && int64 !== "bigint" };
}

/** The settings that change values and errors on the wire, and their types. */
export function wireSettings({ generation }: Pick<Schema, "generation">): WireSettings {
  if (generation === undefined) return {};
  const { protocolErrors, int64, timestamps, enums } = generation;
  return { protocolErrors, int64, timestamps, enums };
}

export type WireSettings = Pick<GivenOptions, "protocolErrors" | "int64" | "timestamps" | "enums">;

export interface SchemaChoice {
  readonly command: string;
  readonly files: readonly string[];
  readonly options: SchemaValues;
  readonly environment: Environment;
  readonly found: FoundConfig | undefined;
  /** Whether the command accepts only a single schema. */
  readonly takesOneSchema?: boolean;
  /** Whether the command selects the only schema with handlers among several. */
  readonly prefersHandlers?: boolean;
}

/**
 * Returns the given FILEs, or else the schema of `--project`, or else all schemas of the configuration. A FILE uses the top-level
 * settings of the configuration, not those of a schema in it.
 */
export function chooseSchemas(choice: SchemaChoice): Result<readonly Schema[]> {
  const { files, options, found } = choice;
  const config = found?.config;
  if (files.length > 0 && options.project !== undefined)
    return schemaError(choice, "FILE and --project cannot be combined.");
  if (files.length > 1 && choice.takesOneSchema === true) {
    return schemaError(
      choice,
      `"${choice.command}" takes one FILE; found ${files.length}: ${files.join(", ")}.`,
    );
  }
  if (files.length > 0)
    return { value: files.map((path) => ({ path, ...resolveSettings(choice, config, {}) })) };
  if (found === undefined) {
    return schemaError(
      choice,
      "No schema was given, and this folder has no ridlkit.config.*. Name a FILE, or run ridlkit init.",
    );
  }
  return fromConfig(choice, found);
}

function fromConfig(choice: SchemaChoice, { path, config }: FoundConfig): Result<readonly Schema[]> {
  const { project } = choice.options;
  const names = config.schemas.map(projectName);
  const named = config.schemas.filter((schema) => project === undefined || projectName(schema) === project);
  const handled = named.filter(({ handlers }) => handlers !== undefined);
  const chosen = choice.prefersHandlers === true && handled.length > 0 ? handled : named;
  if (project !== undefined && chosen.length === 0) {
    const hint = didYouMean(suggest(project, names)) || ` Schemas: ${names.join(", ")}.`;
    return schemaError(choice, `"${path}" has no schema "${project}".${hint}`);
  }
  if (chosen.length > 1 && choice.takesOneSchema === true) {
    return schemaError(
      choice,
      `"${path}" has several schemas. Choose one with --project: ${chosen.map(projectName).join(", ")}.`,
    );
  }
  const folder = posix.dirname(path);
  const value = chosen.map((schema) => ({
    path: posix.isAbsolute(schema.entry) ? schema.entry : posix.join(folder, schema.entry),
    project: projectName(schema),
    ...resolveSettings(choice, config, schema),
    generation: generationOf(schema, config, folder),
  }));
  return { value };
}

function generationOf(schema: SchemaConfig, { schemas }: Config, folder: string): Generation {
  const { context, out, handlers, history, templates, ...settings } = schema;
  const from = (path: string): string => (posix.isAbsolute(path) ? path : posix.join(folder, path));
  return {
    ...settings,
    ...(out === undefined ? {} : { out: from(out) }),
    ...(handlers === undefined ? {} : { handlers: from(handlers) }),
    ...(history === undefined ? {} : { history: from(history) }),
    ...(templates === undefined ? {} : { templates: from(templates) }),
    ...(context === undefined ? {} : { context: contextOf(context, from) }),
    targets: settings.targets?.filter(isTargetName),
    adapters: settings.adapters?.filter(isAdapterName),
    openapi: settings.openapi ?? {},
    otherOuts: schemas.flatMap((other) =>
      other === schema || other.out === undefined ? [] : [from(other.out)],
    ),
  };
}

function contextOf(
  { type: name, from: specifier }: ContextConfig,
  from: (path: string) => string,
): ContextType {
  return { name, specifier, ...(isModulePath(specifier) ? { path: from(specifier) } : {}) };
}

/** Precedence: flag, environment, schema, configuration, default. */
function resolveSettings(
  { options, environment, found }: SchemaChoice,
  config: Config | undefined,
  schema: Partial<SchemaConfig>,
): Omit<Schema, "path" | "project" | "generation"> {
  const isConfined = options.confineImports ?? config?.confineImports ?? false;
  return {
    strict: options.strict ?? environment.strict ?? schema.strict ?? config?.strict ?? false,
    hashParity: options.hashParity ?? schema.hashParity ?? false,
    lint: schema.lint ?? config?.lint ?? "default",
    filter: filterOf(schema, environment),
    ...(isConfined ? { importRoot: found === undefined ? "." : posix.dirname(found.path) } : {}),
  };
}

function filterOf(schema: Partial<SchemaConfig>, environment: Environment): IrFilter {
  const schemaVersion = environment.schemaVersion ?? schema.schemaVersion;
  const match = parseAnnotationFilter(schema.match?.join(",") ?? "");
  const ignore = parseAnnotationFilter(schema.ignore?.join(",") ?? "");
  return {
    ...(schema.services === undefined ? {} : { services: schema.services }),
    ...(schema.methodTreeShake === undefined ? {} : { methodTreeShake: schema.methodTreeShake }),
    ...(match === undefined ? {} : { match }),
    ...(ignore === undefined ? {} : { ignore }),
    ...(schemaVersion === undefined ? {} : { schemaVersion }),
  };
}

/**
 * Reports selected services that do not exist: nothing would be left of them. Warns about misspelled annotations in `match` and
 * `ignore`, which would publish methods that were meant to be left out.
 */
export function unknownInFilter(
  { services }: IrSchema,
  {
    path,
    strict,
    filter: { services: selected = [], match, ignore },
  }: Pick<Schema, "path" | "strict" | "filter">,
): Diagnostic[] {
  const declared = (services ?? []).map(({ name }) => name);
  const unknown = selected.filter((name) => !declared.includes(name));
  const methods = (services ?? []).flatMap((service) => service.methods ?? []);
  const used = new Set([
    ...methods.flatMap(({ annotations }) => [...(annotations?.keys() ?? [])]),
    ...knownAnnotations.map(({ name }) => name),
  ]);
  const filtered = [...(match?.keys() ?? []), ...(ignore?.keys() ?? [])].filter((name) => !used.has(name));
  return [
    ...unknown.map((name) => {
      const near = suggest(name, declared);
      const advice =
        near === undefined ? `The services are ${declared.join(", ")}.` : `Did you mean "${near}"?`;
      return diagnose("config-unknown-service", { name }, { path }, { advice });
    }),
    ...filtered.flatMap((name) => {
      const near = suggest(name, used);
      const advice = `Did you mean "@${near}"?`;
      if (near === undefined) return [];
      const warning = diagnose("filter-annotation", { name }, { path }, { advice });
      return [strict ? underStrict(warning) : warning];
    }),
  ];
}

function schemaError({ command }: SchemaChoice, message: string): Result<never> {
  return usageError(message, `ridlkit help ${command}`);
}
