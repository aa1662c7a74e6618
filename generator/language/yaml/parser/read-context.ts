import type { CatalogName, ParametersOf } from "../../diagnostics/catalog.ts";
import { type Diagnostic, type DiagnosticExtras, diagnose } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Name, Text } from "../../syntax/tree.ts";
import { describe, spanWithin, type YamlNode, type YamlScalar } from "../nodes.ts";

/** Maximum number of diagnostics per file, far more than are shown. */
const maxFaults = 1_000;

/** The diagnostics and documentation of one file. Methods that fail report once and return `undefined`. */
export class ReadContext {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[] = [];
  readonly docs: Map<object, readonly string[]> = new Map();

  constructor(file: SourceFile) {
    this.file = file;
  }

  fault<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span,
    extra: DiagnosticExtras = {},
  ): undefined {
    if (this.diagnostics.length < maxFaults)
      this.diagnostics.push(diagnose(name, parameters, { file: this.file, span }, extra));
    return undefined;
  }

  /** Reports a node of the wrong kind: `mismatch(node, "The code of an error", "a number")`. */
  mismatch(node: YamlNode, what: string, wanted: string, extra: DiagnosticExtras = {}): undefined {
    return this.fault("yaml-kind", { what, wanted, found: describe(node) }, node.span, extra);
  }

  /** Reads a scalar that is not empty. */
  scalar(node: YamlNode, what: string): YamlScalar | undefined {
    if (node.kind === "scalar" && node.text !== "") return node;
    if (node.kind === "nothing" || node.kind === "scalar")
      return this.fault("yaml-missing-value", { what }, node.span);
    return this.mismatch(node, what, "a string");
  }

  text(node: YamlNode, what: string): Text | undefined {
    const scalar = this.scalar(node, what);
    return scalar && textOf(scalar);
  }

  /** Reads a name that RIDL can write. */
  name(node: YamlNode, what: string): Name | undefined {
    const scalar = this.scalar(node, what);
    if (scalar === undefined) return undefined;
    const { text } = scalar;
    if (isRidlWord(text)) return { text, span: spanOfName(scalar) };
    return this.fault("yaml-name", { what, name: text }, scalar.span);
  }

  /** Reads a name that may end with "?", which marks it optional. */
  optionalName(
    node: YamlNode,
    what: string,
  ): { readonly name: Name; readonly optional: boolean } | undefined {
    const scalar = this.scalar(node, what);
    if (scalar === undefined) return undefined;
    const optional = scalar.text.endsWith("?");
    if (!optional) {
      const name = this.name(scalar, what);
      return name && { name, optional };
    }
    const text = scalar.text.slice(0, -1);
    if (isRidlWord(text)) return { name: { text, span: spanWithin(scalar, 0, text.length) }, optional };
    return this.fault("yaml-name", { what, name: text }, scalar.span);
  }
}

export function textOf({ text, quoted, span }: YamlScalar): Text {
  return { value: text, quoted, span };
}

/** The span without quotes, so that a fix can replace the name. */
function spanOfName({ text, quoted, span }: YamlScalar): Span {
  if (!quoted || span.end - span.start !== text.length + 2) return span;
  return { start: span.start + 1, end: span.end - 1 };
}

/** Whether RIDL's lexer reads the text as one word. */
export function isRidlWord(text: string): boolean {
  return /^[A-Za-z0-9_][^\0 \t\r\n[\]()<>{}=:\u00bf?\u00a1!,"\\]*$/.test(text);
}
