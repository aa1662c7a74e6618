import type { Terminal } from "../process-context.ts";

/** Time between two texts, in milliseconds: faster than that nobody reads. */
const intervalMs = 100;

/** One line on a terminal that is written over as a run goes on. Writes nothing into a pipe or a file. */
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

  /** Blanks cover what is left of a longer text: not every terminal knows a code for that. */
  #write(text: string): void {
    this.#terminal.err(`\r${text.padEnd(this.#shown.length)}`);
    this.#shown = text;
  }
}
