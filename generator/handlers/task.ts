import type { Contract } from "./contract.ts";
import type { HandlerFolders } from "./folders.ts";
import type { HandlerIndex } from "./index/handler-index.ts";
import type { Renames } from "./renames.ts";
import type { SyncState } from "./sync-state.ts";

export interface MergeInput extends HandlerFolders {
  /** Hand-written files that may have handlers in them or import one, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly contract: Contract;
  /** What the last run left; undefined before the first. */
  readonly lastSync: SyncState | undefined;
  /** Which methods may get a new handler. */
  readonly isChosen: (service: string, method: string) => boolean;
}

/** What the parts of a merge work from. */
export interface MergeTask {
  readonly input: MergeInput;
  readonly index: HandlerIndex;
  readonly renames: Renames;
}
