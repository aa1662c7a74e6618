import { statSync } from "node:fs";
import { basename } from "node:path";
import type { FSWatcher } from "chokidar";

/** Files of one save often come as several events, and an editor may write more than one file at once: milliseconds to wait for them. */
const settleMs = 5;

/** How often known files are looked at, for a system that has lost an event among many: milliseconds. */
const pollMs = 200;

/** The clock of a file system may be so far behind that of a process: milliseconds. */
const clockSkewMs = 20;

/** Folders in which nobody edits by hand. */
const skipped = /(^|[/\\])(node_modules|dist|coverage|[.][^/\\.][^/\\]*)([/\\]|$)/;

/** Files that editors and tools write beside the one that they save, by their names. */
const temporaryNames =
  /~$|^#.*#$|^4913$|___jb_(?:tmp|old)___$|[.](?:tmp|temp|swp|swo|swx|bak|orig|part|kate-swp)$|[.]tmp[.-]|^sed[A-Za-z0-9]{6}$/;

/** Watches files and folders, and hands out what changed, some at a time. */
export class FileWatcher implements AsyncDisposable {
  readonly #watcher: FSWatcher;
  readonly #pending = new Set<string>();
  /** What each known path looked like when it was last seen. */
  readonly #fingerprints = new Map<string, string>();
  /** Files that did not exist before, and were not handed out yet. */
  readonly #added = new Set<string>();
  #wake: (() => void) | undefined;

  private constructor(watcher: FSWatcher, paths: readonly string[]) {
    this.#watcher = watcher;
    this.#record(paths);
    watcher.on("all", (kind, path) => {
      if (kind === "addDir" || kind === "unlinkDir") return;
      // What looks as it did is told late, or was written by ourselves.
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
    // A folder that may not be read is not watched; what is in it can be named again by a restart.
    watcher.on("error", () => {});
  }

  /** Misses no change from then on. `isIgnored` is asked of absolute paths. Folders are watched with all that is in them. */
  static async of(paths: readonly string[], isIgnored: (path: string) => boolean): Promise<FileWatcher> {
    // Loaded here: the program's bundle would load it at every run.
    const { watch } = await import("chokidar");
    const isSkipped = (path: string): boolean => {
      if (isIgnored(path)) return true;
      const folder = paths.find((one) => path.startsWith(one));
      // The folder may lie below one that would be skipped itself.
      const inner = folder === undefined ? path : path.slice(folder.length);
      return skipped.test(inner) || (inner !== "" && temporaryNames.test(basename(inner)));
    };
    const watcher = watch([...paths], { ignoreInitial: true, ignored: isSkipped });
    const ready = new Promise<void>((done) => watcher.once("ready", () => done()));
    const changes = new FileWatcher(watcher, paths);
    await ready;
    return changes;
  }

  /** What is told of first now and was written after `since` has changed: whoever read it may have read what it was. Milliseconds. */
  add(paths: Iterable<string>, since: number = Number.POSITIVE_INFINITY): void {
    const fresh = [...paths].filter((path) => !this.#fingerprints.has(path));
    if (fresh.length === 0) return;
    this.#watcher.add(fresh);
    this.#record(fresh);
    for (const path of fresh) if (isWrittenAfter(path, since - clockSkewMs)) this.#pending.add(path);
  }

  #record(paths: readonly string[]): void {
    for (const path of paths) this.#fingerprints.set(path, fingerprintOf(path));
  }

  /** What was just written by ourselves is no change, unless somebody writes it after us. */
  ignoreOwnWrites(paths: Iterable<string>): void {
    this.#record([...paths]);
  }

  #poll(): void {
    for (const path of this.#fingerprints.keys())
      if (this.#hasChanged(path) && this.#fingerprints.get(path) !== aFolder) this.#pending.add(path);
  }

  /** Since it was last asked; what nobody knew before has. */
  #hasChanged(path: string): boolean {
    const now = fingerprintOf(path);
    if (now === this.#fingerprints.get(path)) return false;
    if (this.#fingerprints.has(path)) this.#fingerprints.set(path, now);
    return true;
  }

  /** As temporary files do, whatever their names. */
  #isTransient(path: string): boolean {
    return this.#added.has(path) && !this.#fingerprints.has(path) && fingerprintOf(path) === gone;
  }

  /** The files that changed since the last call, at least one; `undefined` once `stop` is aborted. */
  async next(stop: AbortSignal): Promise<ReadonlySet<string> | undefined> {
    while (!stop.aborted) {
      if (this.#pending.size > 0) {
        await new Promise((done) => setTimeout(done, settleMs));
        const changed = new Set([...this.#pending].filter((path) => !this.#isTransient(path)));
        this.#pending.clear();
        for (const path of changed) this.#added.delete(path);
        if (changed.size > 0) return changed;
        continue;
      }
      await this.#waitForEvent(pollMs, stop);
      if (this.#pending.size === 0) this.#poll();
    }
    return undefined;
  }

  /** Resolves with the next change, after some milliseconds without any, or when `stop` is aborted. */
  #waitForEvent(mostMs: number, stop: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const wake = (): void => {
        clearTimeout(timer);
        stop.removeEventListener("abort", wake);
        this.#wake = undefined;
        done();
      };
      const timer = setTimeout(wake, mostMs);
      this.#wake = wake;
      stop.addEventListener("abort", wake, { once: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher.close();
  }
}

const aFolder = "a folder";
const gone = "nothing";

function isWrittenAfter(path: string, since: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.mtimeMs > since;
}

/** Folders look alike whatever is in them: their files are known by themselves once they are used. */
function fingerprintOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return gone;
  return stats.isDirectory() ? aFolder : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
