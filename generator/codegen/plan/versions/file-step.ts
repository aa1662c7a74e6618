import type { PlannedFile } from "../plan.ts";
import { custom } from "./absent.ts";
import { type Absent, type FieldStep, same } from "./conversion.ts";
import type { MutablePair } from "./mutable-pair.ts";

/** Returns how a file of the other version gets its value. */
export function fileStep(pair: MutablePair, to: PlannedFile, files: readonly PlannedFile[]): FieldStep {
  const { name, key, optional, isList } = to;
  const from = files.find((file) => file.name === name && file.isList === isList);
  // Handlers always receive a list of files, which may be empty.
  const none: Absent = isList ? { kind: "default", value: [], isDate: false } : { kind: "omit" };
  const isOptional = optional || isList;
  const step = {
    name,
    key,
    isOptional: optional && !isList,
    keepsNull: false,
    absent: isOptional ? none : custom,
  };
  if (from === undefined) {
    if (!isOptional) pair.isCustom = pair.needsCheck = true;
    pair.isSame = false;
    return step;
  }
  const presence = from.optional && !from.isList ? "optional" : "always";
  if (presence === "optional" && !isOptional) {
    pair.isCustom = true;
    pair.isSame = false;
  }
  return { ...step, source: { name, presence, conversion: same } };
}
