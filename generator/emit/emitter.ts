import type { Plan } from "../plan/plan.ts";

/** A file to be written, its path relative to the output folder, with "/". */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** Prints one target of a plan. Reads nothing else: the same plan gives the same bytes. */
export type Emitter = (plan: Plan) => readonly EmittedFile[];
