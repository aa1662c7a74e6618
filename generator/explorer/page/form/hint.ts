/** Describes a field's constraints, and lists the paths at which a form can show errors. */
import type { Schema } from "../schema/ir.ts";
import { type Shape, shapeOf } from "../schema/shape.ts";
import type { Draft } from "./draft.ts";
import { escapePointer } from "./request-body.ts";

/** `1 to 64 characters · default 30`, without limits that the description repeats: "At most 100, …". */
export function hintOf({ kind, meta }: Shape, description = ""): string {
  const parts = [
    kindHints[kind],
    range(meta["minLength"], meta["maxLength"], ["character", "characters"]),
    range(meta["minItems"], meta["maxItems"], ["entry", "entries"]),
    range(meta["minimum"], meta["maximum"]),
    meta["contentEncoding"],
    meta["default"] === undefined ? undefined : `default: ${meta["default"]}`,
  ];
  const text = description.toLowerCase();
  const isRepeated = (part: string): boolean => {
    const [limit] = /^.*\d(?=(?: [a-z]+)?$)/.exec(part) ?? [];
    return limit !== undefined && text.split(limit).some((rest, at) => at > 0 && !/^\d/.test(rest));
  };
  return parts.filter((part) => part !== undefined && part !== "" && !isRepeated(part)).join(" · ");
}

const kindHints: Readonly<Partial<Record<Shape["kind"], string>>> = {
  decimal: "number",
  bigint: "integer of any size",
  timestamp: "RFC 3339, such as 2026-01-31T12:00:00Z",
  any: "any JSON value",
};

function range(
  min: string | undefined,
  max: string | undefined,
  [one, many]: readonly [one: string, many: string] = ["", ""],
): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const words =
    max === undefined
      ? `at least ${min}`
      : min === undefined
        ? `at most ${max}`
        : min === max
          ? `exactly ${min}`
          : `${min} to ${max}`;
  return `${words} ${(max ?? min) === "1" ? one : many}`.trim();
}

export function fieldPaths(schema: Schema, shape: Shape, draft: Draft, path = ""): ReadonlySet<string> {
  const found = new Set([path]);
  const add = (at: string, inner: Shape, one: Draft): void => {
    for (const innerPath of fieldPaths(schema, inner, one, at)) found.add(innerPath);
  };
  if (shape.kind === "struct") {
    for (const { name, reference } of shape.fields) {
      const one = draft.kind === "struct" ? draft.fields[name] : undefined;
      if (draft.kind === "struct") found.add(`${path}/${escapePointer(name)}`);
      if (one !== undefined) add(`${path}/${escapePointer(name)}`, shapeOf(schema, reference), one);
    }
  } else if (shape.kind === "list" && draft.kind === "list") {
    const item = shapeOf(schema, shape.item);
    for (const [index, one] of draft.items.entries()) add(`${path}/${index}`, item, one);
  } else if (shape.kind === "map" && draft.kind === "map") {
    const value = shapeOf(schema, shape.value);
    for (const { key, value: one } of draft.entries) add(`${path}/${escapePointer(key)}`, value, one);
  }
  return found;
}
