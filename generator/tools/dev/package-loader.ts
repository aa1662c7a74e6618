import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";

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
