import { Bundle, type Modules, type Running } from "./bundle.ts";
import { Changes } from "./changes.ts";
import { DevHost, type Failure } from "./dev-host.ts";
import type { LoopbackGuard } from "./loopback.ts";

/** What happens while somebody edits. Paths are as they were watched: absolute. */
export type DevEvent =
  | {
      readonly kind: "serving";
      readonly url: string;
      readonly changed: readonly string[];
      readonly ms: number;
    }
  /** The schema has faults, which were told; what was served before goes on. */
  | { readonly kind: "refused"; readonly changed: readonly string[] }
  /** The code does not build or run; what was served before goes on. */
  | { readonly kind: "broken"; readonly faults: readonly string[]; readonly changed: readonly string[] }
  | ({ readonly kind: "failed"; readonly changed: readonly string[] } & Failure);

/** A project as its configuration has it at the moment. */
export interface Project extends Modules {
  /** Files and folders whose change asks for another generation: schemas, the configuration, templates. */
  readonly sources: readonly string[];
  /** Folders of hand-written code. */
  readonly code: readonly string[];
}

/** A generation whose files are written. Paths are absolute. */
export interface Generated {
  /** The schema files that the code was generated from. */
  readonly schemas: readonly string[];
  /** Hand-written files that were added or changed with the generated files. */
  readonly written: readonly string[];
}

export interface DevSession {
  readonly port: number;
  readonly guard: LoopbackGuard;
  /** Brings the generated code in line; undefined if there are faults, which it tells. */
  generate(): Promise<Generated | undefined>;
  /** Reads the configuration again; undefined if it has faults, which were told. */
  project(): Promise<Project | undefined>;
  tell(event: DevEvent): void;
  readonly stop: AbortSignal;
}

/** Serves a project and keeps it served while it is edited, until it is told to stop. Throws what opening the port throws. */
export async function runDev(session: DevSession, first: Project): Promise<void> {
  await using host = await DevHost.open(session.port, session.guard);
  await using served = new Served(session, host, first);
  await using changes = await Changes.of([...first.sources, ...first.code], (path) =>
    served.isGenerated(path),
  );
  for (
    let changed: ReadonlySet<string> | undefined = new Set();
    changed !== undefined;
    changed = await changes.next(session.stop)
  ) {
    await served.update([...changed].sort(), changes);
  }
}

/** What is served, and what it was made of. */
class Served implements AsyncDisposable {
  readonly #session: DevSession;
  readonly #host: DevHost;
  #project: Project;
  #bundle: Bundle;
  /** Undefined until they are read without a fault. */
  #schemas: readonly string[] | undefined;

  constructor(session: DevSession, host: DevHost, project: Project) {
    this.#session = session;
    this.#host = host;
    this.#project = project;
    this.#bundle = new Bundle(project);
  }

  isGenerated(path: string): boolean {
    return isInside(path, this.#project.generated);
  }

  /** Makes anew what hangs on the changed files, and says what is to be watched from now on. */
  async update(changed: readonly string[], changes: Changes): Promise<void> {
    const started = performance.now();
    if (this.#hangsOn(changed) && !(await this.#generate(changes))) {
      this.#session.tell({ kind: "refused", changed });
      changes.watchAlso(this.#watched([]));
      return;
    }
    const attempt = await this.#bundle.load();
    if ("faults" in attempt) this.#session.tell({ kind: "broken", faults: attempt.faults, changed });
    else await this.#swap(attempt.loaded, { changed, started });
    changes.watchAlso(this.#watched("faults" in attempt ? [] : attempt.inputs));
  }

  async #swap(
    loaded: Running,
    { changed, started }: { readonly changed: readonly string[]; readonly started: number },
  ): Promise<void> {
    try {
      await this.#host.swap(loaded, (failure) =>
        this.#session.tell({ kind: "failed", changed: [], ...failure }),
      );
      const ms = Math.round(performance.now() - started);
      this.#session.tell({ kind: "serving", url: this.#host.url, changed, ms });
    } catch (err) {
      const faults = [err instanceof Error ? err.message : String(err)];
      this.#session.tell({ kind: "broken", faults, changed });
    }
  }

  /** Whether the generated code may be another one now. */
  #hangsOn(changed: readonly string[]): boolean {
    if (this.#schemas === undefined) return true;
    const sources = [...this.#project.sources, ...this.#schemas];
    return changed.some((path) => sources.some((source) => isInside(path, source)));
  }

  async #generate(changes: Changes): Promise<boolean> {
    this.#schemas = undefined;
    const project = await this.#session.project();
    if (project === undefined) return false;
    if (!isSame(project, this.#project)) {
      await this.#bundle[Symbol.asyncDispose]();
      this.#project = project;
      this.#bundle = new Bundle(project);
    }
    const generated = await this.#session.generate();
    changes.written(generated?.written ?? []);
    this.#schemas = generated?.schemas;
    return generated !== undefined;
  }

  #watched(inputs: readonly string[]): readonly string[] {
    const own = inputs.filter((path) => !this.isGenerated(path));
    return [...this.#project.sources, ...this.#project.code, ...(this.#schemas ?? []), ...own];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bundle[Symbol.asyncDispose]();
  }
}

function isSame(a: Project, b: Project): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
