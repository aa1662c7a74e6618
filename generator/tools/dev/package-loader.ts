import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";

/** What a module of a bundle asks its packages of, by the name that the bundle runs with. */
export type GetExport = (specifier: string, name: string) => unknown;

type Namespace = Readonly<Record<string, unknown>>;

const namespace = "ridlkit-package";

/**
 * The packages and modules of Node that a project imports. Each is loaded once in the life of the process, as it would be without
 * a bundle; in a bundle stands a module that hands on what it exports. So a bundle has no imports, and can be run and let go.
 */
export class PackageLoader implements Disposable {
  readonly #folder: string;
  readonly #loaded = new Map<string, Namespace>();
  readonly #moduleTexts = new Map<string, string>();
  /** Made once, though many may ask at a time: a file that is written while it is imported can be read empty. */
  #importer: Promise<(specifier: string) => Promise<Namespace>> | undefined;

  constructor(root: string) {
    // Below the project, so that its packages are found from there, and where nobody keeps what they miss.
    this.#folder = join(root, "node_modules", ".cache", "ridlkit", `dev-${process.pid}`);
  }

  /** `host` is the variable that the bundle finds `take` in. */
  plugin(host: string): Plugin {
    return { name: namespace, setup: (build) => this.#setUp(build, host) };
  }

  readonly getExport: GetExport = (specifier, name) => this.#loaded.get(specifier)?.[name];

  #setUp(build: PluginBuild, host: string): void {
    build.onResolve({ filter: /^[^./]/ }, async (asked) => {
      if (asked.pluginData === namespace || asked.kind !== "import-statement") return undefined;
      // An alias of tsconfig.json looks like a package.
      const { path, kind, resolveDir, importer } = asked;
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

  /** Imports as a module of the project does. */
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

/** What nobody uses of it is left out of the bundle. */
function reexportModule(specifier: string, names: readonly string[], host: string): string {
  const lines = names.map((name, index) => {
    const value = `/* @__PURE__ */ ${host}.getExport(${JSON.stringify(specifier)}, ${JSON.stringify(name)})`;
    return `const export${index} = ${value};\nexport { export${index} as ${JSON.stringify(name)} };`;
  });
  return `${lines.join("\n")}\n`;
}
