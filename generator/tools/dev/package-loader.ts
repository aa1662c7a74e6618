import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";

/** Returns an export of a package. Bundles call this function to reach their packages. */
export type GetExport = (specifier: string, name: string) => unknown;

type Namespace = Readonly<Record<string, unknown>>;

const namespace = "ridlkit-package";

/**
 * Loads the packages and Node modules that a project imports, each once per process, as Node does without a bundle. In the bundle, a
 * small module re-exports their exports. The bundle therefore has no static imports and can be run as a script and freed.
 */
export class PackageLoader implements Disposable {
  readonly #folder: string;
  readonly #loaded = new Map<string, Namespace>();
  readonly #moduleTexts = new Map<string, string>();
  /** Created once, even for concurrent loads: a file that is written while it is being imported can be read as empty. */
  #importer: Promise<(specifier: string) => Promise<Namespace>> | undefined;

  constructor(root: string) {
    // Inside the project, so that its packages resolve. Safe to delete at any time.
    this.#folder = join(root, "node_modules", ".cache", "ridlkit", `dev-${process.pid}`);
  }

  /** `host` is the name of the variable that has `getExport` in the bundle. */
  plugin(host: string): Plugin {
    return { name: namespace, setup: (build) => this.#setUp(build, host) };
  }

  readonly getExport: GetExport = (specifier, name) => this.#loaded.get(specifier)?.[name];

  #setUp(build: PluginBuild, host: string): void {
    build.onResolve({ filter: /^[^./]/ }, async (args) => {
      if (args.pluginData === namespace || args.kind !== "import-statement") return undefined;
      // A path alias of tsconfig.json looks like a package, so let esbuild resolve the specifier first.
      const { path, kind, resolveDir, importer } = args;
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: namespace });
      return found.external ? { path: found.path, namespace } : found;
    });
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => this.#load(path, host));
  }

  async #load(specifier: string, host: string): Promise<OnLoadResult> {
    try {
      const known = this.#moduleTexts.get(specifier);
      if (known !== undefined) return { contents: known, loader: "js" };
      this.#importer ??= this.#makeImporter();
      const load = await this.#importer;
      const loaded = await load(specifier);
      const contents = reexportModule(specifier, Object.keys(loaded), host);
      this.#loaded.set(specifier, loaded);
      this.#moduleTexts.set(specifier, contents);
      return { contents, loader: "js" };
    } catch (err) {
      const reason = err instanceof Error ? err.message.replace(/ imported from .*/s, "") : String(err);
      return { errors: [{ text: `"${specifier}" cannot be loaded: ${reason}` }] };
    }
  }

  /** Returns an `import()` that resolves packages like a module of the project. */
  async #makeImporter(): Promise<(specifier: string) => Promise<Namespace>> {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, "import.mjs");
    writeFileSync(path, "export const load = (specifier) => import(specifier);\n");
    const { load } = (await import(pathToFileURL(path).href)) as {
      readonly load: (specifier: string) => Promise<Namespace>;
    };
    return load;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The exports are marked as pure, so that esbuild drops the unused ones. */
function reexportModule(specifier: string, names: readonly string[], host: string): string {
  const lines = names.map((name, index) => {
    const value = `/* @__PURE__ */ ${host}.getExport(${JSON.stringify(specifier)}, ${JSON.stringify(name)})`;
    return `const export${index} = ${value};\nexport { export${index} as ${JSON.stringify(name)} };`;
  });
  return `${lines.join("\n")}\n`;
}
