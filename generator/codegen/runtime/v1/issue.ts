/**
 * An invalid value in a body. Compatible with the issues of [Standard Schema](https://standardschema.dev), so form
 * libraries can show it at its field.
 */
export interface Issue {
  /** Example: `expected text of 1 to 64 characters, found nothing`. */
  readonly message: string;
  /** Keys and list indexes from the root of the body: `["input", 3, "orderId"]`. `[]` for the body itself. */
  readonly path: IssuePath;
  /** What the schema requires: `text of 1 to 64 characters`, `a list of at most 100 items`. */
  readonly expected: string;
  /**
   * The actual value, in at most 60 characters: `"0x12…" (66 characters)`, `nothing`. For secret fields only its kind:
   * `text`.
   */
  readonly found: string;
}

/** Keys and list indexes from the root of a body. */
export type IssuePath = readonly (string | number)[];

/** All issues of a body. */
export interface Issues {
  /** The first `maxListedIssues` issues. */
  readonly listed: readonly Issue[];
  /** Number of issues that are not listed. A lower bound once `maxCountedIssues` is reached. */
  readonly more: number;
}

/** A body of 1 MiB may have half a million issues. Readers need only the first few. */
export const maxListedIssues = 20;

/** Validation stops after this many issues, so a hostile body costs no more than a valid one. */
export const maxCountedIssues = 1_000;

/** Creates an issue and its message. */
export function issue(path: IssuePath, expected: string, found: string): Issue {
  return { message: `expected ${expected}, found ${found}`, path, expected, found };
}

/** Lists the first issues and counts the rest. */
export function toIssues(all: readonly Issue[]): Issues {
  const listed = all.slice(0, maxListedIssues);
  return { listed, more: all.length - listed.length };
}

/**
 * Formats all issues as one line:
 * `/input/3/orderId: expected text, found 5; /page: expected an object, found a list of 0; and 4 more`.
 */
export function describeIssues({ listed, more }: Issues): string {
  const described = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`).join("; ");
  if (more === 0) return described;
  return `${described}; and ${listed.length + more < maxCountedIssues ? "" : "at least "}${more} more`;
}

/** Formats a path as a JSON Pointer: `["input", 3]` → `/input/3`, `[]` → `""`. */
export function pointerOf(path: IssuePath): string {
  return path.map((step) => `/${`${step}`.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}
