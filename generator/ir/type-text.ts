import { typeText } from "../model/resolve.ts";
import type { Span } from "../source/span.ts";
import type { TypeNode } from "../syntax/tree.ts";

/**
 * A type of an IR file, taken apart as the reference tool does: `[]` in front, `map<` in front and `>` at the end with the
 * first comma between key and value, otherwise a name. Undefined if a map has no comma or no end.
 */
export function parseTypeText(text: string, span: Span): TypeNode | undefined {
  let lists = 0;
  let rest = text;
  while (rest.startsWith("[]")) {
    rest = rest.slice(2);
    lists++;
  }
  let type = parseInner(rest, span);
  for (; type !== undefined && lists > 0; lists--) type = { kind: "list", element: type, span };
  return type;
}

function parseInner(text: string, span: Span): TypeNode | undefined {
  if (text === "") return { kind: "missing", span };
  if (text === "map") return undefined;
  if (!text.startsWith("map<")) return { kind: "named", name: text, span };
  const comma = text.indexOf(",");
  if (!text.endsWith(">") || comma === -1) return undefined;
  const value = parseTypeText(text.slice(comma + 1, -1), span);
  return value && { kind: "map", key: { kind: "named", name: text.slice(4, comma), span }, value, span };
}

/** The text that the reference tool writes for the type of a field or an argument; that of an alias stays as it was read. */
export function normalTypeText(type: TypeNode): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list":
      return `[]${normalTypeText(type.element)}`;
    case "map":
      return `map<${typeText(type.key)},${normalTypeText(type.value)}>`;
    case "missing":
      return "<unknown>";
  }
}
