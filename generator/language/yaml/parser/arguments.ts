import type { Span } from "../../source/span.ts";
import type { ArgumentNode, ArgumentsNode } from "../../syntax/tree.ts";
import type { YamlEntry, YamlNode } from "../nodes.ts";
import { entriesOf } from "./entries.ts";
import type { Reading } from "./reading.ts";
import { readType } from "./type-text.ts";

export interface Side {
  readonly what: string;
  readonly stream: boolean;
}

/** Arguments by name, as `{ id: uint64, full?: bool }`, or the name of the struct that is the body. */
export function readArguments(
  node: YamlNode,
  { what, stream }: Side,
  reading: Reading,
): ArgumentsNode | undefined {
  const { span } = node;
  if (node.kind === "scalar") {
    const succinct = reading.name(node, what);
    return succinct && { stream, succinct, list: [], span };
  }
  const list = entriesOf(node, what, reading).flatMap((entry) => readArgument(entry, reading) ?? []);
  return { stream, succinct: undefined, list, span };
}

export function noArguments(span: Span, stream: boolean): ArgumentsNode {
  return { stream, succinct: undefined, list: [], span };
}

function readArgument({ key, value }: YamlEntry, reading: Reading): ArgumentNode | undefined {
  const named = reading.optionalName(key, "The name of an argument");
  if (named === undefined) return undefined;
  if (value.kind === "map")
    return reading.mismatch(value, `The type of "${named.name.text}"`, "a type", {
      advice: "Constraints stand on the fields of a struct: give the method one as its input.",
    });
  const type = readType(value, `The type of "${named.name.text}"`, reading);
  return type && { ...named, type, span: { start: key.span.start, end: value.span.end } };
}
