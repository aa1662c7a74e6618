import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import type { Terminal } from "../process-context.ts";

/** Where a response is written: standard output, or a file. */
export interface Output extends AsyncDisposable {
  readonly isTerminal: boolean;
  /** Resolves to false if the reader of the output is gone. Throws `OutputError`. */
  write(chunk: string | Uint8Array): Promise<boolean>;
}

/** The file of the output cannot be written. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

export function outputTo(
  path: string | undefined,
  { cwd, terminal }: { readonly cwd: string; readonly terminal: Terminal },
): Output {
  return path === undefined ? standardOutput(terminal) : new OutputFile(path, cwd);
}

function standardOutput(terminal: Terminal): Output {
  return {
    isTerminal: terminal.outIsTerminal,
    write: (chunk) => terminal.write(chunk),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Opened on the first write, so that a failed call leaves an existing file as it is. */
class OutputFile implements Output {
  readonly isTerminal = false;
  readonly #path: string;
  readonly #cwd: string;
  #file: FileHandle | undefined;

  constructor(path: string, cwd: string) {
    this.#path = path;
    this.#cwd = cwd;
  }

  async write(chunk: string | Uint8Array): Promise<boolean> {
    try {
      this.#file ??= await open(resolve(this.#cwd, this.#path), "w");
      await this.#file.writeFile(chunk);
      return true;
    } catch (err) {
      throw new OutputError(`"${this.#path}" cannot be written: ${writeReason(err)}.`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
