/** A field's constraints in words, and all places of a form that a fault can be shown at. */
import type { Schema } from "../schema/ir.ts";
import { type Shape, shapeOf } from "../schema/shape.ts";
import type { Draft } from "./draft.ts";
import { step } from "./wire.ts";

/** `1 to 64 characters · default 30` */
export function hintOf({ kind, meta }: Shape): string {
  const parts = [
    kindWords[kind],
    range(meta["minLength"], meta["maxLength"], "characters"),
    range(meta["minItems"], meta["maxItems"], "entries"),
    range(meta["minimum"], meta["maximum"], ""),
    meta["contentEncoding"],
    meta["default"] === undefined ? undefined : `left out: ${meta["default"]}`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

const kindWords: Readonly<Partial<Record<Shape["kind"], string>>> = {
  integer: "whole number",
  decimal: "number",
  bigint: "whole number of any size",
  timestamp: "RFC 3339, as 2026-01-31T12:00:00Z",
  any: "JSON of any form",
};

function range(least: string | undefined, most: string | undefined, what: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const words =
    most === undefined
      ? `at least ${least}`
      : least === undefined
        ? `at most ${most}`
        : `${least} to ${most}`;
  return `${words} ${what}`.trim();
}

export function pathsOf(schema: Schema, shape: Shape, draft: Draft, path = ""): ReadonlySet<string> {
  const found = new Set([path]);
  const add = (at: string, inner: Shape, one: Draft): void => {
    for (const place of pathsOf(schema, inner, one, at)) found.add(place);
  };
  if (shape.kind === "struct") {
    for (const { name, use } of shape.fields) {
      const one = draft.kind === "struct" ? draft.fields[name] : undefined;
      if (draft.kind === "struct") found.add(`${path}/${step(name)}`);
      if (one !== undefined) add(`${path}/${step(name)}`, shapeOf(schema, use), one);
    }
  } else if (shape.kind === "list" && draft.kind === "list") {
    const item = shapeOf(schema, shape.item);
    for (const [index, one] of draft.items.entries()) add(`${path}/${index}`, item, one);
  } else if (shape.kind === "map" && draft.kind === "map") {
    const value = shapeOf(schema, shape.value);
    for (const { key, value: one } of draft.entries) add(`${path}/${step(key)}`, value, one);
  }
  return found;
}
