import type { Span } from "../../source/span.ts";
import type { ArgumentNode, ArgumentsNode } from "../../syntax/tree.ts";
import type { YamlEntry, YamlNode } from "../nodes.ts";
import { entriesOf } from "./entries.ts";
import type { ReadContext } from "./read-context.ts";
import { readType } from "./type-text.ts";

export interface ArgumentSide {
  readonly what: string;
  readonly stream: boolean;
}

/** Arguments by name, as in `{ id: uint64, full?: bool }`, or the name of the struct that is the body. */
export function readArguments(
  node: YamlNode,
  { what, stream }: ArgumentSide,
  context: ReadContext,
): ArgumentsNode | undefined {
  const { span } = node;
  if (node.kind === "scalar") {
    const succinct = context.name(node, what);
    return succinct && { stream, succinct, list: [], span };
  }
  const list = entriesOf(node, what, context).flatMap((entry) => readArgument(entry, context) ?? []);
  return { stream, succinct: undefined, list, span };
}

export function noArguments(span: Span, stream: boolean): ArgumentsNode {
  return { stream, succinct: undefined, list: [], span };
}

function readArgument({ key, value }: YamlEntry, context: ReadContext): ArgumentNode | undefined {
  const named = context.optionalName(key, "The name of an argument");
  if (named === undefined) return undefined;
  if (value.kind === "map")
    return context.mismatch(value, `The type of "${named.name.text}"`, "a type", {
      advice: "Constraints belong to struct fields. Declare a struct and use it as the method's input.",
    });
  const type = readType(value, `The type of "${named.name.text}"`, context);
  return type && { ...named, type, span: { start: key.span.start, end: value.span.end } };
}
