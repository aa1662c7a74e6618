import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { JsonEntry, JsonNode, JsonObject } from "../source/json.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { IrValue } from "./schema.ts";

/**
 * An object of an IR file, read as Go's decoder reads it: keys match without regard to letter case, the last of equal keys
 * counts, unknown keys are ignored, and null leaves a value at its zero.
 */
export class JsonFields {
  readonly path: string;
  readonly span: Span;
  readonly #file: SourceFile;
  readonly #diagnostics: Diagnostic[];
  readonly #entries = new Map<string, JsonEntry>();

  constructor(node: JsonObject, path: string, file: SourceFile, diagnostics: Diagnostic[]) {
    this.path = path;
    this.span = node.span;
    this.#file = file;
    this.#diagnostics = diagnostics;
    for (const entry of node.entries) this.#entries.set(entry.key.toLowerCase(), entry);
  }

  /** The value of a key; undefined if it is absent or null. */
  node(key: string): JsonNode | undefined {
    const value = this.#entries.get(key.toLowerCase())?.value;
    return value?.kind === "null" ? undefined : value;
  }

  /** Where the value of a key stands, or the whole object if it does not. */
  spanOf(key: string): Span {
    return this.#entries.get(key.toLowerCase())?.value.span ?? this.span;
  }

  text(key: string): string {
    const node = this.node(key);
    if (node === undefined) return "";
    if (node.kind === "string") return wellFormed(node.value);
    return this.#mismatch(key, "a string", node) ?? "";
  }

  boolean(key: string): boolean {
    const node = this.node(key);
    if (node === undefined) return false;
    if (node.kind === "boolean") return node.value;
    return this.#mismatch(key, "true or false", node) ?? false;
  }

  /** An integer that fits 64 bits, written without fraction or exponent. */
  integer(key: string): number {
    const node = this.node(key);
    if (node === undefined) return 0;
    const fits =
      node.kind === "number" &&
      /^-?[0-9]+$/.test(node.raw) &&
      BigInt.asIntN(64, BigInt(node.raw)) === BigInt(node.raw);
    return fits ? node.value : (this.#mismatch(key, "an integer", node) ?? 0);
  }

  /** A type as it is written in the file: escapes of JSON are not undone. */
  type(key: string): string | undefined {
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

  /** A list of objects; null in it would crash the reference tool and is a fault. */
  objects(key: string): JsonFields[] | null {
    return (
      this.#list(key)?.flatMap((node, index) => {
        const path = `${this.path}${key}[${index}]`;
        if (node.kind === "object") return [new JsonFields(node, `${path}.`, this.#file, this.#diagnostics)];
        this.#report(path, "an object", node);
        return [];
      }) ?? null
    );
  }

  /** The members of an object value by key, sub-objects read in turn; null stays null. */
  members(key: string): ReadonlyMap<string, JsonFields | null> | null {
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

  /** A list of free objects, as `meta` is. */
  freeObjects(key: string): (ReadonlyMap<string, IrValue> | null)[] {
    return (this.#list(key) ?? []).map((node, index) => {
      if (node.kind === "null") return null;
      const value = this.#free(node, `${key}[${index}]`);
      if (value instanceof Map) return value;
      this.#mismatch(`${key}[${index}]`, "an object", node);
      return null;
    });
  }

  #list(key: string): readonly JsonNode[] | null {
    const node = this.node(key);
    if (node === undefined) return null;
    if (node.kind === "array") return node.items;
    this.#mismatch(key, "a list", node);
    return null;
  }

  #free(node: JsonNode, key: string): IrValue {
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
        return node.items.map((item) => this.#free(item, key));
      case "object":
        return new Map(node.entries.map((entry) => [wellFormed(entry.key), this.#free(entry.value, key)]));
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

/** Half a surrogate pair becomes U+FFFD, as in Go. */
function wellFormed(value: string): string {
  return value.replace(/[\uD800-\uDFFF]/gu, "\uFFFD");
}
