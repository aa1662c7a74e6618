import type { YamlNode } from "../nodes.ts";
import type { Reading } from "./reading.ts";

/**
 * The key `docs`: the documentation of a node as data, a text or a list of lines. With it the comments above the node are no
 * documentation any more; an empty one says that there is none.
 */
export function readDocs(node: object, docs: YamlNode | undefined, reading: Reading): void {
  if (docs === undefined) return;
  const lines = docLines(docs, reading);
  if (lines !== undefined) reading.docs.set(node, lines);
}

function docLines(docs: YamlNode, reading: Reading): readonly string[] | undefined {
  switch (docs.kind) {
    case "nothing":
      return [];
    case "scalar":
      return docs.text.trimEnd() === ""
        ? []
        : docs.text
            .trimEnd()
            .split("\n")
            .map((line) => line.trimEnd());
    case "list":
      return docs.items.flatMap((item) => {
        if (item.kind === "scalar" && !item.text.includes("\n")) return [item.text];
        reading.mismatch(item, "A line of docs", "a text on one line");
        return [];
      });
    case "map":
      return reading.mismatch(docs, "docs", "a text, or a list of lines");
  }
}
