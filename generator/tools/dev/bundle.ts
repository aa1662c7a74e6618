import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createRequire, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { compileFunction, constants, Script } from "node:vm";
import type {
  BuildContext,
  BuildFailure,
  BuildOptions,
  Message,
  OnLoadResult,
  Plugin,
  PluginBuild,
} from "esbuild";
import { runtimeFolder, runtimeModule } from "../../codegen/runtime.ts";

/** The modules of a served project. All paths are absolute. */
export interface Modules {
  /** The folder whose `node_modules` contains the packages. */
  readonly root: string;
  /** Exports `handlers`, `createHandlers`, `server` or `listener`. */
  readonly handlers: string;
  /** The generated folder. */
  readonly generated: string;
}

/** The exports of a bundle. */
export interface LoadedModules {
  readonly own: Readonly<Record<string, unknown>>;
  readonly createServer: (handlers: object, options: object) => object;
  /** Undefined if no method takes idempotency keys. */
  readonly memoryIdempotencyStore: (() => object) | undefined;
  readonly nodeListener: (server: object) => RequestListener;
}

/** A version of a project's code whose modules have been evaluated. */
export interface LoadedVersion extends LoadedModules {
  readonly stackMapper: StackMapper;
}

export type LoadResult =
  | { readonly loaded: LoadedVersion; readonly inputs: readonly string[] }
  /** Messages with positions: why the code could not be built or evaluated. */
  | { readonly errors: readonly string[] };

/** The variable through which a bundle calls back. The entry module uses the name, so esbuild does not give it to another variable. */
const hostVariable = "ridlkitHost";

/** The name of the virtual entry module in error messages. */
const entryName = "ridlkit-dev.ts";

/** Replaces `import.meta`, which does not exist in scripts. */
const metaName = "ridlkitMeta";

interface BundleHost {
  readonly getExport: GetExport;
  readonly meta: (file: string) => object;
  loaded?: LoadedModules;
}

/**
 * Bundles a project's handlers with the generated server, and evaluates a new version on each `load`. Only changed files are parsed again.
 * A bundle is evaluated as a script instead of imported, because imported modules are never freed. An old version is freed after its last call.
 */
export class Bundle implements AsyncDisposable {
  readonly #modules: Modules;
  readonly #packages: PackageLoader;
  #context: BuildContext<Options> | undefined;
  /** Files that use `import.meta`. */
  #filesWithMeta: readonly string[] = [];

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
        return { errors: [isMissingHandlers(err) ? err.message : stackMapper.stackOf(err)] };
      }
    } catch (err) {
      if (isBuildFailure(err)) return { errors: err.errors.map((error) => describe(error, this.#modules)) };
      return { errors: [err instanceof Error ? (err.stack ?? err.message) : String(err)] };
    }
  }

  async #disposeContext(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
  }

  async #build(): Promise<Built> {
    // Imported lazily: no other command needs esbuild.
    this.#context ??= await (await import("esbuild")).context(this.#options());
    const { metafile, outputFiles } = await this.#context.rebuild();
    const [mapText = "", text = ""] = [".map", ".js"].map(
      (extension) => outputFiles.find(({ path }) => path.endsWith(extension))?.text,
    );
    const inputs = Object.keys(metafile.inputs)
      .filter((path) => path !== entryName && !/^[\w-]+:(?![\\/])/.test(path))
      .map((path) => join(this.#modules.root, path));
    if (!text.includes(metaName)) return { text, mapText, inputs };
    const filesWithMeta = inputs.filter((path) => readFileSync(path, "utf8").includes("import.meta"));
    if (filesWithMeta.join() === this.#filesWithMeta.join()) return { text, mapText, inputs };
    this.#filesWithMeta = filesWithMeta;
    await this.#disposeContext();
    return this.#build();
  }

  async #run(text: string): Promise<LoadedModules> {
    const host: BundleHost = { getExport: this.#packages.getExport, meta: metaOf };
    await this.#compile(text)(host);
    if (host.loaded === undefined) throw new Error("the bundle did not set its exports");
    return host.loaded;
  }

  /** The path of the bundle in stacks. */
  get #path(): string {
    return join(this.#modules.root, "ridlkit-dev.mjs");
  }

  #compile(text: string): (host: BundleHost) => Promise<void> | undefined {
    const options = {
      // Dynamic imports are resolved from this path.
      filename: this.#path,
      // Makes the first line of `text` line 1.
      lineOffset: -1,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    };
    try {
      // Takes half the time of a function inside a script, which V8 parses twice.
      return compileFunction(`"use strict";\n${text}`, [hostVariable], options) as (
        host: BundleHost,
      ) => undefined;
    } catch {
      // The text has a top-level await, or a syntax error, which is thrown again here.
      const script = new Script(`(async (${hostVariable}) => {"use strict";\n${text}\n})`, options);
      return script.runInThisContext() as (host: BundleHost) => Promise<void>;
    }
  }

  #options(): Options {
    const { root, handlers, generated } = this.#modules;
    const from = (path: string): string => JSON.stringify(path.replaceAll("\\", "/"));
    return {
      stdin: {
        contents: `import * as own from ${from(handlers)};
import * as generated from ${from(join(generated, "server.ts"))};
import { nodeListener } from "ridlkit:node-http";
${hostVariable}.loaded = { own, nodeListener, createServer: generated.createServer, memoryIdempotencyStore: generated.memoryIdempotencyStore };
`,
        resolveDir: root,
        sourcefile: entryName,
      },
      absWorkingDir: root,
      bundle: true,
      plugins: [
        nodeAdapterPlugin(generated),
        this.#packages.plugin(hostVariable),
        metaPlugin(this.#filesWithMeta),
      ],
      define: { "import.meta": metaName },
      platform: "node",
      target: "node20.19",
      format: "esm",
      metafile: true,
      sourcemap: "external",
      sourcesContent: false,
      // Sources are relative to this folder. Nothing is written to it.
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
  readonly mapText: string;
  readonly inputs: readonly string[];
}

type Options = BuildOptions & { readonly metafile: true; readonly write: false };

/** Serves through the adapter for node:http, independent of the project's adapters. */
function nodeAdapterPlugin(generated: string): Plugin {
  return {
    name: "ridlkit-node-http",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^ridlkit:node-http$/ }, () => ({ path: "node-http", namespace: "ridlkit" }));
      onLoad({ filter: /./, namespace: "ridlkit" }, () => {
        const copy = join(generated, runtimeFolder);
        return existsSync(copy)
          ? { contents: runtimeModule("node"), resolveDir: copy, loader: "ts" }
          : { contents: 'export * from "ridlkit-runtime/node";', resolveDir: generated };
      });
    },
  };
}

/** Defines `import.meta` for files that use it. Adds the code to the first line, so that line numbers stay the same. */
function metaPlugin(files: readonly string[]): Plugin {
  const setUp: Plugin["setup"] = ({ onLoad }) => {
    if (files.length === 0) return;
    onLoad({ filter: anyPathPattern(files), namespace: "file" }, ({ path }) => {
      const extension = /[^.]*$/.exec(path)?.[0] ?? "";
      const loader =
        extension === "tsx" || extension === "jsx" ? extension : extension.endsWith("ts") ? "ts" : "js";
      const definition = `const ${metaName} = ${hostVariable}.meta(${JSON.stringify(path)});`;
      return { contents: definition + readFileSync(path, "utf8"), loader };
    });
  };
  return { name: "ridlkit-meta", setup: setUp };
}

function anyPathPattern(paths: readonly string[]): RegExp {
  const escaped = paths.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})$`);
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

/** The generated server throws this error if a method has no handler. Its stack is not helpful. */
function isMissingHandlers(err: unknown): err is Error {
  return err instanceof Error && err.name === "MissingHandlers";
}

function isBuildFailure(err: unknown): err is BuildFailure {
  return err instanceof Error && "errors" in err && Array.isArray(err.errors);
}

/** `handlers/handlers.ts:3:9: No matching export …` */
function describe({ text, location }: Message, { root, handlers }: Modules): string {
  if (location === null) return text;
  const isUnresolved = text.startsWith("Could not resolve");
  // Line 1 of the virtual entry module imports the one of the project.
  if (isUnresolved && location.file === entryName && location.line === 1)
    return `${relative(root, handlers)} does not exist. npx ridlkit scaffold creates handlers and their entry module; --entry names another one.`;
  const isHandlerMissing = isUnresolved && join(root, location.file) === handlers;
  const advice = isHandlerMissing ? ". Remove the import, or run: npx ridlkit scaffold" : "";
  return `${location.file}:${location.line}:${location.column + 1}: ${text}${advice}`;
}

/** Highest number of errors that the text of one failure has. */
const maxCauses = 10;

/** Maps positions in stacks from a bundle to the original files. */
export class StackMapper {
  readonly #bundle: string;
  readonly #mapText: string;
  #map: SourceMap | undefined;

  /** `bundle` is the path of the bundle in stacks; `mapText` is its source map as JSON. */
  constructor(bundle: string, mapText: string) {
    this.#bundle = bundle;
    this.#mapText = mapText;
  }

  /** The mapped stack of a thrown value, followed by its causes and by the errors of an AggregateError. Omits frames of Node and of ridlkit. */
  stackOf(thrown: unknown): string {
    const pending = [thrown];
    let text = "";
    // A chain of causes may be a cycle.
    for (let count = 0; count < maxCauses && pending.length > 0; count++) {
      const one = pending.shift();
      const stack = this.#ownStack(one);
      // The stack of an error may include that of its cause.
      if (text === "") text = stack;
      else if (!text.includes(stack)) text += `\nCaused by: ${stack}`;
      if (!(one instanceof Error)) continue;
      if (one.cause !== undefined) pending.push(one.cause);
      if (one instanceof AggregateError) pending.push(...one.errors);
    }
    return text;
  }

  #ownStack(thrown: unknown): string {
    if (!(thrown instanceof Error)) return typeof thrown === "string" ? thrown : inspect(thrown);
    const lines = (thrown.stack ?? thrown.message)
      .split("\n")
      .filter((line) => !/^ +at /.test(line) || line.includes(this.#bundle));
    const position = /:(\d+):(\d+)(?=\)?$)/;
    return lines
      .map((line) => {
        const [found, row, column] = position.exec(line) ?? [];
        if (found === undefined || !line.includes(this.#bundle + found)) return line;
        return line.replace(this.#bundle + found, () => this.#original(Number(row), Number(column)));
      })
      .filter((line) => !/^ +at .*\bridlkit:/.test(line))
      .join("\n");
  }

  /** Parses the source map on first use, because most versions throw nothing. */
  #original(row: number, column: number): string {
    this.#map ??= new SourceMap(JSON.parse(this.#mapText) as SourceMapPayload);
    const entry = this.#map.findEntry(row - 1, column - 1);
    if (!("originalSource" in entry)) return `${this.#bundle}:${row}:${column}`;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}

/** Returns an export of a loaded package. Bundles call it. */
export type GetExport = (specifier: string, name: string) => unknown;

type Namespace = Readonly<Record<string, unknown>>;

const namespace = "ridlkit-package";

/**
 * Loads the packages and Node modules that a project imports, each once per process. For each of them, a bundle contains a small
 * module that re-exports the loaded values. So the bundle has no imports, and can be evaluated again and freed.
 */
export class PackageLoader implements Disposable {
  readonly #root: string;
  readonly #loaded = new Map<string, Namespace>();
  readonly #moduleTexts = new Map<string, string>();
  /** By folder. Shared promises: if two loads wrote the module concurrently, an import could read an empty file. */
  readonly #importers = new Map<string, Promise<(specifier: string) => Promise<Namespace>>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `host` is the variable of the bundle that contains `getExport`. */
  plugin(host: string): Plugin {
    return { name: namespace, setup: (build) => this.#setUp(build, host) };
  }

  readonly getExport: GetExport = (specifier, name) => this.#loaded.get(specifier)?.[name];

  #setUp(build: PluginBuild, host: string): void {
    build.onResolve({ filter: /^[^./]/ }, async (imported) => {
      const { path, kind, resolveDir, importer, pluginData } = imported;
      if (pluginData === namespace || kind === "entry-point") return undefined;
      // A path alias of tsconfig.json looks like a package, and so does a link to a package of the workspace.
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: namespace });
      const isOwn = found.errors.length === 0 && !found.external && !isInstalled(found.path);
      if (isOwn) return found;
      if (kind !== "import-statement") return { path, external: true };
      const folder = this.#folderWith(path, resolveDir);
      return {
        path: folder === this.#root ? path : `${path}?${folder}`,
        namespace,
        pluginData: { path, folder },
      };
    });
    build.onLoad({ filter: /.*/, namespace }, async ({ path, pluginData }) =>
      this.#load(path, pluginData as ImportedPackage, host),
    );
  }

  /** The nearest folder above an importer that has the package in its `node_modules`. A workspace may install packages in each of its own. */
  #folderWith(specifier: string, importerFolder: string): string {
    const [, name = ""] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? [];
    for (let folder = importerFolder; ; folder = dirname(folder)) {
      if (existsSync(join(folder, "node_modules", name))) return folder;
      if (folder === dirname(folder)) return this.#root;
    }
  }

  /** `key` names the package within the bundle. */
  async #load(
    key: string,
    { path: specifier, folder }: ImportedPackage,
    host: string,
  ): Promise<OnLoadResult> {
    try {
      const known = this.#moduleTexts.get(key);
      if (known !== undefined) return { contents: known, loader: "js" };
      const importer = this.#importers.get(folder) ?? this.#makeImporter(folder);
      this.#importers.set(folder, importer);
      const load = await importer;
      const loaded = await load(specifier);
      const contents = reexportModule(key, Object.keys(loaded), host);
      this.#loaded.set(key, loaded);
      this.#moduleTexts.set(key, contents);
      return { contents, loader: "js" };
    } catch (err) {
      const reason = err instanceof Error ? err.message.replace(/ imported from .*/s, "") : String(err);
      return {
        errors: [{ text: `"${specifier}" cannot be loaded: ${reason}${installHint(reason, specifier)}` }],
      };
    }
  }

  /** Creates a module inside a folder and returns its import function, so that names resolve as in the folder. */
  async #makeImporter(folder: string): Promise<(specifier: string) => Promise<Namespace>> {
    const cache = cacheIn(folder);
    mkdirSync(cache, { recursive: true });
    const path = join(cache, "import.mjs");
    writeFileSync(path, "export const load = (specifier) => import(specifier);\n");
    const { load } = (await import(pathToFileURL(path).href)) as {
      readonly load: (specifier: string) => Promise<Namespace>;
    };
    return load;
  }

  [Symbol.dispose](): void {
    for (const folder of this.#importers.keys()) rmSync(cacheIn(folder), { recursive: true, force: true });
  }
}

interface ImportedPackage {
  /** The specifier. */
  readonly path: string;
  /** Its packages are those that the importer sees. */
  readonly folder: string;
}

/** Inside a project, so that its packages are resolved, in a folder that tools ignore. */
function cacheIn(folder: string): string {
  return join(folder, "node_modules", ".cache", "ridlkit", `dev-${process.pid}`);
}

/** Whether a file belongs to an installed package. A link to a package of the workspace leads out of `node_modules`. */
function isInstalled(path: string): boolean {
  return /[/\\]node_modules[/\\]/.test(path);
}

/** The command that installs the package of `specifier` if Node.js has not found that package. */
function installHint(reason: string, specifier: string): string {
  const [, name = ""] = /^Cannot find package '((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)'$/.exec(reason) ?? [];
  return name !== "" && specifier.startsWith(name) ? `. Run: npm install ${name}` : "";
}

/** A module that re-exports a package. The pure annotations let esbuild drop unused exports. */
function reexportModule(specifier: string, names: readonly string[], host: string): string {
  const lines = names.map((name, index) => {
    const value = `/* @__PURE__ */ ${host}.getExport(${JSON.stringify(specifier)}, ${JSON.stringify(name)})`;
    return `const export${index} = ${value};\nexport { export${index} as ${JSON.stringify(name)} };`;
  });
  return `${lines.join("\n")}\n`;
}
