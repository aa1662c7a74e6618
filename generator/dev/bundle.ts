import { mkdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildContext, BuildFailure, Message } from "esbuild";

/** What is served: the modules that a version of a project's code consists of. All paths are absolute. */
export interface Modules {
  /** The folder in whose `node_modules` packages are looked for. */
  readonly root: string;
  /** Exports `handlers`, `createHandlers` or `server`. */
  readonly handlers: string;
  /** The generated folder. */
  readonly generated: string;
}

/** What the bundle of a project's code exports. */
export interface Loaded {
  readonly own: Readonly<Record<string, unknown>>;
  readonly createServer: (handlers: object) => object;
  readonly koaMiddleware: (
    server: object,
    options: { readonly outside: "refuse" },
  ) => import("koa").Middleware;
}

export type Attempt =
  | { readonly loaded: Loaded; readonly inputs: readonly string[] }
  /** Why it could not be built or run, in words with places. */
  | { readonly faults: readonly string[] };

/**
 * Bundles a project's handlers with the generated server, and imports them anew at each call. Packages stay imports, so that each is
 * loaded once; what is the project's own is built again only where it changed.
 */
export class Bundle implements AsyncDisposable {
  readonly #modules: Modules;
  readonly #folder: string;
  #context: BuildContext | undefined;
  #version = 0;

  constructor(modules: Modules) {
    this.#modules = modules;
    // Below the project, so that its packages are found from there, and where nobody keeps what they miss.
    this.#folder = join(modules.root, "node_modules", ".cache", "ridlkit", `dev-${process.pid}`);
  }

  async load(): Promise<Attempt> {
    try {
      // Loaded here: the program's bundle would load it at every run.
      this.#context ??= await (await import("esbuild")).context(this.#options());
      const { metafile, outputFiles } = await this.#context.rebuild();
      const text = outputFiles?.[0]?.text ?? "";
      const loaded = await this.#import(text);
      const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => join(this.#modules.root, path));
      return { loaded, inputs };
    } catch (err) {
      if (isBuildFailure(err)) return { faults: err.errors.map(describe) };
      return { faults: [err instanceof Error ? (err.stack ?? err.message) : String(err)] };
    }
  }

  async #import(text: string): Promise<Loaded> {
    mkdirSync(this.#folder, { recursive: true });
    this.#version += 1;
    const path = join(this.#folder, `${this.#version}.mjs`);
    await writeFile(path, text);
    try {
      return (await import(pathToFileURL(path).href)) as Loaded;
    } finally {
      rmSync(path, { force: true });
    }
  }

  #options() {
    const { root, handlers, generated } = this.#modules;
    const from = (path: string): string => JSON.stringify(path.replaceAll("\\", "/"));
    return {
      stdin: {
        contents: `export * as own from ${from(handlers)};
export { createServer } from ${from(join(generated, "server/index.ts"))};
export { koaMiddleware } from ${from(join(generated, "runtime/v1/koa.ts"))};
`,
        resolveDir: root,
        sourcefile: "ridlkit-dev.ts",
      },
      absWorkingDir: root,
      bundle: true,
      packages: "external",
      platform: "node",
      target: "node20.19",
      format: "esm",
      metafile: true,
      write: false,
      logLevel: "silent",
    } as const;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context?.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isBuildFailure(err: unknown): err is BuildFailure {
  return err instanceof Error && "errors" in err && Array.isArray(err.errors);
}

/** `handlers/handlers.ts:3:9: No matching export …` */
function describe({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}
