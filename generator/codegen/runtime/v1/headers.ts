/** Checks request headers, and the headers that handlers and failures add to responses. */
import type { HeaderValue } from "./handler.ts";

/** By name. */
export type ResponseHeaders = Readonly<Record<string, HeaderValue>>;

interface HeaderSource {
  header(name: string): string | undefined;
}

/** Returns why a body with these headers cannot be read; undefined if it can. */
export function faultOfHeaders(headers: HeaderSource, isForm: boolean): string | undefined {
  const type = headers.header("content-type");
  if (isForm || type !== "application/json") {
    const fault = isForm ? faultOfFormType(type) : faultOfType(type);
    if (fault !== undefined) return fault;
  }
  const encoding = headers.header("content-encoding");
  if (encoding === undefined || encoding.toLowerCase() === "identity") return undefined;
  return "Content-Encoding is not supported";
}

function faultOfFormType(type = ""): string | undefined {
  return /^multipart\/form-data\s*;/i.test(type) ? undefined : "Content-Type must be multipart/form-data";
}

/** Accepts `Application/JSON; charset=UTF-8`, too, but no other charset. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}

/** A line break in a value would start another header, or the body. */
export function isValidHeader(name: string, value: HeaderValue): boolean {
  const isValid = (text: unknown): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(`${text}`);
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && [value].flat().every(isValid);
}

/** Removes headers that cannot be sent. */
export function validHeaders(headers: ResponseHeaders = {}): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => isValidHeader(name, value)));
}

/** Adds headers, except those that the response has already. */
export function withMoreHeaders(
  headers: ResponseHeaders | undefined,
  more: ResponseHeaders,
): ResponseHeaders {
  const taken = new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase()));
  const added = Object.entries(more).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...headers };
}

/** Headers that describe the body or the connection, or belong to the protocol. Lower case. */
export const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "transfer-encoding",
  "webrpc",
  "x-request-id",
]);
