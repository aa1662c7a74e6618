import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { JsonNode, JsonObject } from "../source/json.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { IrValue } from "./schema.ts";

/**
 * An object of an IR file, read as Go's decoder reads it: keys match case-insensitively, unknown keys are ignored, and null means
 * the zero value. A repeated key is decoded over the earlier value.
 */
export class JsonFields {
  readonly path: string;
  readonly span: Span;
  readonly #file: SourceFile;
  readonly #diagnostics: Diagnostic[];
  readonly #values = new Map<string, JsonNode>();
  /** Values that a later value of the same key replaced. They have no effect, but must have the right kind. */
  readonly #replaced: { readonly key: string; readonly value: JsonNode }[] = [];

  constructor(node: JsonObject, path: string, file: SourceFile, diagnostics: Diagnostic[]) {
    this.path = path;
    this.span = node.span;
    this.#file = file;
    this.#diagnostics = diagnostics;
    for (const { key: written, value } of node.entries) {
      const key = foldKey(written);
      const earlier = this.#values.get(key);
      if (earlier !== undefined) this.#replaced.push({ key, value: earlier });
      // A type is a pointer in Go, so null clears it.
      this.#values.set(key, key === "type" && value.kind === "null" ? value : mergeOver(earlier, value));
    }
  }

  /** Returns the value of a key, or undefined if it is absent or null. */
  node(key: string): JsonNode | undefined {
    const value = this.#values.get(foldKey(key));
    return value?.kind === "null" ? undefined : value;
  }

  /** Returns the span of a key's value, or of the whole object if the key is absent. */
  spanOf(key: string): Span {
    return this.#values.get(foldKey(key))?.span ?? this.span;
  }

  text(key: string): string {
    this.#checkReplaced(key, "string", "a string");
    const node = this.node(key);
    if (node === undefined) return "";
    if (node.kind === "string") return wellFormed(node.value);
    return this.#mismatch(key, "a string", node) ?? "";
  }

  boolean(key: string): boolean {
    this.#checkReplaced(key, "boolean", "true or false");
    const node = this.node(key);
    if (node === undefined) return false;
    if (node.kind === "boolean") return node.value;
    return this.#mismatch(key, "true or false", node) ?? false;
  }

  /** An integer that fits 64 bits, written without fraction or exponent. */
  integer(key: string): bigint {
    this.#checkReplaced(key, "number", "an integer");
    const node = this.node(key);
    if (node === undefined) return 0n;
    const value = node.kind === "number" && /^-?[0-9]+$/.test(node.raw) ? BigInt(node.raw) : undefined;
    if (value !== undefined && BigInt.asIntN(64, value) === value) return value;
    return this.#mismatch(key, "an integer", node) ?? 0n;
  }

  /** A type as written in the file, with JSON escapes left in. */
  type(key: string): string | undefined {
    this.#checkReplaced(key, "string", "the text of a type");
    for (const { key: replaced, value } of this.#replaced) {
      if (replaced === key && value.kind === "string" && value.raw === "")
        this.#mismatch(key, "the text of a type", value);
    }
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.kind === "string" && node.raw !== "") return node.raw;
    return this.#mismatch(key, "the text of a type", node);
  }

  texts(key: string): string[] | null {
    const nodes = this.#list(key);
    if (nodes === null) return null;
    return nodes.map((node, index) => {
      if (node.kind === "null") return "";
      if (node.kind === "string") return wellFormed(node.value);
      return this.#mismatch(`${key}[${index}]`, "a string", node) ?? "";
    });
  }

  /** A list of objects. A null item would crash the reference tool, so it is an error. */
  objects(key: string): JsonFields[] | null {
    const objects = this.objectsOrNulls(key);
    for (const [index, node] of (objects === null ? [] : (this.#list(key) ?? [])).entries()) {
      if (node.kind === "null") this.#report(`${this.path}${key}[${index}]`, "an object", node);
    }
    return objects?.filter((one) => one !== null) ?? null;
  }

  objectsOrNulls(key: string): (JsonFields | null)[] | null {
    const nodes = this.#list(key);
    if (nodes === null) return null;
    return nodes.map((node, index) => {
      const path = `${this.path}${key}[${index}]`;
      if (node.kind === "object") return new JsonFields(node, `${path}.`, this.#file, this.#diagnostics);
      if (node.kind !== "null") this.#report(path, "an object", node);
      return null;
    });
  }

  object(key: string): JsonFields | undefined {
    this.#checkReplaced(key, "object", "an object");
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.kind !== "object") return this.#mismatch(key, "an object", node);
    return new JsonFields(node, `${this.path}${key}.`, this.#file, this.#diagnostics);
  }

  /** The members of an object value by key; null values stay null. */
  members(key: string): ReadonlyMap<string, JsonFields | null> | null {
    this.#checkReplaced(key, "object", "an object");
    const node = this.node(key);
    if (node === undefined) return null;
    const members = new Map<string, JsonFields | null>();
    if (node.kind !== "object") this.#mismatch(key, "an object", node);
    else {
      for (const { key: name, value } of node.entries) {
        const path = `${this.path}${key}.${name}`;
        if (value.kind === "object") {
          members.set(wellFormed(name), new JsonFields(value, `${path}.`, this.#file, this.#diagnostics));
        } else if (value.kind === "null") members.set(wellFormed(name), null);
        else this.#report(path, "an object", value);
      }
    }
    return members;
  }

  /** A list of objects with arbitrary content, such as `meta`. */
  anyObjects(key: string): (ReadonlyMap<string, IrValue> | null)[] {
    return (this.#list(key) ?? []).map((node, index) => {
      if (node.kind === "null") return null;
      const value = this.#anyValue(node, `${key}[${index}]`);
      if (value instanceof Map) return value;
      this.#mismatch(`${key}[${index}]`, "an object", node);
      return null;
    });
  }

  #list(key: string): readonly JsonNode[] | null {
    this.#checkReplaced(key, "array", "a list");
    const node = this.node(key);
    if (node === undefined) return null;
    if (node.kind === "array") return node.items;
    this.#mismatch(key, "a list", node);
    return null;
  }

  #anyValue(node: JsonNode, key: string): IrValue {
    switch (node.kind) {
      case "null":
        return null;
      case "string":
        return wellFormed(node.value);
      case "boolean":
        return node.value;
      case "number":
        if (Number.isFinite(node.value)) return node.value;
        return this.#mismatch(key, "a number that fits 64 bits", node) ?? 0;
      case "array":
        return node.items.map((item) => this.#anyValue(item, key));
      case "object":
        return new Map(
          node.entries.map((entry) => [wellFormed(entry.key), this.#anyValue(entry.value, key)]),
        );
    }
  }

  #checkReplaced(key: string, kind: JsonNode["kind"], expected: string): void {
    for (const { key: replaced, value } of this.#replaced) {
      if (replaced !== foldKey(key) || value.kind === kind || value.kind === "null") continue;
      this.#mismatch(key, expected, value);
    }
  }

  #mismatch(key: string, expected: string, node: JsonNode): undefined {
    this.#report(`${this.path}${key}`, expected, node);
  }

  #report(path: string, expected: string, node: JsonNode): void {
    const found =
      node.kind === "null"
        ? "null"
        : node.kind === "string" && node.value === ""
          ? "an empty string"
          : kindNames[node.kind];
    this.#diagnostics.push(
      diagnose("ir-shape", { path, expected, found }, { file: this.#file, span: node.span }),
    );
  }
}

const kindNames: Readonly<Record<Exclude<JsonNode["kind"], "null">, string>> = {
  object: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "a boolean",
};

/** Go folds letter case by Unicode rules, which make "ſ" (long s) equal to "s". */
function foldKey(key: string): string {
  return key.toLowerCase().replaceAll("\u017f", "s");
}

/**
 * Decodes a value over an earlier one of the same key: null changes no scalar, and lists and objects keep the parts that are not
 * replaced.
 */
function mergeOver(earlier: JsonNode | undefined, value: JsonNode): JsonNode {
  if (earlier === undefined) return value;
  if (value.kind === "null") return earlier.kind === "array" || earlier.kind === "object" ? value : earlier;
  if (value.kind === "object" && earlier.kind === "object") {
    return { ...value, entries: [...earlier.entries, ...value.entries] };
  }
  if (value.kind === "array" && earlier.kind === "array") {
    return { ...value, items: value.items.map((item, index) => mergeOver(earlier.items[index], item)) };
  }
  return value;
}

/** Replaces lone surrogates with U+FFFD, as Go does. */
function wellFormed(value: string): string {
  return value.replace(/[\uD800-\uDFFF]/gu, "\uFFFD");
}
