/** Values for the schemas of a document: texts for parameters, and JSON for bodies. */
import type { Document, Schema } from "./documents.ts";

const wideLimits: Readonly<Record<string, readonly [low: bigint, high: bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** Samples of one document, whose references it follows. */
export class Samples {
  readonly #schemas: Document["components"]["schemas"];

  constructor({ components }: Document) {
    this.#schemas = components.schemas;
  }

  /** Texts that the schema of a parameter, or of its items, allows: its examples, and the ends of its range. */
  valid(schema: Schema): readonly string[] {
    const { type, items, format, ...found } = this.#resolved(schema);
    if (items !== undefined) return this.valid(items);
    if (found.enum !== undefined) return found.enum.map(String);
    const given = [...(found.examples ?? []), found.default].filter((one) => one !== undefined).map(String);
    if (type === "boolean") return ["true", "false"];
    if (type === "integer")
      return [...given, ...integerLimits({ ...found, format: format ?? "" }).map(String)];
    if (type === "number") return [...given, String(found.minimum ?? -1e300), String(found.maximum ?? 0.5)];
    if (format === "date-time") return ["2025-01-31T12:00:00.123Z"];
    return given.length > 0 ? given : ["a b/c?é&+%"];
  }

  /** Texts that the schema rejects. */
  invalid(schema: Schema): readonly string[] {
    const { type, items, format, ...found } = this.#resolved(schema);
    if (items !== undefined) return this.invalid(items);
    if (found.enum !== undefined) return ["none of these", "0"];
    if (type === "boolean") return ["yes"];
    if (type === "integer") {
      const [low, high] = integerLimits({ ...found, format: format ?? "" });
      return ["x", "1.5", String(low - 1n), String(high + 1n)];
    }
    if (type === "number") {
      const above = 2 * (found.maximum ?? Number.POSITIVE_INFINITY) + 1;
      return Number.isFinite(above) ? ["x", String(above)] : ["x"];
    }
    if (format === "date-time") return ["today"];
    return found["pattern"] === undefined ? [] : ["No Match"];
  }

  /** A JSON value with all properties. */
  json(schema: Schema): unknown {
    const { type, items, properties, anyOf, minimum, ...found } = this.#resolved(schema);
    const [only] = anyOf ?? [];
    if (only !== undefined) return this.json(only);
    if (found.enum !== undefined) return found.enum[0];
    if (found.examples !== undefined) return found.examples[0];
    const [form] = [type].flat();
    if (form === "array") return items === undefined ? [] : [this.json(items)];
    if (form === "object")
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, one]) => [name, this.json(one)]),
      );
    if (form === "boolean") return true;
    return form === "integer" || form === "number" ? (minimum ?? 0) : "text";
  }

  #resolved({ $ref, ...own }: Schema): Schema {
    if ($ref === undefined) return own;
    return { ...this.#resolved(this.#schemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}), ...own };
  }
}

function integerLimits({ format = "", minimum, maximum }: Schema): readonly [low: bigint, high: bigint] {
  const [low, high] = wideLimits[format] ?? [0n, 0n];
  return [minimum === undefined ? low : BigInt(minimum), maximum === undefined ? high : BigInt(maximum)];
}
