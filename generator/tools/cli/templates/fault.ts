import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { SourceFile } from "../../../language/source/source-file.ts";

/** Carries a diagnostic about a custom template. */
export class TemplateFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** An error in a file or folder, without a position. */
export function faultInFile(path: string, reason: string): TemplateFault {
  return new TemplateFault(diagnose("template-fault", { reason }, { path }));
}

/** An error of Handlebars. Lines start at 1, columns at 0. Parse errors have them in `hash.loc`, others at the top level. */
interface HandlebarsError {
  readonly message: string;
  readonly lineNumber?: number;
  readonly column?: number;
  readonly hash?: { readonly loc?: { readonly first_line: number; readonly first_column: number } };
}

/** An error in a template, at its line. */
export function templateFault(path: string, text: string, thrown: unknown): TemplateFault {
  if (thrown instanceof TemplateFault) return thrown;
  const error = thrown as HandlebarsError;
  const reason = reasonOf(error.message);
  const file = new SourceFile(path, text);
  const offset = offsetOf(file, error);
  const location = offset === undefined ? { path } : { file, span: wordAt(text, offset) };
  return new TemplateFault(diagnose("template-fault", { reason }, location));
}

/** Simplifies messages of Handlebars: parse errors consist of an excerpt and a list of grammar tokens. */
function reasonOf(message: string): string {
  const lines = message.split("\n");
  const words = /^Parse error on line/.test(lines[0] ?? "") ? (lines.at(-1) ?? "") : (lines[0] ?? "");
  if (words.startsWith("Expecting ")) {
    return words.endsWith("got 'EOF'")
      ? "the template ends inside a block or an expression."
      : "this is not valid Handlebars syntax.";
  }
  const plain = words
    .replace(/ - [0-9]+:[0-9]+$/, "")
    .replace(/ in \[object \w+\]/, "")
    .replace(/^The partial (.*) could not be found$/, 'the partial "$1" does not exist in this folder');
  return plain.endsWith(".") ? plain : `${plain}.`;
}

function offsetOf(
  file: SourceFile,
  { lineNumber, column, hash, message }: HandlebarsError,
): number | undefined {
  const line = lineNumber ?? hash?.loc?.first_line ?? Number(/^Parse error on line (\d+)/.exec(message)?.[1]);
  if (Number.isInteger(line))
    return (file.lineStarts[line - 1] ?? 0) + (column ?? hash?.loc?.first_column ?? 0);
  // For an unknown helper or partial, and for errors of built-in helpers, the message contains only the name: search for it.
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

/** An error of a target's module, at the line that threw it. */
export function moduleFault(path: string, absolute: string, text: string, thrown: unknown): TemplateFault {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const at = error.stack
    ?.slice(Math.max(0, error.stack.indexOf(absolute)))
    .match(/^[^\n]*?:(\d+)(?::(\d+))?/);
  const file = new SourceFile(path, text);
  const start = at == null ? undefined : (file.lineStarts[Number(at[1]) - 1] ?? 0) + Number(at[2] ?? 1) - 1;
  const [message = ""] = error.message.split("\n");
  const reason = message.endsWith(".") ? message : `${message}.`;
  const location = start === undefined ? { path } : { file, span: wordAt(text, start) };
  return new TemplateFault(diagnose("template-fault", { reason }, location));
}
