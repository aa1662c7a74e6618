/** Converts request bodies to the values that handlers receive. */
import type { ApiDefinition, Method } from "./definition.ts";
import type { RpcFailure } from "./failure.ts";
import type { Limits } from "./hooks.ts";
import { issue, toIssues } from "./issue.ts";
import { BodyFault, checkParsed, parseJson } from "./json.ts";
import type { Upload } from "./upload.ts";

/** A body that another parser has already read from the request. */
export interface ParsedBody {
  readonly value: unknown;
}

/** The result of reading a body: its text, the result of another parser, or the reason why there is none. */
export type ReadBody = string | ParsedBody | BodyFault | RpcFailure;

/** The rules for reading a body. */
interface BodyRules {
  readonly limits: Limits;
  readonly api: ApiDefinition;
}

/** Returns the request for the handler, or a `BodyFault` if the body is invalid. */
export function readRequest(
  body: string | ParsedBody | BodyFault,
  { definition, validators }: Method,
  upload: Upload | undefined,
  rules: BodyRules,
): unknown {
  if (body instanceof BodyFault) return body;
  const mayBeMissing = definition.emptyRequest === true || upload !== undefined;
  const parsed = parseBody(body, mayBeMissing, rules);
  if (parsed instanceof BodyFault) return parsed;
  const request = parsed ?? {};
  if (typeof request !== "object" || Array.isArray(request)) {
    // Go servers ignore the body of such methods.
    if (definition.emptyRequest === true) return {};
    return BodyFault.of(toIssues([issue([], "an object", kindOf(request))]));
  }
  const issues = validators.readRequest?.(request);
  if (issues !== undefined) return BodyFault.of(issues);
  return upload?.addTo(request) ?? request;
}

function parseBody(
  body: string | ParsedBody,
  mayBeMissing: boolean,
  { limits: { jsonMaxDepth }, api }: BodyRules,
): unknown {
  if (typeof body !== "string") return checkParsed(body.value, jsonMaxDepth) ?? body.value;
  return body === "" && mayBeMissing ? {} : parseJson(body, jsonMaxDepth, api.json?.parse);
}

/** Returns the body as text: as received, or printed again if another parser has read it. */
export function requestText(body: string | ParsedBody): string {
  return typeof body === "string" ? body : (JSON.stringify(body.value) ?? "");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
