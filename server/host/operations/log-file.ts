import { write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Most text that waits to be written, in characters: a reader of the log that stands still costs this much memory. */
const waitingMax = 1_000_000;

/** Until a file that takes nothing just now (EAGAIN) is asked again, in milliseconds. */
const againMs = 50;

/**
 * After a write, lines are gathered for so long before the next, in milliseconds. Each write is another thread's, and to hand one over for
 * each line costs a busy host nearly a tenth of the CPU of a read by index (`npm run bench -- reads`).
 */
const gatherMs = 25;

/** Longest wait for what is not written yet, in milliseconds, once the host stops. */
const closeMaxMs = 1_000;

/**
 * Where lines of the log go. It is written to in the background and never waited for: a disk that is full or a reader that stands
 * still loses lines, which are counted, and holds up nothing. The loss is told as soon as the file takes lines again.
 */
export class LogFile {
  readonly #fd: number;
  readonly #tellLoss: (lines: number) => string;
  #lines: string[] = [];
  #waiting = 0;
  #lost = 0;
  #untold = 0;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(fd: number, tellLoss: (lines: number) => string) {
    this.#fd = fd;
    this.#tellLoss = tellLoss;
  }

  /** Lines that were not written, since the start. */
  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    if (this.#waiting + line.length > waitingMax) {
      this.#lose(1);
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Waits for what was written so far, but not for ever; what is left then is lost. */
  async close(): Promise<void> {
    await Promise.race([this.#writing, sleep(closeMaxMs, undefined, { ref: false })]);
    this.#isClosed = true;
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      const untold = this.#untold;
      this.#lines = [];
      const text = lines.join("");
      this.#untold = 0;
      // A line may have been cut off where the disk was full.
      if (!(await this.#isWritten(untold === 0 ? text : `\n${this.#tellLoss(untold)}${text}`))) {
        this.#untold += untold;
        this.#lose(lines.length);
      }
      this.#waiting -= text.length;
      await sleep(gatherMs);
    }
    this.#writing = undefined;
  }

  async #isWritten(text: string): Promise<boolean> {
    let rest = Buffer.from(text);
    while (rest.length > 0) {
      const written = await writeOnce(this.#fd, rest);
      if (written === "never") return false;
      if (written === "later" && !this.#isClosed) await sleep(againMs);
      else if (written === "later") return false;
      else rest = rest.subarray(written);
    }
    return true;
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#untold += lines;
  }
}

/** How many bytes were written. */
function writeOnce(fd: number, bytes: Buffer): Promise<number | "later" | "never"> {
  return new Promise((done) => {
    write(fd, bytes, (err, written) => {
      if (err === null) done(written);
      else done(err.code === "EAGAIN" ? "later" : "never");
    });
  });
}
