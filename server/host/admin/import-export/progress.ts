import type { ImportCounts } from "../../../market/import-export/import.ts";
import { clearLine } from "../../terminal-line.ts";
import type { AdminStreams } from "../command.ts";
import type { InputFile } from "./open-input.ts";

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
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
