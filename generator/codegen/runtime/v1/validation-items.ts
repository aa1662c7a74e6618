/** Lists and maps, and the faults inside. */
import { maxCountedIssues } from "./issue.ts";
import { descriptionMaxLength } from "./validation-description.ts";
import { addInside, type Faults } from "./validation-faults.ts";

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** Adds the faults inside a list item. */
export function inItem(
  faults: Faults | undefined,
  index: number,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, index, inner);
}

/** Adds the faults inside a map entry. */
export function inEntry(
  faults: Faults | undefined,
  key: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, pathKey(key), inner);
}

/** Whether enough faults were found to stop validating. */
export function hasMaxFaults(faults: Faults | undefined): boolean {
  return faults !== undefined && faults.count >= maxCountedIssues;
}

/** Returns a map key as a step of a path. Callers choose keys, so long ones are truncated to 60 UTF-16 units. */
export function pathKey(key: string): string {
  return key.length <= descriptionMaxLength ? key : `${key.slice(0, descriptionMaxLength - 1)}…`;
}
