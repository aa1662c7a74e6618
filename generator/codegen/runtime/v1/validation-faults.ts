/** Collects validation errors. Each level of a body prepends its step to the paths of the faults inside. */
import { type IssuePath, type Issues, issue, maxListedIssues } from "./issue.ts";
import { describe, kindOf } from "./validation-description.ts";

/** The faults found so far. */
export interface Faults {
  readonly listed: Fault[];
  /** Number of all faults, listed or not. */
  count: number;
}

export interface Fault {
  path: IssuePath;
  readonly expected: string;
  readonly value: unknown;
  /** If true, only the kind of the value is reported. */
  isSecret: boolean;
}

/** Adds a fault. `path` starts at the value being validated: `[]`, `["name"]`. */
export function fault(faults: Faults | undefined, path: IssuePath, expected: string, value: unknown): Faults {
  return addFault(faults, { path, expected, value, isSecret: false });
}

/** Adds the faults inside a field. */
export function inField(
  faults: Faults | undefined,
  name: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, name, inner);
}

/** Returns the issues of a body; undefined if it is valid. */
export function issuesOf(faults: Faults | undefined): Issues | undefined {
  if (faults === undefined) return undefined;
  const listed = faults.listed.map(({ path, expected, value, isSecret }) =>
    issue(path, expected, isSecret ? kindOf(value) : describe(value)),
  );
  return { listed, more: faults.count - listed.length };
}

/** Adds a fault. Only the first are listed. */
export function addFault(faults: Faults | undefined, found: Fault): Faults {
  if (faults === undefined) return { listed: [found], count: 1 };
  if (faults.listed.length < maxListedIssues) faults.listed.push(found);
  faults.count++;
  return faults;
}

/** Adds faults inside of a value at `step`. */
export function addInside(faults: Faults | undefined, step: string | number, inner: Faults): Faults {
  for (const found of inner.listed) found.path = [step, ...found.path];
  if (faults === undefined) return inner;
  faults.listed.push(...inner.listed.slice(0, maxListedIssues - faults.listed.length));
  faults.count += inner.count;
  return faults;
}
