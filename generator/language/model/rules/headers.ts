import type { Header, HeaderKey } from "../../syntax/tree.ts";
import { replaceFix } from "../name-fixes.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Each header appears at most once, and every file has `webrpc = v1`.
 * Bad: a file without it, or `webrpc = v2`. Good: `webrpc = v1` as the first line.
 */
export const headers: Rule = (scope, report) => {
  const first = new Map<HeaderKey, Header>();
  for (const header of scope.file.headers) {
    const earlier = first.get(header.key);
    if (earlier === undefined) first.set(header.key, header);
    else {
      const notes = [{ message: "First set here.", at: { file: scope.file.source, span: earlier.span } }];
      report("duplicate-header", { key: header.key }, header.span, { notes });
    }
  }
  const webrpc = first.get("webrpc");
  if (webrpc === undefined) reportMissing(scope, report);
  else if (webrpc.value.value !== "v1")
    report("webrpc-version", { found: webrpc.value.value }, webrpc.value.span, {
      fix: replaceFix("v1", { file: scope.file.source, span: webrpc.value.span }),
    });
};

function reportMissing({ file }: Scope, report: Report): void {
  if (file.unparsed?.words.has("webrpc") === true) return;
  const start = { start: 0, end: 0 };
  const edits = [{ span: start, text: "webrpc = v1\n" }];
  const fix = { title: 'Write "webrpc = v1" at the top', file: file.source, edits };
  report("webrpc-missing", {}, start, file.format === "ridl" ? { fix } : {});
}

export function headerOf(scope: Scope, key: HeaderKey): Header | undefined {
  return scope.file.headers.find((header) => header.key === key);
}
