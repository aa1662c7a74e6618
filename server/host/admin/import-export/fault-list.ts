import type { Writable } from "node:stream";
import { visible } from "../../../../generator/language/diagnostics/visible.ts";
import type { InvalidEntry } from "../../../market/import-export/batch.ts";
import { grouped } from "./progress.ts";

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
