import type { Span } from "../source/span.ts";
import type { TypeNode } from "../syntax/tree.ts";
import { maxTypeDepth } from "../syntax/type-text.ts";

/**
 * Parses a type of an IR file as the reference tool does: a leading `[]`; `map<` up to a trailing `>`, split at the first comma;
 * otherwise a name. Returns undefined if a map has no comma or no end, or beyond `maxTypeDepth` levels.
 */
export function parseTypeText(text: string, span: Span): TypeNode | undefined {
  const outer: ((inner: TypeNode) => TypeNode)[] = [];
  let rest = text;
  while (outer.length <= maxTypeDepth) {
    if (rest.startsWith("[]")) {
      rest = rest.slice(2);
      outer.push((element) => ({ kind: "list", element, span }));
    } else if (rest.startsWith("map<")) {
      const comma = rest.indexOf(",");
      if (!rest.endsWith(">") || comma === -1) return undefined;
      const key = { kind: "named", name: rest.slice(4, comma), span } as const;
      rest = rest.slice(comma + 1, -1);
      outer.push((value) => ({ kind: "map", key, value, span }));
    } else break;
  }
  if (rest === "map" || outer.length > maxTypeDepth) return undefined;
  const inner: TypeNode = rest === "" ? { kind: "missing", span } : { kind: "named", name: rest, span };
  return outer.reduceRight<TypeNode>((type, wrap) => wrap(type), inner);
}

/** Written by the reference tool for the missing type of a field or an argument. In an alias it writes nothing. */
export const unknownType = "<unknown>";
