import { watch } from "chokidar";

/** Files of one save often come as several events, and an editor may write more than one file at once: milliseconds to wait for them. */
const settleMs = 12;

/** Folders in which nobody edits by hand. */
const skipped = /(^|[/\\])(node_modules|dist|coverage|[.][^/\\.][^/\\]*)([/\\]|$)/;

/** Watches files and folders, and hands out what changed, some at a time. */
export class Changes implements AsyncDisposable {
  readonly #watcher: ReturnType<typeof watch>;
  readonly #pending = new Set<string>();
  readonly #ready: Promise<void>;
  #wake: (() => void) | undefined;

  /** `isIgnored` is asked of absolute paths. Folders are watched with all that is in them. */
  constructor(paths: readonly string[], isIgnored: (path: string) => boolean) {
    const isSkipped = (path: string): boolean =>
      isIgnored(path) || (skipped.test(path) && !paths.includes(path));
    this.#watcher = watch([...paths], { ignoreInitial: true, ignored: isSkipped });
    this.#ready = new Promise((done) => this.#watcher.once("ready", () => done()));
    this.#watcher.on("all", (kind, path) => {
      if (kind === "addDir" || kind === "unlinkDir") return;
      this.#pending.add(path);
      this.#wake?.();
    });
    // A folder that may not be read is not watched; what is in it can be named again by a restart.
    this.#watcher.on("error", () => {});
  }

  /** Once it resolves no change is missed. */
  ready(): Promise<void> {
    return this.#ready;
  }

  watchAlso(paths: Iterable<string>): void {
    this.#watcher.add([...paths]);
  }

  /** The files that changed since the last call, at least one; `undefined` once `stop` is aborted. */
  async next(stop: AbortSignal): Promise<ReadonlySet<string> | undefined> {
    while (!stop.aborted) {
      if (this.#pending.size > 0) {
        await new Promise((done) => setTimeout(done, settleMs));
        const changed = new Set(this.#pending);
        this.#pending.clear();
        return changed;
      }
      await new Promise<void>((done) => {
        this.#wake = done;
        stop.addEventListener("abort", () => done(), { once: true });
      });
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher.close();
  }
}
