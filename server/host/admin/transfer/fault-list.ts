import type { Fault } from "../../../market/transfer/batch.ts";
import { grouped } from "./progress.ts";

/** Tells the first faults of a file, and counts the rest. */
export class FaultList {
  readonly #file: string;
  readonly #shownMax: number;
  #count = 0;

  constructor(file: string, shownMax: number) {
    this.#file = file;
    this.#shownMax = shownMax;
  }

  add(faults: readonly Fault[]): void {
    const shown = faults.slice(0, Math.max(0, this.#shownMax - this.#count));
    this.#count += faults.length;
    process.stderr.write(shown.map((fault) => `platform: ${this.#textOf(fault)}\n`).join(""));
  }

  /** Once all is read. */
  printRest(): void {
    const rest = this.#count - this.#shownMax;
    if (rest > 0)
      process.stderr.write(`platform: and ${grouped(rest)} more that were refused; --faults N shows more\n`);
  }

  /** `orders.ndjson:17: /priceAmount: expected …`, as compilers write it. Names of fields are foreign text. */
  #textOf({ line, index, reason }: Fault): string {
    const entry = index === undefined ? "" : ` entry ${index}:`;
    return `${this.#file}:${line}:${entry} ${reason.replace(/\p{Cc}/gu, "?").slice(0, reasonMax)}`;
  }
}

/** Longest text of one fault, in characters: a line with a hundred faults is not read to its end. */
const reasonMax = 600;
