import type { Contract } from "./contract.ts";
import type { HandlerFolders } from "./folders.ts";
import type { HandlerRecord } from "./record.ts";
import type { Renames } from "./renames.ts";
import type { Survey } from "./survey/survey.ts";

export interface MergeInput extends HandlerFolders {
  /** Hand-written files that may have handlers in them or import one, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly contract: Contract;
  /** What the last run left; undefined before the first. */
  readonly record: HandlerRecord | undefined;
  /** Which methods may get a new handler. */
  readonly isChosen: (service: string, method: string) => boolean;
}

/** What the parts of a merge work from. */
export interface Task {
  readonly input: MergeInput;
  readonly survey: Survey;
  readonly renames: Renames;
}
