import { existsSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import {
  adapterNames,
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
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { wrapWords } from "../../../language/diagnostics/wrap.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import { OutputFolder } from "../files/output-folder.ts";
import type { Option, Values } from "../options.ts";
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
  readonly openapiForm: OptionOf<"text">;
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
  openapiForm: {
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

const openapiForms = ["yaml", "json"] as const;

const int64Forms = ["number", "bigint"] as const satisfies readonly Int64Form[];

function formsError({
  options: { openapiForm, openapiVersion, int64, enums, runtime },
}: GenerationCall): string | undefined {
  return (
    formError("--openapi-form", openapiForm, openapiForms) ??
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
  const form = openapiForms.find((one) => one === call.options.openapiForm);
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
      ...(form === undefined ? {} : { form }),
      ...(version === undefined ? {} : { version }),
    },
    history: [],
    templates: undefined,
  });
  const own = call.options.templates ?? generation?.templates;
  const templates = own === undefined ? undefined : readTemplateFiles(call.cwd, own);
  return { schema, out, folder, options, templates };
}
