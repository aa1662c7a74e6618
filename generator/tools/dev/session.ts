import { existsSync } from "node:fs";
import { Bundle, type LoadedVersion, type Modules } from "./bundle.ts";
import { DevServer, type HandlerFailure } from "./dev-server.ts";
import type { ExplorerContract } from "./explorer-site.ts";
import { FileWatcher, isInside } from "./file-watcher.ts";
import type { LoopbackGuard } from "./loopback.ts";

/** Events of a session. Paths are absolute. */
export type DevEvent =
  | {
      readonly kind: "serving";
      readonly url: string;
      /** The address of the explorer. */
      readonly explorer: string | undefined;
      /** The port that was to be used, if it was in use. */
      readonly busyPort: number | undefined;
      readonly changed: readonly string[];
      readonly ms: number;
    }
  /** The schema has errors, which were reported. The previous version keeps serving. */
  | { readonly kind: "invalid"; readonly changed: readonly string[] }
  /** The code cannot be built or evaluated. The previous version keeps serving. */
  | { readonly kind: "broken"; readonly errors: readonly string[]; readonly changed: readonly string[] }
  | ({ readonly kind: "failed"; readonly changed: readonly string[] } & HandlerFailure);

/** The paths of a project, from its current configuration. */
export interface DevProjectPaths extends Modules {
  /** Files and folders whose changes require generation: schemas, the configuration, templates. */
  readonly sources: readonly string[];
  /** Folders of hand-written code. */
  readonly code: readonly string[];
}

/** The result of a generation. Paths are absolute. */
export interface Generated {
  /** The schema files that the code was generated from. */
  readonly schemas: readonly string[];
  /** Hand-written files that the run added or changed. */
  readonly written: readonly string[];
  readonly contract: ExplorerContract;
}

export interface DevOptions {
  readonly port: number;
  /** The last port that is tried if `port` is in use. */
  readonly lastPort: number;
  readonly guard: LoopbackGuard;
  /** Generates code. Reports errors and returns them as text if there are any. */
  regenerate(): Promise<Generated | string>;
  /** Reads the configuration again. Reports errors and returns them as text if there are any. */
  reloadProject(): Promise<DevProjectPaths | string>;
  onEvent(event: DevEvent): void;
  readonly stop: AbortSignal;
}

/** Serves a project and reloads it after each edit, until `stop` is aborted. Throws if the port cannot be opened. */
export async function runDev(options: DevOptions, project: DevProjectPaths): Promise<void> {
  await using server = new DevServer(options.port, options.guard, options.lastPort);
  await using session = new Session(options, server, project);
  await using watcher = await FileWatcher.of([...project.sources, ...project.code], (path) =>
    session.isGenerated(path),
  );
  for (
    let changed: ReadonlySet<string> | undefined = new Set();
    changed !== undefined;
    changed = await watcher.next(options.stop)
  ) {
    await session.update([...changed].sort(), watcher);
    // If the first version has errors, callers get a message.
    await server.listen();
  }
}

/** The served version and the files that it depends on. */
class Session implements AsyncDisposable {
  readonly #options: DevOptions;
  readonly #server: DevServer;
  #project: DevProjectPaths;
  #bundle: Bundle;
  /** Undefined until the schemas are read without errors. */
  #schemas: readonly string[] | undefined;
  #contract: ExplorerContract | undefined;

  constructor(options: DevOptions, server: DevServer, project: DevProjectPaths) {
    this.#options = options;
    this.#server = server;
    this.#project = project;
    this.#bundle = new Bundle(project);
  }

  isGenerated(path: string): boolean {
    return isInside(path, this.#project.generated);
  }

  /** Generates and bundles again as the changed files require, and updates the watched paths. */
  async update(changed: readonly string[], watcher: FileWatcher): Promise<void> {
    const started = performance.now();
    const since = Date.now();
    const fault = this.#needsGeneration(changed) ? await this.#generate(watcher) : undefined;
    if (fault !== undefined) {
      this.#report("The schema or the configuration has errors", fault);
      this.#options.onEvent({ kind: "invalid", changed });
      watcher.add(this.#watched([]), since);
      return;
    }
    const attempt = await this.#bundle.load();
    if ("errors" in attempt) this.#reportBroken(attempt.errors, changed);
    else await this.#swap(attempt.loaded, { changed, started });
    watcher.add(this.#watched("errors" in attempt ? [] : attempt.inputs), since);
  }

  async #swap(
    loaded: LoadedVersion,
    { changed, started }: { readonly changed: readonly string[]; readonly started: number },
  ): Promise<void> {
    try {
      await this.#server.swap({ ...loaded, contract: this.#contract }, (failure, isCurrent) => {
        const { root } = this.#project;
        if (isCurrent) this.#server.notify({ title: `${failure.method} failed`, text: failure.error, root });
        this.#options.onEvent({ kind: "failed", changed: [], ...failure });
      });
      const ms = Math.round(performance.now() - started);
      const { url, explorerUrl: explorer, busyPort } = this.#server;
      this.#options.onEvent({ kind: "serving", url, explorer, busyPort, changed, ms });
    } catch (err) {
      // The port cannot be opened.
      if ((err as NodeJS.ErrnoException).syscall === "listen") throw err;
      this.#reportBroken([err instanceof Error ? err.message : String(err)], changed);
    }
  }

  #reportBroken(errors: readonly string[], changed: readonly string[]): void {
    this.#report("The code cannot be loaded", errors.join("\n\n"));
    this.#options.onEvent({ kind: "broken", errors, changed });
  }

  #report(title: string, text: string): void {
    this.#server.report({ title, text, root: this.#project.root });
  }

  /** Whether the changes can affect generated code or scaffolded handlers. */
  #needsGeneration(changed: readonly string[]): boolean {
    if (this.#schemas === undefined) return true;
    const sources = [...this.#project.sources, ...this.#schemas];
    const { code } = this.#project;
    return changed.some(
      (path) =>
        sources.some((source) => isInside(path, source)) ||
        // With --scaffold, generation creates deleted handlers again.
        (code.some((folder) => isInside(path, folder)) && !existsSync(path)),
    );
  }

  /** Returns errors as text. */
  async #generate(watcher: FileWatcher): Promise<string | undefined> {
    this.#schemas = undefined;
    const project = await this.#options.reloadProject();
    if (typeof project === "string") return project;
    if (!isSame(project, this.#project)) {
      await this.#bundle[Symbol.asyncDispose]();
      this.#project = project;
      this.#bundle = new Bundle(project);
    }
    const generated = await this.#options.regenerate();
    if (typeof generated === "string") return generated;
    watcher.ignoreOwnWrites(generated.written);
    this.#schemas = generated.schemas;
    this.#contract = generated.contract;
    return undefined;
  }

  #watched(inputs: readonly string[]): readonly string[] {
    const own = inputs.filter((path) => !this.isGenerated(path));
    return [...this.#project.sources, ...this.#project.code, ...(this.#schemas ?? []), ...own];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bundle[Symbol.asyncDispose]();
  }
}

function isSame(a: DevProjectPaths, b: DevProjectPaths): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
