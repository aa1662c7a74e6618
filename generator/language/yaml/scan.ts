import { createRequire } from "node:module";
import type { CST } from "yaml";
import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { Comment } from "../syntax/tree.ts";
import { syntaxFault } from "./syntax-fault.ts";

export interface ScanResult {
  /** The only document of the file. Absent if the file is empty or has only comments. */
  readonly document?: CST.Document;
  readonly comments: readonly Comment[];
  /** Offset of the first unclosed bracket or quote. */
  readonly unclosed?: number;
  readonly fault?: Diagnostic;
}

/**
 * Maximum nesting depth of maps and lists. Schemas nest about ten levels. The limit keeps the composer, which is recursive, far
 * from a stack overflow.
 */
const maxDepth = 64;

/**
 * Maximum number of tokens per file: 45 times the platform's contract. The `yaml` package needs up to a kilobyte for each token,
 * so any input needs at most half a gigabyte.
 */
const maxTokens = 500_000;

/** Splits a file into tokens and parses them into one document. Stops at input that could be expensive or ambiguous. */
export function scan(file: SourceFile): ScanResult {
  const { text } = file;
  const comments: Comment[] = [];
  const broken = (name: "yaml-control-character" | "yaml-documents", span: Span): ScanResult => ({
    comments,
    fault: diagnose(name, {}, { file, span }),
  });
  const control = forbidden.exec(text);
  if (control !== null)
    return broken("yaml-control-character", { start: control.index, end: control.index + 1 });
  const { Lexer, Parser } = yamlPackage();
  const parser = new Parser();
  let document: CST.Document | undefined;
  const take = (tokens: Iterable<CST.Token>): ScanResult | undefined => {
    for (const token of tokens) {
      if (token.type === "error") return { comments, fault: tokenFault(token, file) };
      if (token.type !== "document") continue;
      if (document !== undefined)
        return broken("yaml-documents", { start: token.offset, end: token.offset + 3 });
      document = token;
    }
    return undefined;
  };
  let count = 0;
  let isScalar = false;
  const brackets: number[] = [];
  let quote: number | undefined;
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    if (!isScalar) {
      const first = lexeme.charCodeAt(0);
      if (first === hash) comments.push(comment(text, start, start + lexeme.length));
      else if (isFeature(first))
        return { comments, fault: feature(first, { start, end: start + lexeme.length }, file) };
      if (first === 0x5b || first === 0x7b) brackets.push(start);
      else if (first === 0x5d || first === 0x7d) brackets.pop();
      else if (quote === undefined && isUnclosed(lexeme)) quote = start;
      isScalar = first === scalarMark;
    } else isScalar = false;
    const stopped = take(parser.next(lexeme));
    if (stopped !== undefined) return stopped;
    if (parser.stack.length > maxDepth && parser.stack.filter(isCollection).length > maxDepth) {
      const span = { start, end: parser.offset };
      return { comments, fault: diagnose("yaml-too-deep", { limit: maxDepth }, { file, span }) };
    }
    if (++count > maxTokens) {
      const limit = maxTokens.toLocaleString("en-US");
      return {
        comments,
        fault: diagnose("yaml-too-long", { limit }, { file, span: { start, end: parser.offset } }),
      };
    }
  }
  const unclosed = quote ?? brackets[0];
  return (
    take(parser.end()) ?? {
      comments,
      ...(document === undefined ? {} : { document }),
      ...(unclosed === undefined ? {} : { unclosed }),
    }
  );
}

/** The parser refuses two kinds of tokens: brackets that were never opened, and the colon of an entry that no map can contain. */
function tokenFault({ offset, source }: CST.ErrorToken, file: SourceFile): Diagnostic {
  const open = { "]": "[", "}": "{" }[source];
  if (open !== undefined) {
    const parameters = { reason: `"${source}" has no opening "${open}"` };
    const advice = `Write "${open}" after a colon and a space, or remove "${source}".`;
    return diagnose(
      "yaml-syntax",
      parameters,
      { file, span: { start: offset, end: offset + 1 } },
      { advice },
    );
  }
  return syntaxFault({ at: [lineStart(file.text, offset), offset], code: "BAD_INDENT", message: "" }, file);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Control characters, which YAML forbids. The `yaml` lexer uses some as its own marks. */
const forbidden: RegExp = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Mark of the lexer: the next lexeme is an unquoted scalar or the text of a block scalar. */
const scalarMark = 0x1f;
const hash = 0x23;

/** The stack also holds the document and the scalar in progress. */
function isCollection({ type }: CST.Token): boolean {
  return type === "block-map" || type === "block-seq" || type === "flow-collection";
}

function isUnclosed(scalar: string): boolean {
  const quote = scalar[0];
  return (quote === '"' || quote === "'") && (scalar.length === 1 || !scalar.endsWith(quote));
}

/** First characters of anchors, aliases, tags and directives. */
const features: ReadonlyMap<number, string> = new Map([
  [0x26, "anchors"],
  [0x2a, "aliases"],
  [0x21, "tags"],
  [0x25, "directives"],
]);

function isFeature(first: number): boolean {
  return features.has(first);
}

function feature(first: number, span: Span, file: SourceFile): Diagnostic {
  return diagnose("yaml-feature", { what: features.get(first) ?? "" }, { file, span });
}

function comment(text: string, start: number, end: number): Comment {
  const line = text.slice(lineStart(text, start), start);
  return { span: { start, end }, trailing: line.trim() !== "" };
}

type YamlPackage = Pick<
  typeof import("yaml"),
  "Composer" | "Lexer" | "Parser" | "isMap" | "isScalar" | "isSeq"
>;

declare const RIDLKIT_YAML: string;

let loaded: YamlPackage | undefined;

/**
 * Loads the `yaml` package when the first YAML file is parsed. It is required rather than imported, because parsing is
 * synchronous. The build bundles the parts named here into one file, which loads in a third of the time.
 */
export function yamlPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)(
    typeof RIDLKIT_YAML === "string" ? RIDLKIT_YAML : "yaml",
  ) as YamlPackage;
  return loaded;
}
