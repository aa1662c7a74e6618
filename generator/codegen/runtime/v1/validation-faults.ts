/** Collects validation errors. Each level of a body prepends its step to the paths of the faults inside. */
import { type IssuePath, type Issues, issue, maxCountedIssues, maxListedIssues } from "./issue.ts";

/** Longest description of a value, in UTF-16 units. */
const descriptionMaxLength = 60;

/** The faults found so far. */
export interface Faults {
  readonly listed: Fault[];
  /** Number of all faults, listed or not. */
  count: number;
}

interface Fault {
  path: IssuePath;
  readonly expected: string;
  readonly value: unknown;
  /** If true, only the kind of the value is reported. */
  isSecret: boolean;
}

/** Adds a fault. `path` starts at the value being validated: `[]`, `["name"]`. */
export function fault(faults: Faults | undefined, path: IssuePath, expected: string, value: unknown): Faults {
  return add(faults, { path, expected, value, isSecret: false });
}

/** Adds a fault without quoting its value. */
export function secretFault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
): Faults {
  return add(faults, { path, expected, value, isSecret: true });
}

/** Adds the faults inside a field. */
export function inField(
  faults: Faults | undefined,
  name: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, name, inner);
}

/**
 * Adds the faults inside a field, item or entry that is secret as a whole. The path ends there, because keys inside may
 * be secret, too.
 */
export function inSecret(
  faults: Faults | undefined,
  step: string | number,
  inner: Faults | undefined,
): Faults | undefined {
  if (inner === undefined) return faults;
  for (const fault of inner.listed) {
    fault.path = [];
    fault.isSecret = true;
  }
  return merge(faults, step, inner);
}

/** Adds the faults inside a list item. */
export function inItem(
  faults: Faults | undefined,
  index: number,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, index, inner);
}

/** Adds the faults inside a map entry. */
export function inEntry(
  faults: Faults | undefined,
  key: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, pathKey(key), inner);
}

/** Whether enough faults were found to stop validating. */
export function hasMaxFaults(faults: Faults | undefined): boolean {
  return faults !== undefined && faults.count >= maxCountedIssues;
}

/** Returns a map key as a step of a path. Callers choose keys, so long ones are truncated to 60 UTF-16 units. */
export function pathKey(key: string): string {
  return key.length <= descriptionMaxLength ? key : `${key.slice(0, descriptionMaxLength - 1)}…`;
}

/** Returns the issues of a body; undefined if it is valid. */
export function issuesOf(faults: Faults | undefined): Issues | undefined {
  if (faults === undefined) return undefined;
  const listed = faults.listed.map(({ path, expected, value, isSecret }) =>
    issue(path, expected, isSecret ? kindOf(value) : describe(value)),
  );
  return { listed, more: faults.count - listed.length };
}

/** 10^30. Larger bigints are described as `a bigint`. */
const printedBigintLimit = /* @__PURE__ */ BigInt("1000000000000000000000000000000");

/** Describes a value in at most 60 characters: `"0x12…" (66 characters)`, `12`, `a list of 3`, `nothing`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return describeText(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value > -printedBigintLimit && value < printedBigintLimit ? `${value}n` : "a bigint";
    case "object":
      return Array.isArray(value) ? `a list of ${value.length}` : kindOf(value);
    default:
      return kindOf(value);
  }
}

/** Describes the kind of a value without its content. */
function kindOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    case "bigint":
      return "a bigint";
    case "undefined":
      return "nothing";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

function describeText(text: string): string {
  if (text.length <= descriptionMaxLength) {
    const whole = JSON.stringify(text);
    if (whole.length <= descriptionMaxLength) return whole;
  }
  const length = ` (${text.length} characters)`;
  // Escapes take up to six characters, hence the second cut. It may split an escape, which does no harm in text for
  // people.
  const start = JSON.stringify(text.slice(0, descriptionMaxLength)).slice(
    0,
    descriptionMaxLength - length.length - 2,
  );
  return `${start}…"${length}`;
}

function add(faults: Faults | undefined, found: Fault): Faults {
  if (faults === undefined) return { listed: [found], count: 1 };
  if (faults.listed.length < maxListedIssues) faults.listed.push(found);
  faults.count++;
  return faults;
}

function merge(faults: Faults | undefined, step: string | number, inner: Faults): Faults {
  for (const found of inner.listed) found.path = [step, ...found.path];
  if (faults === undefined) return inner;
  faults.listed.push(...inner.listed.slice(0, maxListedIssues - faults.listed.length));
  faults.count += inner.count;
  return faults;
}
