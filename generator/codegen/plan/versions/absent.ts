/** Which fields may be absent, and what they get without a value. */
import type { Plan, PlannedField } from "../plan.ts";
import type { TypeFinder } from "../type-finder.ts";
import { coreTypeText } from "../value-forms.ts";
import { completeDefault } from "./complete-default.ts";
import type { Absent, Direction, Presence } from "./conversion.ts";

export const custom: Absent = { kind: "custom" };

/** Handlers receive requests with their defaults. Only responses have null for an absent field. */
export function presenceOf(
  { optional, nullable, default: value }: PlannedField,
  direction: Direction,
): Presence {
  if (value !== undefined && direction === "up") return "always";
  if (nullable) return direction === "up" ? "omittable" : "nullable";
  return optional ? "optional" : "always";
}

/** A field without a value gets its default, even in a response that old clients expect to have it. */
export function absentOf(
  field: PlannedField,
  presence: Presence,
  direction: Direction,
  types: TypeFinder,
  plan: Plan,
): Absent {
  if (field.default !== undefined && (direction === "up" || presence === "always")) {
    const type = types.unaliased(field.type);
    const isDate = type.kind === "core" && coreTypeText(type.name, plan) === "Date";
    const value = completeDefault(field.default, field.type, types, plan);
    return value === undefined ? custom : { kind: "default", value, isDate };
  }
  if (presence === "optional" || presence === "omittable") return { kind: "omit" };
  return presence === "nullable" ? { kind: "null" } : custom;
}
