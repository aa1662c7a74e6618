import type { ParsedNode } from "yaml";
import { type Diagnostic, type DiagnosticExtras, diagnose } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { YamlEntry, YamlNode, YamlScalar } from "./nodes.ts";
import { type ScanResult, scan, yamlPackage } from "./scan.ts";
import { syntaxFault } from "./syntax-fault.ts";

export interface ComposeResult {
  /** Absent if there is an error. */
  readonly root?: YamlNode;
  readonly comments: ScanResult["comments"];
  readonly fault?: Diagnostic;
}

/**
 * Parses YAML 1.2 to nodes with spans, or returns the first syntax error. What follows a broken indentation cannot be trusted, so
 * parsing stops there.
 */
export function compose(source: SourceFile): ComposeResult {
  const { document, comments, unclosed, fault } = scan(source);
  if (fault !== undefined) return { comments, fault };
  if (document === undefined) return { comments, root: { kind: "nothing", span: { start: 0, end: 0 } } };
  try {
    const composer = firstFaultComposer();
    for (const { contents, errors } of [...composer.next(document), ...composer.end()]) {
      const [error] = errors;
      if (error !== undefined) throw new Fault(error.pos, error.code, error.message);
      return { comments, root: toNode(contents, source) };
    }
    return { comments, root: { kind: "nothing", span: { start: 0, end: 0 } } };
  } catch (err) {
    if (err instanceof KeyFault) return { comments, fault: err.diagnostic };
    if (!(err instanceof Fault)) throw err;
    return { comments, fault: syntaxFault(err, source, unclosed) };
  }
}

/** Carries the first error out of the composer, which would otherwise collect a million of them. */
class Fault extends Error {
  readonly at: readonly [number, number];
  readonly code: string;

  constructor(at: readonly [number, number], code: string, message: string) {
    super(message);
    this.at = at;
    this.code = code;
  }
}

class KeyFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

type Composer = InstanceType<ReturnType<typeof yamlPackage>["Composer"]>;

/** Uses no type schema, so every scalar stays text. Duplicate keys are checked by the readers in `parser/`. */
function firstFaultComposer(): Composer {
  const { Composer } = yamlPackage();
  const composer = new Composer({ schema: "failsafe", prettyErrors: false, uniqueKeys: false });
  let first: Fault | undefined;
  const onError = (at: ErrorPlace, code: string, message: string, isWarning?: boolean): void => {
    if (isWarning === true) return;
    // The composer turns an exception within a collection into an error of that collection, so the first one is kept.
    first ??= new Fault(spanOfError(at), code, message);
    throw first;
  };
  return Object.assign(composer, { onError });
}

type ErrorPlace = number | readonly [number, number] | { readonly offset: number; readonly source?: string };

function spanOfError(at: ErrorPlace): readonly [number, number] {
  if (typeof at === "number") return [at, at + 1];
  if ("offset" in at) return [at.offset, at.offset + (at.source?.length ?? 1)];
  return [at[0], at[1]];
}

function toNode(node: ParsedNode | null, source: SourceFile): YamlNode {
  const { isMap, isScalar, isSeq } = yamlPackage();
  if (node === null) return { kind: "nothing", span: { start: 0, end: 0 } };
  const span = spanOf(node);
  if (isScalar(node)) return toScalar(node, span);
  if (isSeq(node))
    return { kind: "list", items: node.items.map((item) => toNode(item as ParsedNode, source)), span };
  if (!isMap(node)) return { kind: "nothing", span };
  const entries = node.items.map(({ key, value }): YamlEntry => {
    const name = toNode(key as ParsedNode, source);
    if (name.kind !== "scalar") throw new KeyFault(keyFault(name, source));
    const after = name.span.end;
    return {
      key: name,
      value:
        value === null
          ? { kind: "nothing", span: { start: after, end: after } }
          : toNode(value as ParsedNode, source),
    };
  });
  return { kind: "map", entries, span };
}

function spanOf({ range }: ParsedNode): Span {
  return { start: range[0], end: range[1] };
}

function toScalar(
  { value, type }: { readonly value: unknown; readonly type?: string },
  span: Span,
): YamlNode {
  const text = String(value ?? "");
  const quoted = type !== undefined && type !== "PLAIN";
  if (text === "" && !quoted) return { kind: "nothing", span };
  return { kind: "scalar", text, quoted, span } satisfies YamlScalar;
}

function keyFault(key: Exclude<YamlNode, YamlScalar>, file: SourceFile): Diagnostic {
  const found = { map: "a map", list: "a list", nothing: "nothing" }[key.kind];
  const span = key.span.end > key.span.start ? key.span : { start: key.span.start, end: key.span.start + 1 };
  const extra: DiagnosticExtras =
    key.kind === "list" ? { advice: "Write a list type as Pet[], or in quotes." } : {};
  return diagnose("yaml-key", { found }, { file, span }, extra);
}
