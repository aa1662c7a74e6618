import type { ConfigNode } from "./node.ts";

/** Deeper than any setting. Stops at objects that contain themselves. */
const valueMaxDepth = 8;

/** Converts the exported value of a script. Properties that are undefined count as omitted. */
export function nodeOfValue(value: unknown, depth = 0): ConfigNode {
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (value === null) return { kind: "null" };
  if (typeof value !== "object") return { kind: "other", what: describeValue(value) };
  if (depth === valueMaxDepth) return { kind: "other", what: "an object nested too deeply" };
  if (Array.isArray(value))
    return { kind: "array", items: value.map((item) => nodeOfValue(item, depth + 1)) };
  return {
    kind: "object",
    entries: Object.entries(value)
      .filter(([, property]) => property !== undefined)
      .map(([key, property]) => ({ key, value: nodeOfValue(property, depth + 1) })),
  };
}

function describeValue(value: unknown): string {
  return value === undefined ? "nothing" : `a ${typeof value}`;
}
