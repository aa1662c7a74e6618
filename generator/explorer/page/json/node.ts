/** A JSON parser and printer that keep numbers as text, so that integers of 2^53 and above lose no digit. */

export type JsonNode =
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number" | "literal"; readonly text: string };

export const nullNode: JsonNode = { kind: "literal", text: "null" };

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** 1-based. */
  readonly line: number;

  constructor(text: string, at: number) {
    const line = text.slice(0, at).split("\n").length;
    const found =
      at >= text.length ? "unexpected end" : `unexpected ${JSON.stringify(text.slice(at, at + 12))}`;
    super(`line ${line}: ${found}`);
    this.line = line;
  }
}

/** Throws JsonSyntaxError. */
export function parseJson(text: string): JsonNode {
  return new JsonReader(text).document();
}

/** Indents by two spaces. Empty and short lists or objects of scalars stay on one line. */
export function printJson(node: JsonNode, indent = ""): string {
  if (node.kind === "string") return JSON.stringify(node.value);
  if (!("items" in node || "entries" in node)) return node.text;
  const inner = `${indent}  `;
  const parts =
    node.kind === "array"
      ? node.items.map((item) => printJson(item, inner))
      : node.entries.map(([key, value]) => `${JSON.stringify(key)}: ${printJson(value, inner)}`);
  const [open, close] = node.kind === "array" ? "[]" : "{}";
  const line = node.kind === "array" ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (parts.length === 0) return `${open}${close}`;
  if (line.length <= 60 && !line.includes("\n") && !parts.some((part) => /[[{]./.test(part))) return line;
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${indent}${close}`;
}

/** Prints without whitespace, as the body is sent. */
export function writeJson(node: JsonNode): string {
  switch (node.kind) {
    case "string":
      return JSON.stringify(node.value);
    case "array":
      return `[${node.items.map(writeJson).join(",")}]`;
    case "object":
      return `{${node.entries.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(",")}}`;
    default:
      return node.text;
  }
}

/** Deeper than hosts accept, and far below the depth at which the recursive reader would overflow the stack. */
const depthMax = 200;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const node = this.#value(0);
    this.#whitespace();
    if (this.#at < this.#text.length) throw this.#error();
    return node;
  }

  #value(depth: number): JsonNode {
    this.#whitespace();
    if (depth > depthMax) throw this.#error();
    const first = this.#text[this.#at];
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"') return { kind: "string", value: this.#string() };
    const literal = this.#match(/true|false|null/y);
    if (literal !== undefined) return { kind: "literal", text: literal };
    const number = this.#match(/-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (number !== undefined) return { kind: "number", text: number };
    throw this.#error();
  }

  #object(depth: number): JsonNode {
    const entries: (readonly [string, JsonNode])[] = [];
    this.#members("}", () => {
      this.#whitespace();
      const key = this.#string();
      this.#whitespace();
      this.#expect(":");
      entries.push([key, this.#value(depth + 1)]);
    });
    return { kind: "object", entries };
  }

  #array(depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.#members("]", () => items.push(this.#value(depth + 1)));
    return { kind: "array", items };
  }

  #members(close: string, member: () => void): void {
    this.#at++;
    this.#whitespace();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return;
    }
    for (;;) {
      member();
      this.#whitespace();
      if (this.#text[this.#at] === close) break;
      this.#expect(",");
    }
    this.#at++;
  }

  #string(): string {
    const end = this.#stringEnd();
    if (end === undefined) throw this.#error();
    try {
      const value = JSON.parse(this.#text.slice(this.#at, end)) as string;
      this.#at = end;
      return value;
    } catch {
      throw this.#error();
    }
  }

  /** A regular expression would need a stack as deep as the string is long. */
  #stringEnd(): number | undefined {
    if (this.#text[this.#at] !== '"') return undefined;
    for (let quote = this.#quoteAfter(this.#at); quote !== -1; quote = this.#quoteAfter(quote)) {
      let first = quote;
      while (this.#text[first - 1] === "\\") first--;
      if ((quote - first) % 2 === 0) return quote + 1;
    }
    return undefined;
  }

  #quoteAfter(at: number): number {
    return this.#text.indexOf('"', at + 1);
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#error();
    this.#at++;
  }

  #whitespace(): void {
    this.#match(/[ \t\r\n]+/y);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #error(): JsonSyntaxError {
    return new JsonSyntaxError(this.#text, this.#at);
  }
}
