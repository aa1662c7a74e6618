import type { Terminal } from "../process-context.ts";

/** Minimum time between two updates, in milliseconds. */
const intervalMs = 100;

/** A line of progress on the terminal that is overwritten. Writes nothing if standard error is not a terminal. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  #shown = "";
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, { quiet }: { readonly quiet: boolean }) {
    this.#terminal = terminal;
    this.#isShown = terminal.errIsTerminal && !quiet;
  }

  show(text: string): void {
    const now = performance.now();
    if (!this.#isShown || now - this.#shownAt < intervalMs) return;
    this.#shownAt = now;
    this.#write(text);
  }

  clear(): void {
    if (this.#shown === "") return;
    this.#write("");
    this.#terminal.err("\r");
  }

  /** Pads with spaces to cover a longer previous text, because not every terminal has an escape code for that. */
  #write(text: string): void {
    this.#terminal.err(`\r${text.padEnd(this.#shown.length)}`);
    this.#shown = text;
  }
}
