import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  readonly #folder: string;
  readonly #loaded = new Map<string, Namespace>();
  readonly #moduleTexts = new Map<string, string>();
  /** A shared promise: if two loads wrote the module concurrently, an import could read an empty file. */
  #importer: Promise<(specifier: string) => Promise<Namespace>> | undefined;

  constructor(root: string) {
    // Inside the project, so that its packages are resolved, in a folder that tools ignore.
    this.#folder = join(root, "node_modules", ".cache", "ridlkit", `dev-${process.pid}`);
  }

  /** `host` is the variable of the bundle that contains `getExport`. */
  plugin(host: string): Plugin {
    return { name: namespace, setup: (build) => this.#setUp(build, host) };
  }

  readonly getExport: GetExport = (specifier, name) => this.#loaded.get(specifier)?.[name];

  #setUp(build: PluginBuild, host: string): void {
    build.onResolve({ filter: /^[^./]/ }, async (imported) => {
      if (imported.pluginData === namespace || imported.kind !== "import-statement") return undefined;
      // A path alias of tsconfig.json looks like a package, so esbuild resolves the name first.
      const { path, kind, resolveDir, importer } = imported;
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
      return {
        errors: [{ text: `"${specifier}" cannot be loaded: ${reason}${installHint(reason, specifier)}` }],
      };
    }
  }

  /** Creates a module inside the project and returns its import function, so that names resolve as in the project. */
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
