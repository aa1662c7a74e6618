/**
 * Describes what a value should be, for the message of a fault: `text of 1 to 64 characters`,
 * `an integer from 0 to 255`.
 */

import type { Constraints } from "../../../language/model/meta/read.ts";
import type { Side } from "../../plan/constraints.ts";
import type { PlannedEnum } from "../../plan/plan.ts";

/** Maximum number of enum names in a message. */
const namesMax = 40;

export function expectedText(constraints: Constraints, side: Side): string {
  const { minLength, maxLength, pattern, normalize, accepts } = constraints;
  const text = normalize === "lowercase" && side === "response" ? "lower-case text" : "text";
  const size = sizeText(minLength, maxLength, "characters");
  const form = pattern === undefined ? "" : ` that matches ${pattern}`;
  return text + size + form + (side === "request" ? otherForms(accepts, "string") : "");
}

export function expectedInteger(
  { low, high }: { readonly low: number | bigint; readonly high: number | bigint },
  { accepts }: Constraints,
  side: Side,
): string {
  return `an integer from ${low} to ${high}${side === "request" ? otherForms(accepts, "integer") : ""}`;
}

export function expectedNumber(constraints: Constraints, side: Side): string {
  return `a number${boundsText(constraints)}${side === "request" ? otherForms(constraints.accepts, "number") : ""}`;
}

export function expectedBigint(constraints: Constraints, side: Side): string {
  const form = side === "request" ? "an integer, as decimal text or a number up to 2^53 - 1" : "a bigint";
  return form + boundsText(constraints);
}

export function expectedBoolean({ accepts }: Constraints, side: Side): string {
  return `true or false${side === "request" ? otherForms(accepts, "boolean") : ""}`;
}

/** For responses of handlers. */
export const expectedDate = "a valid Date in the years 0000 to 9999";

export function expectedBytes({ minItems, maxItems }: Constraints): string {
  return `base64 text${sizeText(minItems, maxItems, "bytes")}`;
}

export function expectedEnum({ values }: PlannedEnum): string {
  const names = values.slice(0, namesMax).map(({ wire }) => wire);
  const more = values.length - names.length;
  return `one of ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function expectedList({ minItems, maxItems }: Constraints): string {
  return `a list${sizeText(minItems, maxItems, "items")}`;
}

export function expectedMap({ minItems, maxItems }: Constraints): string {
  return `an object${sizeText(minItems, maxItems, "entries")}`;
}

const singular = { characters: "character", bytes: "byte", items: "item", entries: "entry" } as const;

function sizeText(
  minimum: number | undefined,
  maximum: number | undefined,
  units: keyof typeof singular,
): string {
  if (minimum === undefined && maximum === undefined) return "";
  const unit = (maximum ?? minimum) === 1 ? singular[units] : units;
  if (maximum === undefined) return ` of at least ${minimum} ${unit}`;
  return minimum === undefined ? ` of at most ${maximum} ${unit}` : ` of ${minimum} to ${maximum} ${unit}`;
}

function boundsText({ minimum, maximum }: Constraints): string {
  return (
    (minimum === undefined ? "" : ` from ${minimum}`) + (maximum === undefined ? "" : ` up to ${maximum}`)
  );
}

type Form = Constraints["accepts"][number];

/** Descriptions of other accepted forms, by the type's own form. */
const formNames: Readonly<Record<Form, Readonly<Partial<Record<Form, string>>>>> = {
  string: { integer: "an integer", number: "a number", boolean: "true or false" },
  integer: { string: "its decimal text", boolean: "true or false" },
  number: { string: "its decimal text", boolean: "true or false" },
  boolean: { string: "its text", integer: "0 or 1", number: "0 or 1" },
};

function otherForms(accepts: Constraints["accepts"], own: Form): string {
  const others = new Set(accepts.flatMap((form) => formNames[own][form] ?? []));
  return others.size === 0 ? "" : `, or ${[...others].join(" or ")}`;
}
