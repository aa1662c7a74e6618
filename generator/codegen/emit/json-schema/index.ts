import type { Json } from "../../plan/json.ts";
import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { header } from "../text.ts";
import { definitionsOf } from "./definitions.ts";
import { findViews } from "./views.ts";

/**
 * `json-schema/schema.json`: one JSON Schema 2020-12 document with a definition a type. A type that is read in another form than
 * it is written has two, `Order.request` and `Order.response`.
 */
export function emitJsonSchema(plan: Plan): readonly EmittedFile[] {
  const document: Json = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:ridl:${encodeURIComponent(plan.schemaName)}`,
    $comment: header(plan.schemaFile).replace("// ", ""),
    title: plan.schemaName,
    description,
    $defs: definitionsOf(plan, findViews(plan, documentRoot)),
  };
  return [{ path: "json-schema/schema.json", text: `${JSON.stringify(document, null, 2)}\n` }];
}

const documentRoot = "#/$defs/";

/** What JSON Schema has no words for, so that nobody takes this document for the whole truth. */
const description =
  "Bodies of requests and answers. Not said here: text in requests holds neither NUL nor lone surrogates; JSON is nested at most 64 levels deep; " +
  "text that stands for a number lies in the range of the number; null in a request is read as an empty list, map or bytes where one is required; " +
  "a timestamp is of a year from 0000 to 9999 in UTC too; a field that is sent under two of its names has the same value under both.";
