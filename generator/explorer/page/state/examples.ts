/** Example calls of the methods. They are read when one is shown, because the first page needs none. */
import { useEffect, useState } from "preact/hooks";
import { type JsonNode, parseJson } from "../json/node.ts";

export interface ExampleCall {
  /** With optional fields. */
  readonly request: JsonNode;
  /** Of a stream, an item. */
  readonly response: JsonNode;
}

let last: { readonly source: string; readonly examples: Promise<JsonNode> } | undefined;

/** Undefined while it is read, or if the host has none. `source`: the text of the contract; undefined: none is needed. */
export function useExample(source: string | undefined, method: string): ExampleCall | undefined {
  const [example, setExample] = useState<ExampleCall>();
  useEffect(() => {
    if (source === undefined) return;
    if (last?.source !== source) last = { source, examples: readExamples() };
    last.examples.then(
      (all) => {
        const call = memberOf(all, method);
        const [request, response] = [memberOf(call, "request"), memberOf(call, "response")];
        if (request !== undefined && response !== undefined) setExample({ request, response });
      },
      () => {},
    );
  }, [source, method]);
  return example;
}

async function readExamples(): Promise<JsonNode> {
  const response = await fetch("examples.json", { cache: "no-cache" });
  return parseJson(await response.text());
}

function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.entries.find(([name]) => name === key)?.[1] : undefined;
}
