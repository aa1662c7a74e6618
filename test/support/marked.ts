import { compile } from "../../generator/language/compile.ts";
import type { Diagnostic } from "../../generator/language/diagnostics/diagnostic.ts";
import { memoryReader } from "./memory-reader.ts";

/** What every schema starts with; rows leave it out. */
const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

export interface Finding {
  readonly code: string;
  readonly severity: string;
  /** The text at the place of the finding. */
  readonly at: string;
  readonly advice: string | undefined;
}

/** What `lint` says of a schema without its header lines. */
export function findings(body: string, files: Readonly<Record<string, string>> = {}): Finding[] {
  const { diagnostics } = compile("main.ridl", memoryReader({ "main.ridl": header + body, ...files }));
  return diagnostics.map(toFinding);
}

function toFinding({ code, severity, at, advice }: Diagnostic): Finding {
  return {
    code,
    severity,
    at: at === undefined ? "" : at.file.text.slice(at.span.start, at.span.end),
    advice,
  };
}

/** Splits `"- a: ~~Usr~~"` into the plain text and what stands between the marks. */
export function unmarked(marked: string): { readonly text: string; readonly at: string } {
  const [before = "", at = "", after = ""] = marked.split("~~");
  return { text: before + at + after, at };
}
