import { CompileCache, compile } from "../../language/compile.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { distinct } from "../../language/diagnostics/tally.ts";
import { lintSettings } from "../../language/lint/settings.ts";
import { addLintFindings } from "../../language/lint-findings.ts";
import { isYaml, load } from "../../language/load.ts";
import { buildScopes, type Scope } from "../../language/model/scope.ts";
import { type ReadResult, type SourceReader, withTexts } from "../../language/source/reader.ts";
import type { HandlerReference, LanguageServerHost, Project, ProjectSchema } from "./language-server-host.ts";

/** A file as part of a schema. */
export interface FileInSchema {
  readonly scope: Scope;
  /** The scopes of all files of the schema. */
  readonly scopes: readonly Scope[];
  readonly schema: ProjectSchema;
}

/** The open files, with unsaved changes, and their schemas. */
export class Workspace {
  readonly #host: LanguageServerHost;
  /** Contents of open files, by absolute path. */
  readonly #texts = new Map<string, string>();
  readonly #compileCache = new CompileCache();
  readonly #scopes = new Map<string, readonly Scope[]>();
  readonly #lastReadable = new Map<string, FileInSchema>();
  readonly #reader: SourceReader;

  constructor(host: LanguageServerHost) {
    this.#host = host;
    this.#reader = {
      read: (path) => this.#read(path),
      list: (folder) => host.list(folder),
      isInside: (path, folder) => host.isInside(path, folder),
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

  /** Called after files or configurations changed outside the editor. */
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

  /** The schemas of the project that contain a file. A file outside all schemas is a schema of its own. */
  async schemasOf(path: string): Promise<readonly ProjectSchema[]> {
    const { schemas } = await this.project(path);
    const own = schemas.filter((schema) =>
      this.scopesOf(schema).some(({ file }) => file.source.path === path),
    );
    if (own.length > 0 || !this.#isSchema(path)) return own;
    return [{ path, strict: false, hashParity: false, lint: "default" }];
  }

  /** Most YAML files are not schemas, so an unimported YAML file needs the key "webrpc" to count as one. */
  #isSchema(path: string): boolean {
    if (path.endsWith(".ridl")) return true;
    return isYaml(path) && /^webrpc\s*:/m.test(this.#texts.get(path) ?? "");
  }

  /** Returns everything that could be parsed, even if the schema has errors. */
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
    const [file] = await this.filesInSchemas(path);
    if (file !== undefined) this.#lastReadable.set(path, file);
    return file;
  }

  /**
   * The file as it was last parsed: before the last keystroke, or before a half-typed list made the YAML invalid. Completion must be
   * fast, and parsing a large file takes longer than the time between two keystrokes.
   */
  async lastReadableFile(path: string): Promise<FileInSchema | undefined> {
    return this.#lastReadable.get(path) ?? this.fileInSchema(path);
  }

  /** Checks a schema. Runs style rules if they are enabled and there are no errors. */
  async check(schema: ProjectSchema): Promise<readonly Diagnostic[]> {
    const compilation = compile(schema.path, this.#reader, { ...schema, cache: this.#compileCache });
    return (await addLintFindings(compilation, lintSettings(schema.lint), schema.strict)).diagnostics;
  }

  /** Checks all schemas that open files belong to. Returns diagnostics by file. */
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

  /** Checks a schema as if some files had other contents. */
  checkWith(schema: ProjectSchema, texts: ReadonlyMap<string, string>): readonly Diagnostic[] {
    return compile(schema.path, withTexts(this.#reader, texts), schema).diagnostics;
  }
}
