import type { Import, Text } from "../../syntax/tree.ts";
import { isNothing, type YamlEntry, type YamlNode } from "../nodes.ts";
import { entriesOf } from "./entries.ts";
import { type Reading, textOf } from "./reading.ts";

/** `imports`: paths, or paths with the names that are wanted, as `[errors.yaml, types.ridl: [Pet, Toy]]`. */
export function readImports(node: YamlNode, reading: Reading): Import[] {
  if (node.kind === "scalar" && !isNothing(node)) {
    reading.mismatch(node, '"imports"', "a list", { advice: `Write it as a list: [${node.text}].` });
    return [];
  }
  return entriesOf(node, '"imports"', reading).flatMap((entry) => {
    const path = readPath(entry, reading);
    if (path === undefined) return [];
    const members = readMembers(entry.value, reading);
    const end = members.at(-1)?.span.end ?? path.span.end;
    return [{ kind: "import", path, members, span: { start: path.span.start, end } }];
  });
}

function readPath({ key }: YamlEntry, reading: Reading): Text | undefined {
  return reading.text(key, "The path of an import");
}

/** None means all: then the list has to be left out, so that an empty one is not taken for "nothing of it". */
function readMembers(node: YamlNode, reading: Reading): Text[] {
  if (isNothing(node)) return [];
  if (node.kind !== "list" || node.items.length === 0) {
    reading.mismatch(node, "What is imported of a file", "a list of names", {
      advice: "Leave it out to import all of the file.",
    });
    return [];
  }
  return node.items.flatMap((item) => {
    const scalar = reading.scalar(item, "A name to import");
    return scalar === undefined ? [] : [textOf(scalar)];
  });
}
