/** The body of a request on its way to a value. */
import type { ApiDefinition } from "./definition.ts";
import type { Limits } from "./hooks.ts";
import { checkParsed, parseJson } from "./json.ts";

/** A body that a parser before us has read from the request already. */
export interface ParsedBody {
  readonly value: unknown;
}

export function parseBody(
  body: string | ParsedBody,
  mayBeMissing: boolean,
  { limits: { jsonMaxDepth }, api }: { readonly limits: Limits; readonly api: ApiDefinition },
): unknown {
  if (typeof body !== "string") return checkParsed(body.value, jsonMaxDepth) ?? body.value;
  return body === "" && mayBeMissing ? {} : parseJson(body, jsonMaxDepth, api.json?.parse);
}

/** As it arrived, or as good as that. */
export function textOf(body: string | ParsedBody): string {
  return typeof body === "string" ? body : (JSON.stringify(body.value) ?? "");
}

export function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
