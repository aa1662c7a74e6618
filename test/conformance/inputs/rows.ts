import type { RecordedCase } from "../cases.ts";

/** A case before it is recorded. */
export type CaseInput = Pick<RecordedCase, "name" | "kind" | "source" | "files">;

/** What is special about it, and the text. */
export type Row = readonly [fact: string, text: string];

export const header = "webrpc = v1\nname = t\nversion = v1\n";

/** Rows as cases `topic-fact`; each text is put after a plain header, unless `wrap` says otherwise. */
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
