import { type Attempt, Bundle, type Modules, type Running } from "./bundle.ts";
import { Changes } from "./changes.ts";
import { DevHost, type Failure } from "./dev-host.ts";
import type { LateTexts } from "./late.ts";
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

/** A generation that can be served, and need not be on disk yet. Paths are absolute. */
export interface Generated {
  /** The schema files that the code is made of. */
  readonly schemas: readonly string[];
  /** Hand-written files that were added or changed with it. */
  readonly written: readonly string[];
  /** Generated files that are others than those on disk. */
  readonly texts: ReadonlyMap<string, string>;
  /** Those that the others import only when they first need them. */
  readonly late: LateTexts;
  /** Whether a generated file is as it will be on disk. */
  isMade(path: string): boolean;
  /** Brings the disk in line, unless it is outdated meanwhile; what refuses it is told. */
  finish(isOutdated: () => boolean): Promise<Finish>;
}

export type Finish = "written" | "outdated" | "refused";

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
    await served.finish(changes);
  }
  await served.finish();
}

/** Files that nobody waits for are made once nobody has saved for so long: milliseconds. */
const pauseMs = 100;

/** Somebody who saves without a pause still has files on disk that are no older than this: milliseconds. */
const unwrittenMs = 10_000;

/** What is served, and what it was made of. */
class Served implements AsyncDisposable {
  readonly #session: DevSession;
  readonly #host: DevHost;
  #project: Project;
  #bundle: Bundle;
  /** Undefined until they are read without a fault. */
  #schemas: readonly string[] | undefined;
  /** Of the last generation that could be served. */
  #late: LateTexts | undefined;
  /** What is served, and not on disk yet. */
  #unwritten: Generated | undefined;
  #unwrittenSince = 0;

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
    const attempt = await this.#load();
    if ("faults" in attempt) this.#session.tell({ kind: "broken", faults: attempt.faults, changed });
    else await this.#swap(attempt.loaded, { changed, started });
    changes.watchAlso(this.#watched("faults" in attempt ? [] : attempt.inputs));
  }

  /** Writes what is served and not on disk yet, unless it is outdated by a change that is there. Without `changes` there is none. */
  async finish(changes?: Changes): Promise<void> {
    if (this.#unwritten === undefined) return;
    const until = this.#unwrittenSince + unwrittenMs;
    const mayWait = (): boolean => performance.now() < until;
    if (changes !== undefined && mayWait() && !(await changes.areOver(pauseMs, this.#session.stop))) return;
    const end = await this.#unwritten.finish(() => changes?.areThere === true && mayWait());
    if (end !== "outdated") this.#unwritten = undefined;
    if (end !== "refused") return;
    // Whatever is done about it, the next change asks again. What is on disk does not go with these.
    this.#schemas = undefined;
    this.#late = undefined;
  }

  /** Code that imports generated code of other kinds waits for it. */
  async #load(): Promise<Attempt> {
    const generated = this.#unwritten;
    const attempt = await this.#bundle.load({ texts: generated?.texts, late: this.#late });
    if (generated === undefined) return attempt;
    const isMade = (path: string): boolean => !this.isGenerated(path) || generated.isMade(path);
    if (!("faults" in attempt) && attempt.inputs.every(isMade)) return attempt;
    await this.finish();
    return this.#bundle.load({ late: this.#late });
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
      this.#unwritten = undefined;
      this.#late = undefined;
      this.#bundle = new Bundle(project);
    }
    const generated = await this.#session.generate();
    changes.written(generated?.written ?? []);
    this.#schemas = generated?.schemas;
    if (this.#unwritten === undefined) this.#unwrittenSince = performance.now();
    if (generated !== undefined) this.#unwritten = generated;
    this.#late = generated?.late ?? this.#late;
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
