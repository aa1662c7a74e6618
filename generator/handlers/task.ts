import type { HandlersContract } from "./contract.ts";
import type { Renames } from "./find-renames.ts";
import type { HandlerFolders } from "./folders.ts";
import type { HandlerIndex } from "./index/handler-index.ts";
import type { SyncState } from "./sync-state.ts";

export interface UpdateInput extends HandlerFolders {
  /** Hand-written files that may contain or import handlers, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly contract: HandlersContract;
  /** The state that the last run stored; undefined before the first run. */
  readonly lastSync: SyncState | undefined;
  /** Whether a method may get a new handler. */
  readonly isChosen: (service: string, method: string) => boolean;
}

/** The shared input of all steps of an update. */
export interface UpdateTask {
  readonly input: UpdateInput;
  readonly index: HandlerIndex;
  readonly renames: Renames;
}
