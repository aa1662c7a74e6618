import type { EmittedFile } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import type { Plan } from "../../plan/plan.ts";
import { header } from "../text.ts";
import { definitionsOf } from "./definitions.ts";
import { findViews } from "./views.ts";

/**
 * Emits `json-schema/schema.json`: a JSON Schema 2020-12 document with a definition for each type. A type whose request
 * and response forms differ has two, `Order.request` and `Order.response`.
 */
export function emitJsonSchema(plan: Plan): readonly EmittedFile[] {
  const document: Json = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:ridl:${encodeURIComponent(plan.schemaName)}`,
    $comment: header(plan.schemaFile).replace("// ", ""),
    title: plan.schemaName,
    description,
    $defs: definitionsOf(plan, findViews(plan, { root: "#/$defs/", isCanonical: false })),
  };
  return [{ path: "json-schema/schema.json", text: `${JSON.stringify(document, null, 2)}\n` }];
}

/** Lists rules that JSON Schema cannot express. */
const description =
  "Request and response bodies. Further rules: Strings in requests contain neither NUL nor lone surrogates. JSON is nested at most 64 levels deep. " +
  "A string that represents a number is in the number's range. In requests, null stands for an empty required list, map or byte string. " +
  "Converted to UTC, timestamps are in the years 0000 to 9999. A field that is sent under two of its names has the same value under both.";
