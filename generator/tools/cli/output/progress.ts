import type { Terminal } from "../process-context.ts";

/** Minimum time between two updates, in milliseconds: faster updates are unreadable. */
const intervalMs = 100;

/** Shows progress in one terminal line that is overwritten. Writes nothing to a pipe or a file. */
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

  /** Pads with spaces to erase a longer text, because not every terminal supports an escape code for this. */
  #write(text: string): void {
    this.#terminal.err(`\r${text.padEnd(this.#shown.length)}`);
    this.#shown = text;
  }
}
