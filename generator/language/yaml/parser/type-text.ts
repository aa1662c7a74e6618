import { adviseType, readForeignType, type TypePlace } from "../../syntax/foreign-types.ts";
import type { MissingTypeNode, TypeNode } from "../../syntax/tree.ts";
import { maxTypeDepth } from "../../syntax/type-text.ts";
import { spanWithin, type YamlNode, type YamlScalar } from "../nodes.ts";
import { isRidlWord, type ReadContext } from "./read-context.ts";

/** `type = { "[]" } ( name | "map" "<" type "," type ">" ) { "[]" }`: a list is `Pet[]`, or `[]Pet` as in RIDL. */
export function readType(node: YamlNode, place: TypePlace, context: ReadContext): TypeNode | undefined {
  const what = `The ${place.kind === "alias" ? "type" : "type of"} "${place.name}"`;
  const scalar = typeScalar(node, what, context);
  if (scalar === undefined) return undefined;
  const { text } = scalar;
  if (text === "stream" || text === "struct")
    return context.fault("reserved-type-word", { word: text }, scalar.span, {
      advice: 'For a streamed response, write "stream: output" next to its output.',
    });
  if (text !== "map" && isRidlWord(text))
    return { kind: "named", name: text, span: spanWithin(scalar, 0, text.length) };
  return new TypeText(scalar, place, context).read();
}

/** YAML reads `[]Pet` without quotes as a list, so a list gets advice on list types. */
function typeScalar(node: YamlNode, what: string, context: ReadContext): YamlScalar | undefined {
  if (node.kind !== "list") return context.scalar(node, what);
  const [item] = node.items;
  const inner = item?.kind === "scalar" ? item.text : "Pet";
  return context.mismatch(node, what, "a type", { advice: `A list type is written ${inner}[].` });
}

class TypeText {
  readonly #scalar: YamlScalar;
  readonly #place: TypePlace;
  readonly #context: ReadContext;
  readonly #text: string;
  #at = 0;

  constructor(scalar: YamlScalar, place: TypePlace, context: ReadContext) {
    this.#scalar = scalar;
    this.#place = place;
    this.#context = context;
    this.#text = scalar.text;
  }

  read(): TypeNode | undefined {
    const type = this.#type(0);
    if (type === undefined) return undefined;
    if (this.#at < this.#text.length) return this.#malformed();
    return levelsOf(type) > maxTypeDepth ? this.#tooDeep() : type;
  }

  #type(depth: number): TypeNode | undefined {
    const start = this.#at;
    const lists: number[] = [];
    for (; this.#take("[]"); ) lists.push(start + lists.length * 2);
    let type = this.#baseType(depth);
    if (type === undefined) return undefined;
    while (this.#take("[]")) type = { kind: "list", element: type, span: this.#spanFrom(start) };
    for (const from of lists.reverse()) type = { kind: "list", element: type, span: this.#spanFrom(from) };
    return type;
  }

  #baseType(depth: number): TypeNode | undefined {
    const start = this.#at;
    const name = /[^\s[\]<>,]*/y;
    name.lastIndex = start;
    const text = name.exec(this.#text)?.[0] ?? "";
    this.#at += text.length;
    if (text === "map" && this.#take("<")) return this.#map(start, depth);
    if (!isRidlWord(text) || text === "map") return this.#malformed();
    return { kind: "named", name: text, span: this.#spanFrom(start) };
  }

  /** Parses the rest after `map<`. The value type may be missing, as in RIDL. */
  #map(start: number, depth: number): TypeNode | undefined {
    // Only maps are parsed by recursion; `read` checks the total depth.
    if (depth >= maxTypeDepth) return this.#tooDeep();
    this.#blank();
    const key = this.#type(depth + 1);
    if (key === undefined) return undefined;
    this.#blank();
    if (!this.#take(",")) return this.#malformed();
    this.#blank();
    const value = this.#text[this.#at] === ">" ? this.#missing() : this.#type(depth + 1);
    if (value === undefined) return undefined;
    this.#blank();
    if (!this.#take(">")) return this.#malformed();
    const span = this.#spanFrom(start);
    if (value.kind === "missing") this.#context.fault("map-without-value", {}, span);
    return { kind: "map", key, value, span };
  }

  #missing(): MissingTypeNode {
    return { kind: "missing", span: this.#spanFrom(this.#at) };
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #blank(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #spanFrom(start: number): TypeNode["span"] {
    return spanWithin(this.#scalar, start, this.#at);
  }

  #tooDeep(): undefined {
    return this.#context.fault("type-too-deep", { limit: maxTypeDepth }, this.#scalar.span);
  }

  #malformed(): undefined {
    const { text, span } = this.#scalar;
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    const foreign = readForeignType(text, { name: this.#place.name, isError: () => false });
    const advice = /^map<[^,]*$/.test(text)
      ? 'Within { } a comma ends the value: put the type in quotes, as "map<string,Pet>".'
      : foreign === undefined
        ? "Write Name, T[] or map<K,V>."
        : adviseType(foreign, this.#place, "yaml");
    return this.#context.fault("malformed-type", { text: shown }, span, { advice });
  }
}

/** The nesting depth of lists and maps: 0 for a name. Works without recursion. */
function levelsOf(root: TypeNode): number {
  let deepest = 0;
  const open = [{ type: root, level: 0 }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { type, level } = top;
    deepest = Math.max(deepest, level);
    if (type.kind === "list") open.push({ type: type.element, level: level + 1 });
    else if (type.kind === "map")
      open.push({ type: type.key, level: level + 1 }, { type: type.value, level: level + 1 });
  }
  return deepest;
}
