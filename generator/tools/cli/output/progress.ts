import { columnsOf, startWithin, visible } from "../../../language/diagnostics/visible.ts";
import type { Terminal } from "../process-context.ts";

/** Minimum time between two updates of a counter, in milliseconds. */
const intervalMs = 100;

/** Width of a terminal that does not report its width. */
const defaultColumns = 80;

/** How a command reports its progress. */
export interface ProgressSettings {
  readonly terminal: Terminal;
  readonly quiet: boolean;
}

/** A line of progress on the terminal that is overwritten. Writes nothing if standard error is not a terminal. */
export class ProgressLine implements Disposable {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  #shown = "";
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor({ terminal, quiet }: ProgressSettings) {
    this.#terminal = terminal;
    this.#isShown = terminal.errIsTerminal && !quiet;
  }

  /** Shows a text, unless the last one was shown just before: for counters. */
  update(text: string): void {
    if (performance.now() - this.#shownAt >= intervalMs) this.show(text);
  }

  show(text: string): void {
    if (!this.#isShown) return;
    this.#shownAt = performance.now();
    // A line that fills the terminal would wrap, and could not be overwritten.
    this.#write(startWithin(visible(text), (this.#terminal.columns ?? defaultColumns) - 1));
  }

  clear(): void {
    if (this.#shown === "") return;
    this.#write("");
    this.#terminal.err("\r");
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  /** Pads with spaces to cover a longer previous text, because not every terminal has an escape code for that. */
  #write(text: string): void {
    const padding = " ".repeat(Math.max(0, columnsOf(this.#shown) - columnsOf(text)));
    this.#terminal.err(`\r${text}${padding}`);
    this.#shown = text;
  }
}
