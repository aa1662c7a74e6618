import type { EmittedFile } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import { withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { reachable } from "../../plan/type-graph.ts";
import type { Side } from "../../plan/values.ts";
import { header } from "../text.ts";
import type { Schema, Variants } from "./schema-builder.ts";
import { differsBySide, typeDefinitions } from "./type-schema.ts";

/**
 * Emits `json-schema/schema.json`: a JSON Schema 2020-12 document with a definition for each type. A type whose request
 * and response forms differ has two, `Order.request` and `Order.response`.
 */
export function emitJsonSchema(plan: Plan): readonly EmittedFile[] {
  const document: Json = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:ridl:${encodeURIComponent(plan.schemaName) || "schema"}`,
    $comment: header(plan.schemaFile).replace("// ", ""),
    title: plan.schemaName,
    description,
    $defs: definitionsOf(plan, findVariants(plan, { root: "#/$defs/", isCanonical: false })),
  };
  return [{ path: "json-schema/schema.json", text: `${JSON.stringify(document, null, 2)}\n` }];
}

/** Lists rules that JSON Schema cannot express. */
const description =
  "Request and response bodies. Further rules: Strings in requests contain neither NUL nor lone surrogates. JSON is nested at most 64 levels deep. " +
  "A string that represents a number is in the number's range. In requests, null stands for an empty required list, map or byte string. " +
  "Converted to UTC, timestamps are in the years 0000 to 9999. A field that is sent under two of its names has the same value under both.";

/** Returns the definitions of all types by name: two for a type whose request and response forms differ. */
export function definitionsOf(plan: Plan, variants: Variants): Readonly<Record<string, Schema>> {
  const types = plan.finder;
  const definitions = plan.types.flatMap((type) =>
    sidesOf(type, variants).flatMap((side) => typeDefinitions(type, side, variants, types)),
  );
  return Object.fromEntries(definitions);
}

/** Returns the sides that have a definition of their own for a type. */
export function sidesOf({ name, inRequests, inResponses }: PlannedType, variants: Variants): readonly Side[] {
  if (inRequests && inResponses && variants.isSplit(name)) return ["request", "response"];
  return inRequests ? ["request"] : ["response"];
}

/** Finds types whose request and response schemas differ, and types that contain one. References start with `root`. */
export function findVariants(
  plan: Plan,
  { root, isCanonical }: Pick<Variants, "root" | "isCanonical">,
): Variants {
  const { int64 } = plan;
  const oneName: Variants = { root, int64, isCanonical, isSplit: () => false, nameOf: withoutEscape };
  const types = plan.finder;
  const shared = plan.types.filter(({ inRequests, inResponses }) => inRequests && inResponses);
  const differing = shared.filter((type) => differsBySide(type, oneName, types));
  const differingOrHolding = reachable(
    differing.map(({ name }) => name),
    plan.facts.holders,
  );
  const split = new Set(shared.map(({ name }) => name).filter((name) => differingOrHolding.has(name)));
  return {
    ...oneName,
    isSplit: (name) => split.has(name),
    // The `$` of escaped names is for TypeScript only.
    nameOf: (name, side) => (split.has(name) ? `${withoutEscape(name)}.${side}` : withoutEscape(name)),
  };
}
