import { statSync } from "node:fs";
import { basename } from "node:path";
import type { FSWatcher } from "chokidar";

/** Debounce in milliseconds: a save causes several events, and editors may write several files at the same time. */
const debounceMs = 5;

/** Interval in milliseconds for polling known files, because systems lose events under load. */
const pollMs = 200;

/** Maximum lag of file timestamps behind the process clock, in milliseconds. */
const clockSkewMs = 20;

/** Folders without hand-edited files. */
const skipped = /(^|[/\\])(node_modules|dist|coverage|[.][^/\\.][^/\\]*)([/\\]|$)/;

/** Names of temporary files of editors and tools. */
const temporaryNames =
  /~$|^#.*#$|^4913$|___jb_(?:tmp|old)___$|[.](?:tmp|temp|swp|swo|swx|bak|orig|part|kate-swp)$|[.]tmp[.-]|^sed[A-Za-z0-9]{6}$/;

/** Watches files and folders. `next` returns the changed files in batches. */
export class FileWatcher implements AsyncDisposable {
  readonly #watcher: FSWatcher;
  readonly #pending = new Set<string>();
  /** The last state of each known path. */
  readonly #states = new Map<string, string>();
  /** New files that `next` has not returned yet. */
  readonly #added = new Set<string>();
  #wake: (() => void) | undefined;

  private constructor(watcher: FSWatcher, paths: readonly string[]) {
    this.#watcher = watcher;
    this.#record(paths);
    watcher.on("all", (kind, path) => {
      if (kind === "addDir" || kind === "unlinkDir") return;
      // An unchanged state means a late event, or a file that ridlkit wrote itself.
      if (!this.#hasChanged(path)) return;
      if (kind === "add") this.#added.add(path);
      if (kind === "unlink" && this.#isTransient(path)) {
        this.#added.delete(path);
        this.#pending.delete(path);
        return;
      }
      this.#pending.add(path);
      this.#wake?.();
    });
    // Unreadable folders are not watched.
    watcher.on("error", () => {});
  }

  /** Starts watching and returns once no change can be missed. Folders are watched recursively. `isIgnored` gets absolute paths. */
  static async of(paths: readonly string[], isIgnored: (path: string) => boolean): Promise<FileWatcher> {
    // Imported lazily: most commands do not watch files.
    const { watch } = await import("chokidar");
    const isSkipped = (path: string): boolean => {
      if (isIgnored(path)) return true;
      const folder = paths.find((one) => path.startsWith(one));
      // The watched folder itself may be inside a folder that would be skipped.
      const inner = folder === undefined ? path : path.slice(folder.length);
      return skipped.test(inner) || (inner !== "" && temporaryNames.test(basename(inner)));
    };
    const watcher = watch([...paths], { ignoreInitial: true, ignored: isSkipped });
    const ready = new Promise<void>((done) => watcher.once("ready", () => done()));
    const changes = new FileWatcher(watcher, paths);
    await ready;
    return changes;
  }

  /**
   * Watches further paths. A new path that was written after `since` (milliseconds) or is missing counts as changed: its reader may
   * have read the old text.
   */
  add(paths: Iterable<string>, since: number = Number.POSITIVE_INFINITY): void {
    const fresh = [...paths].filter((path) => !this.#states.has(path));
    if (fresh.length === 0) return;
    this.#watcher.add(fresh);
    this.#record(fresh);
    for (const path of fresh) if (isChangedAfter(path, since - clockSkewMs)) this.#pending.add(path);
  }

  #record(paths: readonly string[]): void {
    for (const path of paths) this.#states.set(path, stateOf(path));
  }

  /** Records files that ridlkit wrote itself, so that they do not count as changed. */
  ignoreOwnWrites(paths: Iterable<string>): void {
    this.#record([...paths]);
  }

  #poll(): void {
    for (const path of this.#states.keys())
      if (this.#hasChanged(path) && this.#states.get(path) !== folderState) this.#pending.add(path);
  }

  /** Whether a path has changed since the last call. An unknown path counts as changed. */
  #hasChanged(path: string): boolean {
    const now = stateOf(path);
    if (now === this.#states.get(path)) return false;
    if (this.#states.has(path)) this.#states.set(path, now);
    return true;
  }

  /** Whether a file was created and deleted between two calls of `next`, as temporary files are. */
  #isTransient(path: string): boolean {
    return this.#added.has(path) && !this.#states.has(path) && stateOf(path) === missingState;
  }

  /** Waits for changes and returns the changed files, at least one. Returns undefined once `stop` is aborted. */
  async next(stop: AbortSignal): Promise<ReadonlySet<string> | undefined> {
    while (!stop.aborted) {
      if (this.#pending.size > 0) {
        await new Promise((done) => setTimeout(done, debounceMs));
        const changed = new Set([...this.#pending].filter((path) => !this.#isTransient(path)));
        this.#pending.clear();
        for (const path of changed) this.#added.delete(path);
        // A change after this point is one that the caller may not have read.
        this.#record([...changed].filter((path) => !this.#states.has(path)));
        if (changed.size > 0) return changed;
        continue;
      }
      await this.#waitForEvent(pollMs, stop);
      if (this.#pending.size === 0) this.#poll();
    }
    return undefined;
  }

  /** Resolves on the next event, after a timeout in milliseconds, or when `stop` is aborted. */
  #waitForEvent(maxMs: number, stop: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const wake = (): void => {
        clearTimeout(timer);
        stop.removeEventListener("abort", wake);
        this.#wake = undefined;
        done();
      };
      const timer = setTimeout(wake, maxMs);
      this.#wake = wake;
      stop.addEventListener("abort", wake, { once: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher.close();
  }
}

const folderState = "a folder";
const missingState = "nothing";

function isChangedAfter(path: string, since: number): boolean {
  if (since === Number.POSITIVE_INFINITY) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.mtimeMs > since);
}

/** All folders have the same state: changes inside them are detected through their files. */
function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return missingState;
  return stats.isDirectory() ? folderState : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

/** Whether a path is a folder or in it, with the separators of any system. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
