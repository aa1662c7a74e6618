import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction, constants, Script } from "node:vm";
import type { BuildContext, BuildFailure, BuildOptions, Message, Plugin } from "esbuild";
import { runtimeModule } from "../../codegen/join/runtime.ts";
import { runtimeFolder } from "../../codegen/join/runtime-modules.ts";
import { type Layout, writtenPath } from "../../codegen/plan/layout.ts";
import { type GetExport, PackageLoader } from "./package-loader.ts";
import { StackMapper } from "./stack-mapper.ts";

/** What is served: the modules that a version of a project's code consists of. All paths are absolute. */
export interface Modules {
  /** The folder in whose `node_modules` packages are looked for. */
  readonly root: string;
  /** Exports `handlers`, `createHandlers`, `server` or `listener`. */
  readonly handlers: string;
  /** The generated folder. */
  readonly generated: string;
  readonly layout: Layout;
}

/** What the bundle of a project's code exports. */
export interface LoadedModules {
  readonly own: Readonly<Record<string, unknown>>;
  readonly createServer: (handlers: object, options: object) => object;
  readonly nodeListener: (server: object) => RequestListener;
}

/** One version of a project's code, that has run. */
export interface LoadedVersion extends LoadedModules {
  readonly stackMapper: StackMapper;
}

export type LoadResult =
  | { readonly loaded: LoadedVersion; readonly inputs: readonly string[] }
  /** Why it could not be built or run, in words with places. */
  | { readonly faults: readonly string[] };

/** The variable that a bundle finds in its scope. The bundler gives no other this name, since the entry speaks of it. */
const hostVariable = "ridlkitHost";

/** What faults call the module that brings the others together, which is in no file. */
const entryName = "ridlkit-dev.ts";

/** What stands for `import.meta`, which a script has not. */
const metaName = "ridlkitMeta";

interface BundleHost {
  readonly getExport: GetExport;
  readonly meta: (file: string) => object;
  loaded?: LoadedModules;
}

/**
 * Bundles a project's handlers with the generated server, and runs them anew at each call. Only what changed is parsed again. A
 * bundle is run as a script and not imported, because what is imported is never let go: an old version is freed with its last call.
 */
export class Bundle implements AsyncDisposable {
  readonly #modules: Modules;
  readonly #packages: PackageLoader;
  #context: BuildContext<Options> | undefined;
  /** Files that ask for their `import.meta`. */
  #withMeta: readonly string[] = [];

  constructor(modules: Modules) {
    this.#modules = modules;
    this.#packages = new PackageLoader(modules.root);
  }

  async load(): Promise<LoadResult> {
    try {
      const { text, mapText, inputs } = await this.#build();
      const stackMapper = new StackMapper(this.#path, mapText);
      try {
        return { loaded: { ...(await this.#run(text)), stackMapper }, inputs };
      } catch (err) {
        return { faults: [isMissingHandlers(err) ? err.message : stackMapper.stackOf(err)] };
      }
    } catch (err) {
      if (isBuildFailure(err)) return { faults: err.errors.map(describe) };
      return { faults: [err instanceof Error ? (err.stack ?? err.message) : String(err)] };
    }
  }

  async #disposeContext(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
  }

  async #build(): Promise<Built> {
    // Loaded here: the program's bundle would load it at every run.
    this.#context ??= await (await import("esbuild")).context(this.#options());
    const { metafile, outputFiles } = await this.#context.rebuild();
    const [mapText = "", text = ""] = [".map", ".js"].map(
      (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
    );
    const inputs = Object.keys(metafile.inputs)
      .filter((path) => path !== entryName && !/^[\w-]+:(?![\\/])/.test(path))
      .map((path) => join(this.#modules.root, path));
    if (!text.includes(metaName)) return { text, mapText, inputs };
    const withMeta = inputs.filter((path) => readFileSync(path, "utf8").includes("import.meta"));
    if (withMeta.join() === this.#withMeta.join()) return { text, mapText, inputs };
    this.#withMeta = withMeta;
    await this.#disposeContext();
    return this.#build();
  }

  async #run(text: string): Promise<LoadedModules> {
    const given: BundleHost = { getExport: this.#packages.getExport, meta: metaOf };
    await this.#compile(text)(given);
    if (given.loaded === undefined) throw new Error("a bundle has run, and has handed nothing over");
    return given.loaded;
  }

  /** Names the bundle in stacks. */
  get #path(): string {
    return join(this.#modules.root, "ridlkit-dev.mjs");
  }

  #compile(text: string): (given: BundleHost) => Promise<void> | undefined {
    const options = {
      // What it imports while it runs is looked for from here.
      filename: this.#path,
      // So that the first line of the text is line 1.
      lineOffset: -1,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    };
    try {
      // In half the time of a function inside of a script, whose text is parsed twice.
      return compileFunction(`"use strict";\n${text}`, [hostVariable], options) as (
        given: BundleHost,
      ) => undefined;
    } catch {
      // With an await at its top, or with a fault, which is thrown again.
      const script = new Script(`(async (${hostVariable}) => {"use strict";\n${text}\n})`, options);
      return script.runInThisContext() as (given: BundleHost) => Promise<void>;
    }
  }

  #options(): Options {
    const { root, handlers, generated, layout } = this.#modules;
    const from = (path: string): string => JSON.stringify(path.replaceAll("\\", "/"));
    return {
      stdin: {
        contents: `import * as own from ${from(handlers)};
import { createServer } from ${from(join(generated, writtenPath("server/index.ts", layout)))};
import { nodeListener } from "ridlkit:node-http";
${hostVariable}.loaded = { own, createServer, nodeListener };
`,
        resolveDir: root,
        sourcefile: entryName,
      },
      absWorkingDir: root,
      bundle: true,
      packages: "external",
      plugins: [
        nodeAdapterPlugin(generated),
        this.#packages.plugin(hostVariable),
        metaPlugin(this.#withMeta),
      ],
      define: { "import.meta": metaName },
      platform: "node",
      target: "node20.19",
      format: "esm",
      metafile: true,
      sourcemap: "external",
      sourcesContent: false,
      // Where sources are relative to; nothing is written.
      outdir: root,
      write: false,
      logLevel: "silent",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposeContext();
    this.#packages[Symbol.dispose]();
  }
}

interface Built {
  readonly text: string;
  /** The source map of the text, as JSON. */
  readonly mapText: string;
  readonly inputs: readonly string[];
}

type Options = BuildOptions & { readonly metafile: true; readonly write: false };

/** Serves on Node whatever adapter the project has chosen. */
function nodeAdapterPlugin(generated: string): Plugin {
  return {
    name: "ridlkit-node-http",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^ridlkit:node-http$/ }, ({ path }) => ({ path, namespace: "ridlkit" }));
      onLoad({ filter: /./, namespace: "ridlkit" }, () => ({
        contents: runtimeModule("node-http"),
        resolveDir: join(generated, runtimeFolder),
        loader: "ts",
      }));
    },
  };
}

/** Gives files their `import.meta`, on their first line so that all others keep their number. */
function metaPlugin(files: readonly string[]): Plugin {
  const setUp: Plugin["setup"] = ({ onLoad }) => {
    if (files.length === 0) return;
    onLoad({ filter: anyPathPattern(files), namespace: "file" }, ({ path }) => {
      const extension = /[^.]*$/.exec(path)?.[0] ?? "";
      const loader =
        extension === "tsx" || extension === "jsx" ? extension : extension.endsWith("ts") ? "ts" : "js";
      const given = `const ${metaName} = ${hostVariable}.meta(${JSON.stringify(path)});`;
      return { contents: given + readFileSync(path, "utf8"), loader };
    });
  };
  return { name: "ridlkit-meta", setup: setUp };
}

function anyPathPattern(paths: readonly string[]): RegExp {
  const texts = paths.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${texts.join("|")})$`);
}

function metaOf(file: string): object {
  const url = pathToFileURL(file).href;
  const resolve = (specifier: string): string => {
    const found = createRequire(url).resolve(
      specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier,
    );
    return found.startsWith("/") || /^[A-Z]:/i.test(found) ? pathToFileURL(found).href : found;
  };
  return { url, filename: file, dirname: dirname(file), resolve };
}

/** What the generated server throws without a handler for each method; its stack shows nothing more. */
function isMissingHandlers(err: unknown): err is Error {
  return err instanceof Error && err.name === "MissingHandlers";
}

function isBuildFailure(err: unknown): err is BuildFailure {
  return err instanceof Error && "errors" in err && Array.isArray(err.errors);
}

/** `handlers/handlers.ts:3:9: No matching export …` */
function describe({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}
