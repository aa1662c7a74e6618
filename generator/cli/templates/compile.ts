import { posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose } from "../../diagnostics/diagnostic.ts";
import { suggest } from "../../diagnostics/suggest.ts";
import { type CustomTarget, type CustomTemplates, planData } from "../../emit/custom/custom.ts";
import type { EmittedFile } from "../../emit/emitter.ts";
import type { Template } from "../../emit/render.ts";
import { templateNames } from "../../emit/template-names.ts";
import type { Plan } from "../../plan/plan.ts";
import { didYouMean } from "../refusal.ts";
import { moduleFault, TemplateFault, templateFault } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import { helpers } from "./helpers.ts";

type Compiler = typeof import("handlebars");

/** Texts to functions. Throws `TemplateFault`. The compiler of templates is loaded here, and for users' templates alone. */
export async function compileTemplates(files: TemplateFiles): Promise<CustomTemplates> {
  const { default: handlebars } = await import("handlebars");
  const folders = new Set([...files.texts.keys()].map((path) => posix.dirname(path)));
  const overrides = new Map<string, Template<object>>();
  const targets: CustomTarget[] = [];
  for (const folder of folders) {
    const book = new TemplateBook(handlebars, files, folder);
    if (!ownFolders.has(folder)) targets.push(await customTarget(book, files, folder));
    else for (const name of book.names) overrides.set(ownName(files, folder, name), book.template(name));
  }
  return { overrides, targets };
}

/** Folders whose templates stand for ours. */
const ownFolders: ReadonlySet<string> = new Set(templateNames.map((name) => posix.dirname(name)));

function ownName({ folder }: TemplateFiles, target: string, file: string): string {
  const name = posix.join(target, file);
  if (templateNames.includes(name)) return name;
  const known = templateNames.filter((one) => posix.dirname(one) === target);
  const reason = `there is no template "${name}" to override.${didYouMean(suggest(name, known)) || ` There are ${known.join(", ")}.`}`;
  throw new TemplateFault(
    diagnose("template-fault", { reason }, { path: posix.join(folder, `${name}.hbs`) }),
  );
}

/** The templates of one folder. */
class TemplateBook {
  /** Without `.hbs`, partials left out. */
  readonly names: readonly string[];
  readonly #environment: Compiler;
  readonly #files: TemplateFiles;
  readonly #folder: string;

  constructor(handlebars: Compiler, files: TemplateFiles, folder: string) {
    this.#environment = handlebars.create();
    this.#files = files;
    this.#folder = folder;
    this.#environment.registerHelper({ ...helpers });
    const templates = [...files.texts.keys()]
      .filter((path) => posix.dirname(path) === folder && path.endsWith(".hbs"))
      .map((path) => posix.basename(path, ".hbs"));
    this.names = templates.filter((name) => !name.startsWith("_"));
    for (const name of templates.filter((one) => one.startsWith("_"))) {
      this.#environment.registerPartial(name.slice(1), this.template(name));
    }
  }

  /** Of `python/client.py.hbs`: prints it. */
  template(name: string): Template<object> {
    const path = posix.join(this.#folder, `${name}.hbs`);
    const text = this.#files.texts.get(path) ?? "";
    const shown = posix.join(this.#files.folder, path);
    try {
      // Compiled when it is first printed; a fault of its form is told before anything is.
      this.#environment.parse(text);
    } catch (err) {
      throw templateFault(shown, text, err);
    }
    const print = this.#environment.compile<object>(text, {
      noEscape: true,
      strict: true,
      preventIndent: true,
    });
    return (view, ...options: readonly object[]) => {
      try {
        return print(view, ...options);
      } catch (err) {
        throw templateFault(shown, text, err);
      }
    };
  }
}

/** A file that a module asks for. */
interface WantedFile {
  readonly path: string;
  /** Without `.hbs`. */
  readonly template: string;
  /** What it prints; the plan if nothing is said. */
  readonly data?: object;
}

async function customTarget(book: TemplateBook, files: TemplateFiles, name: string): Promise<CustomTarget> {
  const wanted = await wantedFiles(files, name);
  return {
    name,
    emit(plan: Plan): readonly EmittedFile[] {
      const data = planData(plan);
      return (wanted?.(data) ?? book.names.map((template) => ({ path: template, template, data }))).map(
        (file) => {
          if (!book.names.includes(file.template)) {
            const reason = `there is no template "${file.template}" for "${file.path}".`;
            throw new TemplateFault(
              diagnose("template-fault", { reason }, { path: posix.join(files.folder, name) }),
            );
          }
          return { path: posix.join(name, file.path), text: book.template(file.template)(file.data ?? data) };
        },
      );
    },
  };
}

/** `target.mjs` of a folder: `export function files(plan)` answers a list of `{ path, template, data }`. */
async function wantedFiles(
  { folder, absolute, texts }: TemplateFiles,
  name: string,
): Promise<((data: object) => readonly WantedFile[]) | undefined> {
  const file = ["target.mjs", "target.js"].map((one) => posix.join(name, one)).find((one) => texts.has(one));
  if (file === undefined) return undefined;
  const path = resolve(absolute, file);
  const fail = (thrown: unknown): TemplateFault =>
    moduleFault(posix.join(folder, file), path, texts.get(file) ?? "", thrown);
  const module = await import(pathToFileURL(path).href).catch((err: unknown) => {
    throw fail(err);
  });
  const { files } = module as { readonly files?: unknown };
  if (typeof files !== "function") throw fail("it exports no function files(plan).");
  return (data) => {
    try {
      return checked(files(data));
    } catch (err) {
      throw fail(err);
    }
  };
}

function checked(answer: unknown): readonly WantedFile[] {
  if (!Array.isArray(answer)) throw new Error("files(plan) must answer a list of { path, template, data }.");
  for (const one of answer as readonly Partial<WantedFile>[]) {
    if (typeof one?.path !== "string" || typeof one.template !== "string") {
      throw new Error("a file of files(plan) has no path, or no template.");
    }
    if (one.path.split("/").some((step) => /^(|[.]|[.][.])$|[\\:]/.test(step))) {
      throw new Error(`"${one.path}" leads out of the folder.`);
    }
  }
  return answer as readonly WantedFile[];
}
