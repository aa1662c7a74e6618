import { type DatabaseProblem, databaseProblemOf } from "../../base/storage/fault.ts";
import type { Log } from "./log.ts";

/** A problem has ended if no statement has met it for this time, in milliseconds: three heartbeats, each of which writes. */
const endMs = 30_000;

/** The problems of a database that responds. Logs each once when it begins, and once when it has ended. */
export class DatabaseProblems {
  readonly #log: Log;
  readonly #ends = new Map<DatabaseProblem, NodeJS.Timeout>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Returns whether the error is due to such a problem. */
  note(err: unknown): boolean {
    const problem = databaseProblemOf(err);
    if (problem === undefined) return false;
    const end = this.#ends.get(problem);
    if (end !== undefined) end.refresh();
    else {
      this.#log.warn({ cause: err }, `${problem.text}; ${problem.advice}`);
      this.#ends.set(problem, setTimeout(() => this.#end(problem), endMs).unref());
    }
    return true;
  }

  get current(): readonly string[] {
    return [...this.#ends.keys()].map(({ text }) => text);
  }

  #end(problem: DatabaseProblem): void {
    this.#ends.delete(problem);
    this.#log.info({ problem: problem.text }, "the database no longer has the problem");
  }
}
