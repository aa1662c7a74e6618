/** Appends lines to a file, up to a size limit. The file always ends with a complete line, even after disk errors. */
import { type FileHandle, open } from "node:fs/promises";

export interface RecordingFileOptions {
  /** Largest size of the file, in bytes. */
  readonly maxBytes: number;
  /** Called once, with the reason, when no more lines are written. */
  readonly onStop: (reason: string) => void;
}

export class RecordingFile {
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  #handle: FileHandle | undefined;
  /** Bytes of complete lines. */
  #size = 0;
  #isStopped = false;

  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Appends lines. Never rejects. Do not call it concurrently. */
  async append(lines: readonly string[]): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#handle ??= await this.#open();
      const bytes = Buffer.from(this.#fitting(lines).join(""));
      await this.#handle.appendFile(bytes);
      this.#size += bytes.length;
    } catch (err) {
      // The disk may have written part of a line.
      await truncateToLastLine(this.#handle).catch(() => {});
      this.#stop(err instanceof Error ? err.message : String(err));
    }
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#handle?.close().catch(() => {});
  }

  /** Returns the lines that fit into the file. */
  #fitting(lines: readonly string[]): readonly string[] {
    let size = this.#size;
    const over = lines.findIndex((line) => {
      size += Buffer.byteLength(line);
      return size > this.#options.maxBytes;
    });
    if (over === -1) return lines;
    this.#stop(`the file reached its limit of ${this.#options.maxBytes} bytes`);
    return lines.slice(0, over);
  }

  /** Opens the file to continue after its last complete line. Only its owner may read it. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, "a+", 0o600);
    try {
      if (!(await isRecording(handle))) throw new Error("the file is not a recording");
      this.#size = await truncateToLastLine(handle);
      return handle;
    } catch (err) {
      await handle.close();
      throw err;
    }
  }

  #stop(reason: string): void {
    this.#isStopped = true;
    this.#options.onStop(reason);
  }
}

/** How each line starts. */
const lineStart = Buffer.from('{"service":');

/** Whether a file is empty or starts with a call. Other files are not modified. */
async function isRecording(handle: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(lineStart.length);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  return start.subarray(0, bytesRead).equals(lineStart.subarray(0, bytesRead));
}

/** Removes an incomplete last line. Returns the remaining size in bytes. */
async function truncateToLastLine(handle: FileHandle | undefined): Promise<number> {
  if (handle === undefined) return 0;
  const size = await wholeLines(handle);
  await handle.truncate(size);
  return size;
}

/** Returns the size of all complete lines, in bytes. */
async function wholeLines(handle: FileHandle): Promise<number> {
  let { size } = await handle.stat();
  const part = Buffer.alloc(64 * 1024);
  while (size > 0) {
    const from = Math.max(0, size - part.length);
    const { bytesRead } = await handle.read(part, 0, size - from, from);
    const end = part.subarray(0, bytesRead).lastIndexOf("\n");
    if (end !== -1) return from + end + 1;
    size = from;
  }
  return 0;
}
