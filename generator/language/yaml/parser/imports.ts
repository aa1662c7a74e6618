import type { Import, Text } from "../../syntax/tree.ts";
import { isEmptyNode, type YamlEntry, type YamlNode } from "../nodes.ts";
import { entriesOf } from "./entries.ts";
import { type ReadContext, textOf } from "./read-context.ts";

/** `imports`: paths, or paths with member names, as in `[errors.yaml, types.ridl: [Pet, Toy]]`. */
export function readImports(node: YamlNode, context: ReadContext): Import[] {
  if (node.kind === "scalar" && !isEmptyNode(node)) {
    context.mismatch(node, '"imports"', "a list", { advice: `Write it as a list: [${node.text}].` });
    return [];
  }
  return entriesOf(node, '"imports"', context).flatMap((entry) => {
    const path = readPath(entry, context);
    if (path === undefined) return [];
    const members = readMembers(entry.value, context);
    const end = members.at(-1)?.span.end ?? path.span.end;
    return [{ kind: "import", path, members, span: { start: path.span.start, end } }];
  });
}

function readPath({ key }: YamlEntry, context: ReadContext): Text | undefined {
  return context.text(key, "The path of an import");
}

/** No list means all members. An empty list is rejected, because it could be read as "no members". */
function readMembers(node: YamlNode, context: ReadContext): Text[] {
  if (isEmptyNode(node)) return [];
  if (node.kind !== "list" || node.items.length === 0) {
    context.mismatch(node, "The list of imported names", "a list of names", {
      advice: "Leave it out to import all of the file.",
    });
    return [];
  }
  return node.items.flatMap((item) => {
    const scalar = context.scalar(item, "A name to import");
    return scalar === undefined ? [] : [textOf(scalar)];
  });
}
