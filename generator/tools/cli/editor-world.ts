import { existsSync, readdirSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import { CompileCache } from "../../language/compile.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { ReadResult } from "../../language/source/reader.ts";
import { SourceFile } from "../../language/source/source-file.ts";
import type { HandlerSite, Project, World } from "../lsp/world.ts";
import { findConfig } from "./config/config-file.ts";
import { chooseSchemas, type Schema } from "./config/schemas.ts";
import { fileReader } from "./files/reader.ts";
import type { Refusal } from "./refusal.ts";
import { handlerSites } from "./scaffold/handler-sites.ts";

/** A folder with a configuration, and what it says. */
interface Configured {
  readonly project: Project;
  readonly schemas: readonly Schema[];
}

/** The machine, as the language server sees it. */
export class EditorWorld implements World {
  readonly #reader = fileReader("/");
  readonly #byFolder = new Map<string, Promise<Configured | undefined>>();
  readonly #compiled = new CompileCache();

  read(path: string): ReadResult {
    return this.#reader.read(path);
  }

  list(folder: string): readonly string[] {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  }

  isInside(path: string, folder: string): boolean {
    return this.#reader.isInside?.(path, folder) ?? true;
  }

  async projectOf(path: string): Promise<Project> {
    const folder = dirname(path);
    const found = await this.#nearest(folder);
    return found?.project ?? { folder, schemas: [], handlers: [], faults: [] };
  }

  async handlerSites(
    { folder }: Project,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly HandlerSite[]> {
    const found = await this.#nearest(folder);
    if (found === undefined) return [];
    return handlerSites(folder, { ...found, texts, compiled: this.#compiled });
  }

  forget(): void {
    this.#byFolder.clear();
  }

  /** Of the folder or the nearest above it, up to the root of the repository. */
  #nearest(folder: string): Promise<Configured | undefined> {
    let found = this.#byFolder.get(folder);
    if (found === undefined) {
      found = this.#look(folder);
      this.#byFolder.set(folder, found);
    }
    return found;
  }

  async #look(folder: string): Promise<Configured | undefined> {
    const here = await configured(folder);
    if (here !== undefined) return here;
    const above = dirname(folder);
    return above === folder || existsSync(resolve(folder, ".git")) ? undefined : this.#nearest(above);
  }
}

async function configured(folder: string): Promise<Configured | undefined> {
  const found = await findConfig({ cwd: folder, reader: fileReader(folder), wanted: undefined });
  if (found.refusal !== undefined) return broken(folder, found.refusal);
  if (found.value === undefined) return undefined;
  const chosen = chooseSchemas({
    verb: "lsp",
    several: true,
    files: [],
    options: {},
    environment: {},
    found: found.value,
  });
  if (chosen.refusal !== undefined) return broken(folder, chosen.refusal);
  const schemas = chosen.value;
  const absolute = (path: string): string => posix.resolve(folder, path);
  return {
    schemas,
    project: {
      folder,
      schemas: schemas.map(({ path, strict, hashParity, lint, importRoot }) => ({
        path: absolute(path),
        strict,
        hashParity,
        lint,
        ...(importRoot === undefined ? {} : { importRoot: absolute(importRoot) }),
      })),
      handlers: schemas.flatMap(({ generation }) =>
        generation?.handlers === undefined ? [] : [absolute(generation.handlers)],
      ),
      faults: [],
    },
  };
}

/** Its files are then looked at one by one. */
function broken(folder: string, refusal: Refusal): Configured {
  const faults =
    refusal.kind === "configuration" ? refusal.diagnostics.map((one) => within(folder, one)) : [];
  return { schemas: [], project: { folder, schemas: [], handlers: [], faults } };
}

function within(folder: string, diagnostic: Diagnostic): Diagnostic {
  const { at, path } = diagnostic;
  const file = at && new SourceFile(posix.resolve(folder, at.file.path), at.file.text);
  return {
    ...diagnostic,
    path: posix.resolve(folder, path),
    ...(at === undefined || file === undefined ? {} : { at: { file, span: at.span } }),
  };
}
