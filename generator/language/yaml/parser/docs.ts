import type { YamlNode } from "../nodes.ts";
import type { ReadContext } from "./read-context.ts";

/**
 * Reads the key `docs`: a node's documentation as a string or a list of lines. It replaces the comments above the node. An empty
 * value means no documentation.
 */
export function readDocs(node: object, docs: YamlNode | undefined, context: ReadContext): void {
  if (docs === undefined) return;
  const lines = docLines(docs, context);
  if (lines !== undefined) context.docs.set(node, lines);
}

function docLines(docs: YamlNode, context: ReadContext): readonly string[] | undefined {
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
        context.mismatch(item, "A line of docs", "a string on one line");
        return [];
      });
    case "map":
      return context.mismatch(docs, "docs", "a string, or a list of lines");
  }
}
