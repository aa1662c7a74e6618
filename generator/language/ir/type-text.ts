import type { Span } from "../source/span.ts";
import type { TypeNode } from "../syntax/tree.ts";

/** Deepest nesting of lists and maps, as in RIDL: later stages walk types by recursion. */
const maxTypeDepth = 1000;

/**
 * A type of an IR file, taken apart as the reference tool does: `[]` in front, `map<` in front and `>` at the end with the
 * first comma between key and value, otherwise a name. Undefined if a map has no comma or no end, or past 1,000 levels.
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

/** What the reference tool writes for the missing type of a field or an argument; in an alias it writes nothing. */
export const unknownType = "<unknown>";
