/**
 * One fault of a value against its type. A superset of an issue of [Standard Schema](https://standardschema.dev), so that libraries for
 * forms can show it at its field.
 */
export interface Issue {
  /** `expected text of 1 to 64 characters, found nothing`. */
  readonly message: string;
  /** Keys of objects and indexes of lists, from the body inwards: `["input", 3, "orderId"]`; `[]` for the whole body. */
  readonly path: IssuePath;
  /** What the schema wants there: `text of 1 to 64 characters`, `a list of at most 100 items`. */
  readonly expected: string;
  /** What stands there instead, in at most 60 characters: `"0x12…" (66 characters)`, `nothing`. Of a secret field only its kind: `text`. */
  readonly found: string;
}

export type IssuePath = readonly (string | number)[];

/** The faults of one body. */
export interface Issues {
  /** The first `maxListedIssues`. */
  readonly listed: readonly Issue[];
  /** Number of those that are not listed; from `maxCountedIssues` in all on, there may be more. */
  readonly more: number;
}

/** A body of 1 MiB may hold half a million faults, and nobody reads on past the first few. */
export const maxListedIssues = 20;

/** Lists are not read on past it, so that a hostile body costs no more than a good one. */
export const maxCountedIssues = 1_000;

export function issue(path: IssuePath, expected: string, found: string): Issue {
  return { message: `expected ${expected}, found ${found}`, path, expected, found };
}

export function toIssues(all: readonly Issue[]): Issues {
  const listed = all.slice(0, maxListedIssues);
  return { listed, more: all.length - listed.length };
}

/** All faults as one text: `/input/3/orderId: expected text, found 5; /page: expected an object, found a list of 0; and 4 more`. */
export function describeIssues({ listed, more }: Issues): string {
  const described = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`).join("; ");
  if (more === 0) return described;
  return `${described}; and ${listed.length + more < maxCountedIssues ? "" : "at least "}${more} more`;
}

/** A path as a JSON Pointer: `["input", 3]` → `/input/3`, `[]` → `""`. */
export function pointerOf(path: IssuePath): string {
  return path.map((step) => `/${`${step}`.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}
