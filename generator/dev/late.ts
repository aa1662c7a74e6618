import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import type { Plugin } from "esbuild";

/** Generated files, by absolute path, that the others import only when they first need one. */
export interface LateTexts {
  has(path: string): boolean;
  /** Undefined if there is none. May take its time. */
  read(path: string): string | undefined;
  /** Prepares what the first call will ask for. */
  prepare(): void;
}

/** A module by the names of what it exports. */
export type Namespace = Readonly<Record<string, unknown>>;

/** Of a version of a project: what its late modules are read from, and the module of the runtime that they stand on. */
export interface LateFrom {
  readonly texts: LateTexts;
  readonly runtime: Namespace;
}

interface Built {
  /** What it was made of. */
  readonly texts: ReadonlyMap<string, string>;
  readonly code: string;
}

/** From the generated folder: the one file that imports others late. */
const loaders = join("validators", "index.ts");

/** From the generated folder: all of the runtime that late files stand on. */
const runtime = join("runtime", "v1", "validation.ts");

/**
 * Makes modules that generated code imports late when somebody asks for one, and not with each version: most versions of a project
 * that is edited are asked for few of its methods.
 */
export class LateModules {
  readonly #generated: string;
  /** By path. */
  readonly #built = new Map<string, Built>();

  /** `generated` is the folder of the generated files, an absolute path. */
  constructor(generated: string) {
    this.#generated = generated;
  }

  /** The file that imports others late, an absolute path. */
  get loaders(): string {
    return join(this.#generated, loaders);
  }

  /** Its text with calls of `load`, a function of a path and the runtime, in the place of imports. */
  withCalls(text: string, texts: LateTexts, load: string): string {
    const calling = text.replaceAll(/\bimport\(("[^"]+")\)/g, (whole, literal: string) => {
      const path = join(this.#generated, dirname(loaders), JSON.parse(literal) as string);
      return texts.has(path) ? `${load}(${JSON.stringify(path)}, lateRuntime)` : whole;
    });
    return `import * as lateRuntime from "../runtime/v1/validation.ts";${calling}`;
  }

  async load(path: string, from: LateFrom): Promise<Namespace> {
    const code = this.#known(path, from) ?? (await this.#build(path, from));
    const made: { exports: Namespace } = { exports: {} };
    compileFunction(code, ["module", "require"], { filename: path })(made, () => from.runtime);
    return made.exports;
  }

  #known(path: string, { texts }: LateFrom): string | undefined {
    const built = this.#built.get(path);
    const isSame = [...(built?.texts ?? [])].every(([each, text]) => texts.read(each) === text);
    return isSame ? built?.code : undefined;
  }

  async #build(entry: string, { texts }: LateFrom): Promise<string> {
    const read = new Map<string, string>();
    // Loaded here: the program's bundle would load it at every run.
    const { build } = await import("esbuild");
    const { outputFiles } = await build({
      entryPoints: [entry],
      plugins: [this.#plugin(texts, read)],
      bundle: true,
      write: false,
      platform: "node",
      target: "node20.19",
      format: "cjs",
      logLevel: "silent",
    });
    const code = outputFiles[0]?.text ?? "";
    this.#built.set(entry, { texts: read, code });
    return code;
  }

  #plugin(texts: LateTexts, read: Map<string, string>): Plugin {
    const namespace = "ridlkit-late";
    return {
      name: namespace,
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /.*/ }, ({ path: asked, importer, kind }) => {
          const path = kind === "entry-point" ? asked : join(dirname(importer), asked);
          if (texts.has(path)) return { path, namespace };
          if (path === join(this.#generated, runtime)) return { path: asked, external: true };
          return { errors: [{ text: `"${asked}" is no file that is imported late` }] };
        });
        onLoad({ filter: /.*/, namespace }, ({ path }) => {
          const contents = texts.read(path);
          if (contents === undefined) return { errors: [{ text: `${path} is not generated any more` }] };
          read.set(path, contents);
          return { contents, loader: "ts" };
        });
      },
    };
  }
}
