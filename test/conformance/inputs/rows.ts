import type { RecordedCase } from "../cases.ts";

/** A case that is not recorded yet. */
export type CaseInput = Pick<RecordedCase, "name" | "kind" | "source" | "files">;

/** The special fact about the case, and its text. */
export type Row = readonly [fact: string, text: string];

export const header = "webrpc = v1\nname = t\nversion = v1\n";

/** Names each case `topic-fact`. Puts each text after a plain header, unless `wrap` is set. */
export function ridlCases(
  topic: string,
  rows: readonly Row[],
  wrap = (text: string): string => header + text,
): CaseInput[] {
  return rows.map(([fact, text]) => ({ name: `${topic}-${kebab(fact)}`, kind: "ridl", source: wrap(text) }));
}

export function kebab(fact: string): string {
  return fact
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
