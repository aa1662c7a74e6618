/** One fault of a value against its type. */
export interface Issue {
  /** Where, as a JSON Pointer: `/input/3/orderId`; `""` for the whole body. */
  readonly path: string;
  /** What the schema wants there: `text of 1 to 64 characters`, `a list of at most 100 items`. */
  readonly expected: string;
  /** What stands there instead, short and without the text of secret fields: `"0x12…" (66 characters)`, `nothing`. */
  readonly found: string;
}

/** Most faults that one answer lists. A body of 1 MiB may hold half a million of them, and nobody reads on past the first few. */
const maxListedIssues = 100;

/** All faults as one text: `/input/3/orderId: expected text, found 5; /page: expected an object, found a list of 0`. */
export function describeIssues(issues: readonly Issue[]): string {
  const listed = issues.slice(0, maxListedIssues).map(describeIssue).join("; ");
  const more = issues.length - maxListedIssues;
  return more > 0 ? `${listed}; and ${more} more` : listed;
}

function describeIssue({ path, expected, found }: Issue): string {
  return `${path === "" ? "body" : path}: expected ${expected}, found ${found}`;
}
