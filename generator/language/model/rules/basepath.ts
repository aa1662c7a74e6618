import type { SourceFile } from "../../source/source-file.ts";
import type { ReportExtra, Rule } from "../rule.ts";
import { headerOf } from "./headers.ts";

/**
 * The basepath is a plain path: no whitespace, query, fragment, host or broken escape.
 * Bad: `basepath = "/a b"`, `basepath = https://x/rpc`. Good: `basepath = /rpc`.
 */
export const basepath: Rule = (scope, report) => {
  const header = headerOf(scope, "basepath");
  if (header === undefined) return;
  const { value, span } = header.value;
  const reason = invalidPatterns.find(([pattern]) => pattern.test(value))?.[1];
  if (reason !== undefined) report("basepath", { value, reason }, span);
};

/**
 * The entry file should state the path of its services. The basepath of an imported file has no effect.
 * Bad: services and no basepath. Good: `basepath = /rpc`.
 */
export const basepathGiven: Rule = (scope, report) => {
  const [service] = scope.services;
  if (service === undefined || headerOf(scope, "basepath") !== undefined) return;
  if (scope.file.unparsed?.words.has("basepath") === true) return;
  const above = headerOf(scope, "version")?.span;
  const extra =
    above !== undefined && scope.file.format === "ridl" ? addBasepathFix(scope.file.source, above.end) : {};
  report("basepath-missing", {}, above ?? { start: 0, end: 0 }, extra);
};

/** Writes the default basepath explicitly. */
function addBasepathFix(file: SourceFile, at: number): ReportExtra {
  const edits = [{ span: { start: at, end: at }, text: "\nbasepath = /rpc" }];
  return { fix: { title: 'Write "basepath = /rpc"', file, edits } };
}

const invalidPatterns: readonly (readonly [RegExp, string])[] = [
  [/[ \t\r\n]/, "must not contain white space"],
  [/[?#]/, "must not have a query or a fragment"],
  [/:\/\//, "must be a path, not a whole URL"],
  [/[\x00-\x1f\x7f]/, "must not contain a control character"],
  [/%(?![0-9a-fA-F]{2})/, 'has a "%" that is not followed by two hex digits'],
];

/** `rpc` → `/rpc/`. A missing basepath becomes `/rpc/` if there are services, and stays empty otherwise. */
export function normalizeBasepath(value: string | undefined, hasServices: boolean): string {
  if (value === undefined || value === "") return hasServices ? "/rpc/" : "";
  return `${value.startsWith("/") ? "" : "/"}${value}${value.endsWith("/") ? "" : "/"}`;
}
