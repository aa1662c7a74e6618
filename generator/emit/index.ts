import type { Emitter } from "./emitter.ts";
import { emitJson } from "./json/index.ts";
import { emitTypes } from "./types/index.ts";

/** What can be generated. One line a target; `needs` are the targets whose files it imports. */
export const targets: Readonly<Record<TargetName, Target>> = {
  types: { emit: emitTypes, needs: [] },
  json: { emit: emitJson, needs: [] },
};

export type TargetName = "types" | "json";

export interface Target {
  readonly emit: Emitter;
  readonly needs: readonly TargetName[];
}
