import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { SourceFile } from "../../../language/source/source-file.ts";

/** Carries the diagnostic of an invalid custom template to the command. */
export class TemplateFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export function faultInFile(path: string, reason: string): TemplateFault {
  return new TemplateFault(diagnose("template-fault", { reason }, { path }));
}

/** Fields of a Handlebars error. Lines start at 1 and columns at 0. Either the top level or `hash.loc` contains the position. */
interface HandlebarsError {
  readonly message: string;
  readonly lineNumber?: number;
  readonly column?: number;
  readonly hash?: { readonly loc?: { readonly first_line: number; readonly first_column: number } };
}

export function templateFault(path: string, text: string, thrown: unknown): TemplateFault {
  if (thrown instanceof TemplateFault) return thrown;
  const error = thrown as HandlebarsError;
  const reason = reasonOf(error.message);
  const file = new SourceFile(path, text);
  const offset = offsetOf(file, error);
  const place = offset === undefined ? { path } : { file, span: wordAt(text, offset) };
  return new TemplateFault(diagnose("template-fault", { reason }, place));
}

/** Handlebars prints "Parse error on line 2:", an excerpt and the expected grammar tokens, which users would not understand. */
function reasonOf(message: string): string {
  const lines = message.split("\n");
  const words = /^Parse error on line/.test(lines[0] ?? "") ? (lines.at(-1) ?? "") : (lines[0] ?? "");
  if (words.startsWith("Expecting ")) {
    return words.endsWith("got 'EOF'")
      ? "the template ends before a block or an expression that it opened."
      : "Handlebars cannot read what stands here.";
  }
  const plain = words
    .replace(/ - [0-9]+:[0-9]+$/, "")
    .replace(/ in \[object \w+\]/, "")
    .replace(/^The partial (.*) could not be found$/, 'there is no partial "$1" in this folder');
  return plain.endsWith(".") ? plain : `${plain}.`;
}

function offsetOf(
  file: SourceFile,
  { lineNumber, column, hash, message }: HandlebarsError,
): number | undefined {
  const line = lineNumber ?? hash?.loc?.first_line ?? Number(/^Parse error on line (\d+)/.exec(message)?.[1]);
  if (Number.isInteger(line))
    return (file.lineStarts[line - 1] ?? 0) + (column ?? hash?.loc?.first_column ?? 0);
  // For a missing helper or partial, Handlebars reports only the name. Our own helpers do the same.
  const name = /"([^"]+)"|^The partial (.*) could not be found/
    .exec(message)
    ?.slice(1)
    .find((one) => one);
  const at =
    name === undefined ? -1 : file.text.search(new RegExp(`\\{\\{[^}]*${name.replace(/\W/g, "\\$&")}`));
  return at === -1 ? undefined : file.text.indexOf(name ?? "", at);
}

function wordAt(text: string, start: number): { readonly start: number; readonly end: number } {
  const word = /^[^\s}]+/.exec(text.slice(start))?.[0] ?? "";
  return { start, end: Math.min(start + Math.max(word.length, 1), text.length) };
}

export function moduleFault(path: string, absolute: string, text: string, thrown: unknown): TemplateFault {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const at = error.stack
    ?.slice(Math.max(0, error.stack.indexOf(absolute)))
    .match(/^[^\n]*?:(\d+)(?::(\d+))?/);
  const file = new SourceFile(path, text);
  const start = at == null ? undefined : (file.lineStarts[Number(at[1]) - 1] ?? 0) + Number(at[2] ?? 1) - 1;
  const [message = ""] = error.message.split("\n");
  const reason = message.endsWith(".") ? message : `${message}.`;
  const place = start === undefined ? { path } : { file, span: wordAt(text, start) };
  return new TemplateFault(diagnose("template-fault", { reason }, place));
}
