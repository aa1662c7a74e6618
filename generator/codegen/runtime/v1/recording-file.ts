/** A file that lines are added to in the background, up to a size. It ends with a whole line, whatever happens to the disk. */
import { type FileHandle, open } from "node:fs/promises";

export interface RecordingFileOptions {
  /** Largest size of the file, in bytes. */
  readonly maxBytes: number;
  /** Told once, with the reason, when nothing more is written. */
  readonly onStop: (reason: string) => void;
}

export class RecordingFile {
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  #handle: FileHandle | undefined;
  /** Bytes of whole lines. */
  #size = 0;
  #isStopped = false;

  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Never rejects. One call at a time. */
  async append(lines: readonly string[]): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#handle ??= await this.#open();
      const bytes = Buffer.from(this.#fitting(lines).join(""));
      await this.#handle.appendFile(bytes);
      this.#size += bytes.length;
    } catch (err) {
      // The disk may have taken a part of a line.
      await truncateToLastLine(this.#handle).catch(() => {});
      this.#stop(err instanceof Error ? err.message : String(err));
    }
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#handle?.close().catch(() => {});
  }

  /** As many of them as there is room for. */
  #fitting(lines: readonly string[]): readonly string[] {
    let size = this.#size;
    const over = lines.findIndex((line) => {
      size += Buffer.byteLength(line);
      return size > this.#options.maxBytes;
    });
    if (over === -1) return lines;
    this.#stop(`it has the ${this.#options.maxBytes} bytes that it may have`);
    return lines.slice(0, over);
  }

  /** Goes on behind the last whole line of what is there. Nobody but the owner may read it. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, "a+", 0o600);
    if (await isRecording(handle)) {
      this.#size = await truncateToLastLine(handle);
      return handle;
    }
    await handle.close();
    throw new Error("it has something else in it than calls");
  }

  #stop(reason: string): void {
    this.#isStopped = true;
    this.#options.onStop(reason);
  }
}

/** How each line begins. */
const lineStart = Buffer.from('{"service":');

/** Whether it is empty or begins with a call: no other file is cut off or added to. */
async function isRecording(handle: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(lineStart.length);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  return start.subarray(0, bytesRead).equals(lineStart.subarray(0, bytesRead));
}

/** Takes away what stands behind the last line end, and tells what is left, in bytes. */
async function truncateToLastLine(handle: FileHandle | undefined): Promise<number> {
  if (handle === undefined) return 0;
  const size = await wholeLines(handle);
  await handle.truncate(size);
  return size;
}

/** Bytes up to the last line end. */
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
