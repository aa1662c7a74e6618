import { posix } from "node:path";
import type { CustomTemplate } from "../../../codegen/emit/render.ts";
import { faultInFile, templateFault } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import { helpers } from "./helpers.ts";

type Compiler = typeof import("handlebars");

/**
 * Maximum nesting depth of partials. A partial may include itself, for example for a tree. Endless recursion must be stopped here: V8 aborts the
 * process if it compiles a regular expression while the stack is nearly full.
 */
const maxPartialDepth = 100;

/** The compiled templates of a folder. */
export class TemplateRegistry {
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
