import { statSync } from "node:fs";
import { basename } from "node:path";
import type { FSWatcher } from "chokidar";

/** Time to collect the events of one save, in milliseconds. Editors may emit several events or write several files. */
const settleMs = 5;

/** Poll interval for known files, in milliseconds. Covers events that the system drops under load. */
const pollMs = 200;

/** Tolerance in milliseconds: the clock of a file system may lag behind that of the process. */
const clockSkewMs = 20;

/** Folders without hand-written files. */
const skipped = /(^|[/\\])(node_modules|dist|coverage|[.][^/\\.][^/\\]*)([/\\]|$)/;

/** Names of temporary files that editors and tools write while they save. */
const temporaryNames =
  /~$|^#.*#$|^4913$|___jb_(?:tmp|old)___$|[.](?:tmp|temp|swp|swo|swx|bak|orig|part|kate-swp)$|[.]tmp[.-]|^sed[A-Za-z0-9]{6}$/;

/** Watches files and folders, and returns changes in batches. */
export class FileWatcher implements AsyncDisposable {
  readonly #watcher: FSWatcher;
  readonly #pending = new Set<string>();
  /** The last fingerprint of each known path. */
  readonly #fingerprints = new Map<string, string>();
  /** New files that `next` has not returned yet. */
  readonly #added = new Set<string>();
  #wake: (() => void) | undefined;

  private constructor(watcher: FSWatcher, paths: readonly string[]) {
    this.#watcher = watcher;
    this.#record(paths);
    watcher.on("all", (kind, path) => {
      if (kind === "addDir" || kind === "unlinkDir") return;
      // The event is late, or ridlkit wrote the file.
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
    // Unreadable folders are not watched. After permissions change, a restart is needed.
    watcher.on("error", () => {});
  }

  /** Resolves once no further change can be missed. `isIgnored` receives absolute paths. Folders are watched recursively. */
  static async of(paths: readonly string[], isIgnored: (path: string) => boolean): Promise<FileWatcher> {
    // Imported lazily: other commands do not need chokidar.
    const { watch } = await import("chokidar");
    const isSkipped = (path: string): boolean => {
      if (isIgnored(path)) return true;
      const folder = paths.find((one) => path.startsWith(one));
      // Test only the part below the watched folder: its own parents may match `skipped`.
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
   * Watches more paths. A new path counts as changed if it was written after `since` (milliseconds since the epoch), because the caller
   * may have read the old content.
   */
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

  /** Call after ridlkit wrote files, so that its own writes do not count as changes. Later writes do. */
  ignoreOwnWrites(paths: Iterable<string>): void {
    this.#record([...paths]);
  }

  #poll(): void {
    for (const path of this.#fingerprints.keys())
      if (this.#hasChanged(path) && this.#fingerprints.get(path) !== aFolder) this.#pending.add(path);
  }

  /** Whether a path changed since the previous call. Unknown paths count as changed. */
  #hasChanged(path: string): boolean {
    const now = fingerprintOf(path);
    if (now === this.#fingerprints.get(path)) return false;
    if (this.#fingerprints.has(path)) this.#fingerprints.set(path, now);
    return true;
  }

  /** Whether a file was added and removed between two batches. Catches temporary files with unknown names. */
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

  /** Resolves at the next change, after `maxMs` milliseconds, or when `stop` is aborted. */
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

const aFolder = "a folder";
const gone = "nothing";

function isWrittenAfter(path: string, since: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.mtimeMs > since;
}

/** All folders share one fingerprint. Changes inside a folder are detected through its files. */
function fingerprintOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return gone;
  return stats.isDirectory() ? aFolder : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
