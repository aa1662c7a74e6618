import { posix } from "node:path";
import { transformSync } from "esbuild";
import { emitJsonSchema } from "../../generator/codegen/emit/json-schema/index.ts";
import { emitValidators } from "../../generator/codegen/emit/validators/index.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { Issues } from "../../generator/codegen/runtime/v1/issue.ts";
import * as runtime from "../../generator/codegen/runtime/v1/validation.ts";

export type Validate = (value: unknown) => Issues | undefined;

/** The generated validators of a plan, running on the runtime's sources, and the JSON Schema beside them. */
export interface LoadedValidators {
  read(typeName: string): Validate;
  check(typeName: string): Validate;
  /** What goes over the wire: the value itself where nothing is to be done. */
  write(typeName: string): (value: unknown) => unknown;
  readonly jsonSchema: { readonly $id: string; readonly $defs: Readonly<Record<string, object>> };
}

export function loadValidators(plan: Plan): LoadedValidators {
  const modules = new Modules(new Map(emitValidators(plan).map(({ path, text }) => [path, text])));
  const requests = modules.allIn("validators/requests/");
  const responses = modules.allIn("validators/responses/");
  const [schema] = emitJsonSchema(plan);
  return {
    read: (typeName) => requests[`read${typeName}`] as Validate,
    check: (typeName) => responses[`check${typeName}`] as Validate,
    write: (typeName) => responses[`write${typeName}`] ?? ((value) => value),
    jsonSchema: JSON.parse(schema?.text ?? ""),
  };
}

type Exports = Readonly<Record<string, (value: unknown) => unknown>>;

/** Runs generated files whose only imports with a value are the runtime and each other. */
class Modules {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, Exports>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** What the files of a folder export, in one object. */
  allIn(folder: string): Exports {
    const paths = [...this.#texts.keys()].filter((path) => path.startsWith(folder));
    return Object.assign({}, ...paths.map((path) => this.#load(path)));
  }

  #load(path: string): Exports {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known;
    const { code } = transformSync(this.#texts.get(path) ?? "", {
      loader: "ts",
      format: "cjs",
      target: "node20",
    });
    const module = { exports: {} };
    const require = (name: string): object =>
      name.startsWith("./") ? this.#load(posix.join(posix.dirname(path), name)) : runtime;
    new Function("module", "exports", "require", code)(module, module.exports, require);
    this.#loaded.set(path, module.exports);
    return module.exports;
  }
}
