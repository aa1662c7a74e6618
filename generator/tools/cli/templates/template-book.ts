import { posix } from "node:path";
import type { CustomTemplate } from "../../../codegen/emit/render.ts";
import { faultAt, templateFault } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import { helpers } from "./helpers.ts";

type Compiler = typeof import("handlebars");

/**
 * How deep partials may nest. A partial may include itself, for the items of a tree. A circle without an end is reported here, since V8
 * ends the whole process if it compiles a regular expression on a stack that is nearly full.
 */
const maxPartialDepth = 100;

/** The templates of one folder. */
export class TemplateBook {
  /** Without `.hbs`, partials left out. */
  readonly names: readonly string[];
  readonly #environment: Compiler;
  readonly #files: TemplateFiles;
  readonly #folder: string;
  /** Templates that are being printed. */
  #printing = 0;

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
  template(name: string): CustomTemplate {
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
      if (this.#printing > maxPartialDepth) throw faultAt(shown, tooDeep);
      this.#printing++;
      try {
        return print(view, ...options);
      } catch (err) {
        throw templateFault(shown, text, err);
      } finally {
        this.#printing--;
      }
    };
  }
}

const tooDeep = `partials nest deeper than ${maxPartialDepth} levels here: they lead in a circle.`;
