/** The body of a request on its way to a value. */
import type { ApiDefinition, Method } from "./definition.ts";
import type { RpcFailure } from "./failure.ts";
import type { Limits } from "./hooks.ts";
import { issue, toIssues } from "./issue.ts";
import { BodyFault, checkParsed, parseJson } from "./json.ts";
import { addFiles, type Upload } from "./upload.ts";

/** A body that a parser before us has read from the request already. */
export interface ParsedBody {
  readonly value: unknown;
}

/** What reading a body gives: its text or what a parser before us made of it, or why there is none. */
export type ReadBody = string | ParsedBody | BodyFault | RpcFailure;

/** What bodies are held to. */
interface BodyRules {
  readonly limits: Limits;
  readonly api: ApiDefinition;
}

/** What a handler gets; a `BodyFault` if it cannot be that. */
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
    // Go's servers never look at it.
    if (definition.emptyRequest === true) return {};
    return BodyFault.of(toIssues([issue([], "an object", kindOf(request))]));
  }
  const issues = validators.readRequest?.(request);
  if (issues !== undefined) return BodyFault.of(issues);
  if (upload !== undefined) addFiles(request, upload, definition.files ?? []);
  return request;
}

function parseBody(
  body: string | ParsedBody,
  mayBeMissing: boolean,
  { limits: { jsonMaxDepth }, api }: BodyRules,
): unknown {
  if (typeof body !== "string") return checkParsed(body.value, jsonMaxDepth) ?? body.value;
  return body === "" && mayBeMissing ? {} : parseJson(body, jsonMaxDepth, api.json?.parse);
}

/** As it arrived, or as good as that. */
export function requestText(body: string | ParsedBody): string {
  return typeof body === "string" ? body : (JSON.stringify(body.value) ?? "");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
