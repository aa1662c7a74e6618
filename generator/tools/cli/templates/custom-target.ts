import { posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CustomTarget, planData } from "../../../codegen/emit/custom/custom.ts";
import type { EmittedFile } from "../../../codegen/emit/emitter.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { jsonManifestName, manifestName } from "../../../codegen/write/manifest.ts";
import { faultInFile, moduleFault, type TemplateFault } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import type { TemplateRegistry } from "./template-registry.ts";

interface RequestedFile {
  readonly path: string;
  /** Without `.hbs`. */
  readonly template: string;
  /** Input of the template. Default: the plan. */
  readonly data?: object | null;
}

/** Creates a custom target from a folder's templates and its module, which lists the files to write. */
export async function customTarget(
  registry: TemplateRegistry,
  files: TemplateFiles,
  name: string,
): Promise<CustomTarget> {
  const module = await loadModule(files, name);
  return {
    name,
    emit(plan: Plan): readonly EmittedFile[] {
      const data = planData(plan);
      const wanted =
        module?.files(data, registry.names) ?? registry.names.map((path) => ({ path, template: path }));
      return wanted.map((file: RequestedFile) => ({
        path: posix.join(name, file.path),
        text: registry.template(file.template)(file.data ?? data),
      }));
    },
  };
}

interface TargetModule {
  /** Returns the files to write for a plan. `templates` lists the valid template names. */
  files(data: object, templates: readonly string[]): readonly RequestedFile[];
}

/** `target.mjs` of a folder: `export function files(plan)` returns a list of `{ path, template, data }`. */
async function loadModule(
  { folder, absolute, texts, hash }: TemplateFiles,
  name: string,
): Promise<TargetModule | undefined> {
  const file = ["target.mjs", "target.js"].map((one) => posix.join(name, one)).find((one) => texts.has(one));
  if (file === undefined) return undefined;
  const path = resolve(absolute, file);
  const shown = posix.join(folder, file);
  const fail = (thrown: unknown): TemplateFault => moduleFault(shown, path, texts.get(file) ?? "", thrown);
  // The hash in the URL bypasses the module cache, so that a running process loads an edited module.
  const module = await import(`${pathToFileURL(path).href}?${hash}`).catch((err: unknown) => {
    throw fail(err);
  });
  const { files } = module as { readonly files?: unknown };
  if (typeof files !== "function") throw faultInFile(shown, "it exports no function files(plan).");
  return {
    files(data, templates) {
      let result: unknown;
      try {
        result = files(data);
      } catch (err) {
        throw fail(err);
      }
      const problem = fileListError(result, templates);
      if (problem !== undefined) throw faultInFile(shown, problem);
      return result as readonly RequestedFile[];
    },
  };
}

function fileListError(result: unknown, templates: readonly string[]): string | undefined {
  if (!Array.isArray(result)) return "files(plan) must answer a list of { path, template, data }.";
  const seen = new Map<string, string>();
  for (const one of result as readonly Partial<RequestedFile>[]) {
    if (typeof one?.path !== "string" || typeof one.template !== "string")
      return "a file of files(plan) has no path, or no template.";
    const { path, template, data } = one;
    if (data !== undefined && typeof data !== "object") return `the data of "${path}" is no object.`;
    const problem = pathError(path) ?? duplicatePathError(path, seen);
    if (problem !== undefined) return problem;
    if (!templates.includes(template)) return `there is no template "${template}" for "${path}".`;
  }
  return undefined;
}

/** Maximum bytes of a file name: the file systems' limit of 255, minus the suffix of temporary files. */
const nameMaxBytes = 240;

function pathError(path: string): string | undefined {
  const steps = path.split("/");
  if (steps.includes("..") || path.startsWith("/") || /[\\:]/.test(path))
    return `"${path}" leads out of the folder.`;
  if (steps.some((step) => step === "" || step === "." || /\p{Cc}/u.test(step)))
    return `"${path}" is no path of a file, as "api/client.py" is.`;
  const long = steps.find((step) => Buffer.byteLength(step) > nameMaxBytes);
  if (long !== undefined)
    return `"${long.slice(0, 40)}…" is longer than the ${nameMaxBytes} bytes that a name may have.`;
  return steps.some((step) => step === manifestName || step === jsonManifestName)
    ? `"${path}" has the name of ridlkit's own list of files.`
    : undefined;
}

/** Reports two files with one path, also if they differ only in case, and a file where another file needs a folder. */
function duplicatePathError(path: string, seen: Map<string, string>): string | undefined {
  const steps = path.toLowerCase().split("/");
  const places = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
  const own = places.at(-1) ?? "";
  const other =
    seen.get(own) ?? places.map((place) => seen.get(`${place}/`)).find((one) => one !== undefined);
  if (other !== undefined) return `"${path}" and "${other}" cannot both be there.`;
  seen.set(`${own}/`, path);
  for (const place of places) if (!seen.has(place)) seen.set(place, path);
  return undefined;
}
