import type { ServerResponse } from "node:http";

/** What prevents the newest version of a project from being served, or what a handler has thrown. */
export interface Problem {
  readonly title: string;
  /** The error with its stack, or the diagnostics of the schema. Paths are relative to `root`. */
  readonly text: string;
  /** The absolute path of the project. */
  readonly root: string;
}

/** Tells open pages of the explorer about the current problem, as server-sent events. */
export class ProblemFeed {
  readonly #pages = new Set<ServerResponse>();
  #problem: Problem | undefined;

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Undefined: the newest version is served. Pages read the contract again. */
  report(problem: Problem | undefined): void {
    this.#problem = problem;
    for (const page of this.#pages) page.write(eventOf(problem));
  }

  /** Shows what a handler has thrown, once, unless the newest version cannot be served anyway. */
  notify(problem: Problem): void {
    if (this.#problem === undefined) for (const page of this.#pages) page.write(eventOf(problem));
  }

  /** Starts with the current problem, and stays open. */
  open(page: ServerResponse): void {
    page.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    page.write(eventOf(this.#problem));
    this.#pages.add(page);
    page.once("close", () => this.#pages.delete(page));
  }
}

function eventOf(problem: Problem | undefined): string {
  return `data: ${JSON.stringify(problem ?? null)}\n\n`;
}
