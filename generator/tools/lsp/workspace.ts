import { CompileCache, compile } from "../../language/compile.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { distinct } from "../../language/diagnostics/tally.ts";
import { lintSettings } from "../../language/lint/settings.ts";
import { addLintFindings } from "../../language/lint-findings.ts";
import { isYaml, load } from "../../language/load.ts";
import { buildScopes, type Scope } from "../../language/model/scope.ts";
import type { ReadResult, SourceReader } from "../../language/source/reader.ts";
import type { HandlerReference, LanguageServerHost, Project, ProjectSchema } from "./language-server-host.ts";

/** A file within one of the schemas that it is part of. */
export interface FileInSchema {
  readonly scope: Scope;
  /** One a file of that schema. */
  readonly scopes: readonly Scope[];
  readonly schema: ProjectSchema;
}

/** The schemas that somebody works on, with the texts as they stand in the editor. */
export class Workspace {
  readonly #host: LanguageServerHost;
  /** What stands in the editor, by absolute path. */
  readonly #texts = new Map<string, string>();
  readonly #compileCache = new CompileCache();
  readonly #scopes = new Map<string, readonly Scope[]>();
  readonly #lastReadable = new Map<string, FileInSchema>();
  readonly #reader: SourceReader;

  constructor(world: LanguageServerHost) {
    this.#host = world;
    this.#reader = {
      read: (path) => this.#read(path),
      list: (folder) => world.list(folder),
      isInside: (path, folder) => world.isInside(path, folder),
    };
  }

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  set(path: string, text: string): void {
    this.#texts.set(path, text);
    this.#scopes.clear();
  }

  close(path: string): void {
    this.#texts.delete(path);
    this.#lastReadable.delete(path);
    this.#scopes.clear();
  }

  /** Files or configurations changed beside the editor. */
  clearCaches(): void {
    this.#host.clearCache();
    this.#scopes.clear();
  }

  #read(path: string): ReadResult {
    const text = this.#texts.get(path);
    return text === undefined ? this.#host.read(path) : { kind: "bytes", bytes: Buffer.from(text) };
  }

  project(path: string): Promise<Project> {
    return this.#host.projectOf(path);
  }

  handlerReferences(project: Project): Promise<readonly HandlerReference[]> {
    return this.#host.handlerReferences(project, this.#texts);
  }

  list(folder: string): readonly string[] {
    return this.#host.list(folder);
  }

  /** Those schemas of the project that a file is part of; a file that is part of none is one by itself. */
  async schemasOf(path: string): Promise<readonly ProjectSchema[]> {
    const { schemas } = await this.project(path);
    const own = schemas.filter((schema) =>
      this.scopesOf(schema).some(({ file }) => file.source.path === path),
    );
    if (own.length > 0 || !this.#isSchema(path)) return own;
    return [{ path, strict: false, hashParity: false, lint: "default" }];
  }

  /** YAML is written for many programs: one that no schema imports is taken for a schema if it says that it is. */
  #isSchema(path: string): boolean {
    if (path.endsWith(".ridl")) return true;
    return isYaml(path) && /^webrpc\s*:/m.test(this.#texts.get(path) ?? "");
  }

  /** Whatever faults the schema has: what can be read of it is there. */
  scopesOf({ path, importRoot }: ProjectSchema): readonly Scope[] {
    let scopes = this.#scopes.get(path);
    if (scopes === undefined) {
      scopes = buildScopes(load(path, this.#reader, { parsed: this.#compileCache.parsed, importRoot }).files);
      this.#scopes.set(path, scopes);
    }
    return scopes;
  }

  async filesInSchemas(path: string): Promise<readonly FileInSchema[]> {
    const schemas = await this.schemasOf(path);
    return schemas.flatMap((schema) => {
      const scopes = this.scopesOf(schema);
      const scope = scopes.find(({ file }) => file.source.path === path);
      return scope === undefined ? [] : [{ scope, scopes, schema }];
    });
  }

  async fileInSchema(path: string): Promise<FileInSchema | undefined> {
    const [place] = await this.filesInSchemas(path);
    if (place !== undefined) this.#lastReadable.set(path, place);
    return place;
  }

  /**
   * As it was when it was last read: a key ago, or before half a list in YAML made the text no YAML. Names are wanted at once, and
   * reading a large file takes longer than a key.
   */
  async lastReadableFile(path: string): Promise<FileInSchema | undefined> {
    return this.#lastReadable.get(path) ?? this.fileInSchema(path);
  }

  /** What is wrong with a schema, its style included if it is asked for and there is no error. */
  async check(schema: ProjectSchema): Promise<readonly Diagnostic[]> {
    const compilation = compile(schema.path, this.#reader, { ...schema, cache: this.#compileCache });
    return (await addLintFindings(compilation, lintSettings(schema.lint), schema.strict)).diagnostics;
  }

  /** What is wrong with the schemas that open files are part of, by file. */
  async checkOpen(): Promise<Map<string, readonly Diagnostic[]>> {
    const schemas = new Map<string, ProjectSchema>();
    const found: Diagnostic[] = [];
    const projects = new Set<Project>();
    for (const path of this.#texts.keys()) {
      projects.add(await this.project(path));
      for (const schema of await this.schemasOf(path)) schemas.set(schema.path, schema);
    }
    for (const { faults } of projects) found.push(...faults);
    for (const schema of schemas.values()) found.push(...(await this.check(schema)));
    for (const path of this.#texts.keys()) await this.fileInSchema(path);
    const byPath = new Map<string, Diagnostic[]>();
    for (const one of distinct(found)) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
    return byPath;
  }

  /** What would be wrong with a schema if files had other texts. */
  checkWith(schema: ProjectSchema, texts: ReadonlyMap<string, string>): readonly Diagnostic[] {
    const reader: SourceReader = {
      ...this.#reader,
      read: (path) => {
        const text = texts.get(path);
        return text === undefined ? this.#read(path) : { kind: "bytes", bytes: Buffer.from(text) };
      },
    };
    return compile(schema.path, reader, schema).diagnostics;
  }
}
