/** Reads the body of a call. */
import type { ApiDefinition, Method } from "./definition.ts";
import { issue, toIssues } from "./errors.ts";
import { BodyFault, checkParsed, parseJson } from "./json.ts";
import type { Limits, Upload } from "./options.ts";

/** A body that another parser has already read from the request. */
export interface ParsedBody {
  readonly value: unknown;
}

/**
 * The result of reading a body: its text, the result of another parser, or the reason why there is none. An error other
 * than an `RpcFailure` is a fault of the server.
 */
export type ReadBody = string | ParsedBody | BodyFault | Error;

/** The fault of a server whose middleware has read the body for itself. For the log. */
export function consumedBody(): Error {
  return new Error(
    "a middleware has read the body of the request: mount the API before this middleware, or let it leave the parsed body or its bytes in `body` or `rawBody`",
  );
}

/** The fault of a server whose middleware has changed the body to something else than bytes. For the log. */
export function unreadableBody(form: string): Error {
  return new Error(`a middleware has changed the body of the request to ${form}: leave it as bytes`);
}

/** Returns the bytes of a buffer, or of a view of one. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const isBuffer =
    value instanceof ArrayBuffer || Object.prototype.toString.call(value) === "[object SharedArrayBuffer]";
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** The rules for reading a body. */
interface BodyRules {
  readonly limits: Limits;
  readonly api: ApiDefinition;
}

/** Returns the request for the handler, or a `BodyFault` if the body is invalid. */
export function readRequest(
  body: string | ParsedBody | BodyFault,
  { definition, readRequest: read }: Method,
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
  const issues = read?.(request);
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
