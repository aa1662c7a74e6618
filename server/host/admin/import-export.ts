import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { systemReason } from "../../../generator/language/diagnostics/system-reason.ts";
import { visible } from "../../../generator/language/diagnostics/visible.ts";
import type { InvalidEntry } from "../../market/import-export/batch.ts";
import type { ImportCounts } from "../../market/import-export/import-export.ts";
import { clearLine } from "../standard-streams.ts";
import { AdminFault, type AdminStreams } from "./command.ts";

/** Number of invalid lines that are shown unless --faults is given: a screenful. */
export const shownByDefault = 20;

/** Prints the first errors of a file, and counts the rest. */
export class FaultList {
  readonly #file: string;
  readonly #shownMax: number;
  readonly #to: Writable;
  #count = 0;

  constructor(file: string, shownMax: number, to: Writable) {
    this.#file = file;
    this.#shownMax = shownMax;
    this.#to = to;
  }

  add(faults: readonly InvalidEntry[]): void {
    const shown = faults.slice(0, Math.max(0, this.#shownMax - this.#count));
    this.#count += faults.length;
    this.#to.write(shown.map((fault) => `platform: ${this.#textOf(fault)}\n`).join(""));
  }

  printRest(): void {
    const rest = this.#count - this.#shownMax;
    if (rest > 0)
      this.#to.write(`platform: ${grouped(rest)} more are not shown; show more with --faults N\n`);
  }

  /**
   * `orders.ndjson:17: /priceAmount: expected …`, the format of compilers. Field names come from the file.
   */
  #textOf({ line, index, reason }: InvalidEntry): string {
    const entry = index === undefined ? "" : ` entry ${index}:`;
    return visible(`${this.#file}:${line}:${entry} ${reason.slice(0, reasonMax)}`);
  }
}

/** Longest text of one error, in characters: a hundred errors of one line would not help. */
const reasonMax = 600;

interface InputFile extends Disposable {
  /** `orders.ndjson`, or `standard input`. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  readonly size: number | undefined;
  readonly position: () => number;
}

export async function openInput(file: string, { stdin, stderr }: AdminStreams): Promise<InputFile> {
  const isStandard = file === "-";
  const name = isStandard ? "standard input" : file;
  if (isStandard && stdin.isTTY === true)
    stderr.write("platform: reading from standard input; end it with Ctrl-D\n");
  const size = isStandard ? undefined : await sizeOf(file);
  const stream = isStandard ? stdin : createReadStream(file, { highWaterMark: readBytes });
  let position = 0;
  async function* counted(): AsyncIterable<Buffer> {
    try {
      for await (const chunk of stream) {
        position += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    } catch (err) {
      throw new AdminFault(`cannot read ${name}: ${systemReason(err)}`);
    }
  }
  return {
    name,
    bytes: counted(),
    size,
    position: () => position,
    [Symbol.dispose]: () => void stream.destroy(),
  };
}

/** Size of a read, in bytes: larger reads are no faster. */
const readBytes = 262_144;

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const { size, isDirectory, isFile } = await stat(file).then((found) => ({
      size: found.size,
      isDirectory: found.isDirectory(),
      isFile: found.isFile(),
    }));
    if (isDirectory) throw new AdminFault(`${file} is a folder; give a file, or - for standard input`);
    return isFile ? size : undefined;
  } catch (err) {
    if (err instanceof AdminFault) throw err;
    throw new AdminFault(`cannot read ${file}: ${systemReason(err)}`);
  }
}

/** A progress line that is overwritten on the terminal. Prints nothing if standard error is not a terminal. */
export class Progress implements Disposable {
  readonly #source: InputFile;
  readonly #startedAt = performance.now();
  readonly #to: AdminStreams["stderr"];

  constructor(source: InputFile, to: AdminStreams["stderr"]) {
    this.#source = source;
    this.#to = to;
  }

  show(counts: ImportCounts): void {
    if (this.#to.isTTY === true) this.#to.write(`${clearLine}${this.#text(counts)}`);
  }

  clear(): void {
    if (this.#to.isTTY === true) this.#to.write(clearLine);
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  /** `[=========>          ]  45 %  450,000 entries  21,000/s  2 rejected` */
  #text({ entries, invalid }: ImportCounts): string {
    const { size, position } = this.#source;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const share = size === undefined || size === 0 ? undefined : position() / size;
    const bar =
      share === undefined ? "" : `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  `;
    const rate = grouped(Math.round(entries / seconds));
    return `${bar}${grouped(entries)} entries  ${rate}/s${invalid === 0 ? "" : `  ${grouped(invalid)} invalid`}`;
  }
}

const barWidth = 20;

function barOf(part: number): string {
  const done = Math.floor(part * (barWidth - 1));
  return `[${"=".repeat(done)}>${" ".repeat(barWidth - 1 - done)}]`;
}

/** `1,234,567`, independent of the locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
