/** Faults on their way from the value that has them up to the body, each level putting its step in front of the path. */
import { type IssuePath, type Issues, issue, maxCountedIssues, maxListedIssues } from "./issue.ts";

/** Longest description of a value, in UTF-16 units. */
const descriptionMaxLength = 60;

export interface Faults {
  readonly listed: Fault[];
  /** All that were found, listed or not. */
  count: number;
}

interface Fault {
  path: IssuePath;
  readonly expected: string;
  readonly value: unknown;
  /** Whether only the kind of the value may be told. */
  isSecret: boolean;
}

/** Adds a fault. `path` leads there from the value that is being read: `[]`, `["name"]`. */
export function fault(faults: Faults | undefined, path: IssuePath, expected: string, value: unknown): Faults {
  return add(faults, { path, expected, value, isSecret: false });
}

/** The same for a value that must not be repeated. */
export function secretFault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
): Faults {
  return add(faults, { path, expected, value, isSecret: true });
}

/** Adds what is wrong inside of a field, if anything is. */
export function inField(
  faults: Faults | undefined,
  name: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, name, inner);
}

/** The same for a field, an item or an entry that is secret as a whole. The path ends there: keys inside may be secret as well. */
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

/** Adds what is wrong inside of an item of a list, if anything is. */
export function inItem(
  faults: Faults | undefined,
  index: number,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, index, inner);
}

/** Adds what is wrong inside of an entry of a map, if anything is. */
export function inEntry(
  faults: Faults | undefined,
  key: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, pathKey(key), inner);
}

/** Whether so much is wrong that reading on tells nothing new. */
export function hasMaxFaults(faults: Faults | undefined): boolean {
  return faults !== undefined && faults.count >= maxCountedIssues;
}

/** A key of a map as a step of a path. Callers choose keys, so long ones are cut to 60 UTF-16 units. */
export function pathKey(key: string): string {
  return key.length <= descriptionMaxLength ? key : `${key.slice(0, descriptionMaxLength - 1)}…`;
}

/** The faults of a body; undefined if there are none. */
export function issuesOf(faults: Faults | undefined): Issues | undefined {
  if (faults === undefined) return undefined;
  const listed = faults.listed.map(({ path, expected, value, isSecret }) =>
    issue(path, expected, isSecret ? kindOf(value) : describe(value)),
  );
  return { listed, more: faults.count - listed.length };
}

/** Bigints from here on are not shown. */
const printedBigintLimit = /* @__PURE__ */ BigInt(`1${"0".repeat(30)}`);

/** A value in at most 60 characters: `"0x12…" (66 characters)`, `12`, `a list of 3`, `nothing`. */
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

/** What a value is, without what it says. */
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
  // Escapes take up to six characters each, hence the second cut; it may halve an escape, which only people read.
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
