import { hash } from "node:crypto";
import { posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { planData, templateNames } from "../../../codegen/emit/render.ts";
import { inlineComment } from "../../../codegen/emit/text.ts";
import type { CustomTarget, CustomTemplate, CustomTemplates, EmittedFile } from "../../../codegen/options.ts";
import { camelCase, fileNameFault, kebabCase, pascalCase } from "../../../codegen/plan/names.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../command-error.ts";
import { manifestName } from "../files/output-folder.ts";
import { faultInFile, moduleFault, type TemplateFault, templateFault } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";

/** Compiles custom templates. Throws `TemplateFault`. Handlebars is loaded here and only for custom templates. */
export async function compileTemplates(files: TemplateFiles): Promise<CustomTemplates> {
  const { default: handlebars } = await import("handlebars");
  const folders = new Set([...files.texts.keys()].map((path) => posix.dirname(path)));
  const overrides = new Map<string, CustomTemplate>();
  const targets: CustomTarget[] = [];
  for (const folder of folders) {
    const book = new TemplateRegistry(handlebars, files, folder);
    if (reservedFolders.has(folder.toLowerCase()))
      throw faultInFile(posix.join(files.folder, folder), reservedReason);
    if (!builtInFolders.has(folder)) targets.push(await customTarget(book, files, folder));
    else for (const name of book.names) overrides.set(builtInName(files, folder, name), book.template(name));
  }
  return { overrides, targets };
}

/** Folders whose templates override built-in templates. */
const builtInFolders: ReadonlySet<string> = new Set(templateNames.map((name) => posix.dirname(name)));

/** Output folders that have no built-in templates. */
const reservedFolders: ReadonlySet<string> = new Set(["runtime", "validators", "json-schema"]);
const reservedReason = "ridlkit generates a folder of this name itself: rename the target.";

function builtInName({ folder }: TemplateFiles, target: string, file: string): string {
  const name = posix.join(target, file);
  if (templateNames.includes(name)) return name;
  const known = templateNames.filter((one) => posix.dirname(one) === target);
  const reason = `there is no template "${name}" to override.${didYouMean(suggest(name, known)) || ` Templates: ${known.join(", ")}.`}`;
  throw faultInFile(posix.join(folder, `${name}.hbs`), reason);
}

type Compiler = typeof import("handlebars");

/**
 * Maximum nesting depth of partials. A partial may include itself, for example for a tree. Endless recursion must be stopped here: V8 aborts the
 * process if it compiles a regular expression while the stack is nearly full.
 */
const maxPartialDepth = 100;

/** The compiled templates of a folder. */
class TemplateRegistry {
  /** Names without `.hbs`, without partials. */
  readonly names: readonly string[];
  readonly #handlebars: Compiler;
  readonly #files: TemplateFiles;
  readonly #folder: string;
  /** Number of templates that are currently rendered, nested in each other. */
  #depth = 0;

  constructor(handlebars: Compiler, files: TemplateFiles, folder: string) {
    this.#handlebars = handlebars.create();
    this.#files = files;
    this.#folder = folder;
    this.#handlebars.registerHelper({ ...helpers });
    const templates = [...files.texts.keys()]
      .filter((path) => posix.dirname(path) === folder && path.endsWith(".hbs"))
      .map((path) => posix.basename(path, ".hbs"));
    this.names = templates.filter((name) => !name.startsWith("_"));
    for (const name of templates.filter((one) => one.startsWith("_"))) {
      this.#handlebars.registerPartial(name.slice(1), this.template(name));
    }
  }

  /** The render function of `NAME.hbs`. */
  template(name: string): CustomTemplate {
    const path = posix.join(this.#folder, `${name}.hbs`);
    const text = this.#files.texts.get(path) ?? "";
    const shown = posix.join(this.#files.folder, path);
    try {
      // Reports syntax errors before anything is rendered. Handlebars compiles on first use.
      this.#handlebars.parse(text);
    } catch (err) {
      throw templateFault(shown, text, err);
    }
    const print = this.#handlebars.compile<object>(text, {
      noEscape: true,
      strict: true,
      preventIndent: true,
    });
    return (view, ...options: readonly object[]) => {
      if (this.#depth > maxPartialDepth) throw faultInFile(shown, recursionReason);
      this.#depth++;
      try {
        return print(view, ...options);
      } catch (err) {
        throw templateFault(shown, text, err);
      } finally {
        this.#depth--;
      }
    };
  }
}

const recursionReason = `partials are nested more than ${maxPartialDepth} levels deep: they include each other endlessly.`;

/** A file that the module of a custom target lists. */
interface RequestedFile {
  readonly path: string;
  /** Without `.hbs`. */
  readonly template: string;
  /** The template's data. Default: the plan. */
  readonly data?: object | null;
}

/** A custom target: a folder of templates, with an optional module that lists the files to generate. */
async function customTarget(
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
  /** Lists the files to generate. `templates` are the names of the target's templates. */
  files(data: object, templates: readonly string[]): readonly RequestedFile[];
}

/** Loads `target.mjs`. Its exported function `files(plan)` returns a list of `{ path, template, data }`. */
async function loadModule(
  { folder, absolute, texts }: TemplateFiles,
  name: string,
): Promise<TargetModule | undefined> {
  const file = ["target.mjs", "target.js"].map((one) => posix.join(name, one)).find((one) => texts.has(one));
  if (file === undefined) return undefined;
  const path = resolve(absolute, file);
  const displayPath = posix.join(folder, file);
  const fail = (thrown: unknown): TemplateFault =>
    moduleFault(displayPath, path, texts.get(file) ?? "", thrown);
  // The hash makes a watching process load the module again after an edit.
  const module = await import(
    `${pathToFileURL(path).href}?${hash("sha1", JSON.stringify([...texts]))}`
  ).catch((err: unknown) => {
    throw fail(err);
  });
  const { files } = module as { readonly files?: unknown };
  if (typeof files !== "function") throw faultInFile(displayPath, "it must export a function files(plan).");
  return {
    files(data, templates) {
      let result: unknown;
      try {
        result = files(data);
      } catch (err) {
        throw fail(err);
      }
      const problem = fileListError(result, templates);
      if (problem !== undefined) throw faultInFile(displayPath, problem);
      return result as readonly RequestedFile[];
    },
  };
}

/** Checks the list that `files(plan)` returned. */
function fileListError(list: unknown, templates: readonly string[]): string | undefined {
  if (!Array.isArray(list)) return "files(plan) must return a list of { path, template, data }.";
  const seen = new Map<string, string>();
  for (const one of list as readonly Partial<RequestedFile>[]) {
    if (typeof one?.path !== "string" || typeof one.template !== "string")
      return "files(plan) returned a file without a path or template.";
    const { path, template, data } = one;
    if (data !== undefined && typeof data !== "object") return `the data of "${path}" must be an object.`;
    const error = pathError(path) ?? duplicatePathError(path, seen);
    if (error !== undefined) return error;
    if (!templates.includes(template))
      return `"${path}" needs the template "${template}", which does not exist.`;
  }
  return undefined;
}

/** Maximum length of a file name in bytes: file systems allow 255, and temporary files have a suffix. */
const maxNameBytes = 240;

function pathError(path: string): string | undefined {
  const segments = path.split("/");
  if (segments.includes("..") || path.startsWith("/") || /[\\:]/.test(path))
    return `"${path}" is outside the output folder.`;
  if (segments.some((segment) => segment === "" || segment === "." || /\p{Cc}/u.test(segment)))
    return `"${path}" is not a valid file path; expected a path such as "api/client.py".`;
  const bad = segments
    .map((segment) => fileNameFault(segment) && `"${segment}" ${fileNameFault(segment)}.`)
    .find((fault) => fault !== undefined);
  if (bad !== undefined) return bad;
  const long = segments.find((segment) => Buffer.byteLength(segment) > maxNameBytes);
  if (long !== undefined) return `"${long.slice(0, 40)}…" is longer than ${maxNameBytes} bytes.`;
  return segments.includes(manifestName)
    ? `"${path}" has the reserved name of ridlkit's manifest.`
    : undefined;
}

/** Rejects files with the same path, ignoring case as some file systems do, and a file at the path of another file's folder. */
function duplicatePathError(path: string, seen: Map<string, string>): string | undefined {
  const segments = path.toLowerCase().split("/");
  const prefixes = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  const own = prefixes.at(-1) ?? "";
  const other =
    seen.get(own) ?? prefixes.map((prefix) => seen.get(`${prefix}/`)).find((one) => one !== undefined);
  if (other !== undefined) return `"${path}" and "${other}" cannot both exist.`;
  seen.set(`${own}/`, path);
  for (const prefix of prefixes) if (!seen.has(prefix)) seen.set(prefix, path);
  return undefined;
}

/** Helpers for custom templates, in addition to those of Handlebars. */
const helpers: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  /** `GetOrders` → `getOrders`. */
  camelCase: (name) => camelCase(textOf("camelCase", name)),
  /** `get-orders` → `GetOrders`. */
  pascalCase: (name) => pascalCase(textOf("pascalCase", name)),
  /** `GetOrders` → `get-orders`. */
  kebabCase: (name) => kebabCase(textOf("kebabCase", name)),
  /** `GetOrders` → `get_orders`. */
  snakeCase: (name) => kebabCase(textOf("snakeCase", name)).replaceAll("-", "_"),
  upperCase: (text) => textOf("upperCase", text).toUpperCase(),
  lowerCase: (text) => textOf("lowerCase", text).toLowerCase(),
  /** Escapes text for a comment: it cannot end the comment, line breaks become spaces, control characters become `<U+001B>`. */
  comment: (text) => inlineComment(textOf("comment", text)),
  /** Prints JSON, which is also a valid literal in many languages. Prints bigints as numbers. */
  json: (value) => JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? Number(one) : one)),
  eq: (a, b) => a === b,
  not: (value) => !value,
  /** Handlebars passes its options as the last argument. */
  and: (...values) => values.slice(0, -1).every(Boolean),
  or: (...values) => values.slice(0, -1).some(Boolean),
  /** Default separator: a comma. */
  join: (list, separator) => {
    if (list === null) return "";
    if (!Array.isArray(list)) throw new Error(`"join" takes a list; found ${kindOf(list)}.`);
    return list.join(typeof separator === "string" ? separator : ",");
  },
};

function textOf(helper: string, value: unknown): string {
  if (typeof value !== "object" && value !== undefined) return String(value);
  throw new Error(`"${helper}" takes a text; found ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `"${String(value)}"`;
}
