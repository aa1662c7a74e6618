/** Reads HTTP responses. */
import type { MethodInfo } from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import type { Issue } from "./issue.ts";
import type { TransportResponse } from "./transport.ts";

/** Returns the decoded response. Throws the `RpcError` that an error response describes. */
export async function readResponse(
  { schema, decode, parse = JSON.parse }: MethodInfo,
  response: Pick<TransportResponse, "status" | "headers" | "text">,
): Promise<unknown> {
  const { status } = response;
  const text = await response.text();
  // Status 3xx, which browsers report as 0.
  const cause = status % 300 < 100 ? "redirects are not followed" : text.slice(0, 200);
  let error: WireError = { ...schema.failures[-5], code: -5, cause };
  try {
    // Responses and errors are always JSON objects.
    if (/^\s*\{/.test(text)) {
      const value = parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      const { code, error: name = value.name, msg = value.message ?? name, cause, issues } = value;
      if (typeof code === "number") {
        error = { code, name: `${name}`, msg: `${msg}`, cause: cause ? `${cause}` : undefined };
        if (issues?.every(isIssue)) error.issues = issues;
      }
    }
  } catch (thrown) {
    // Not JSON, an object that cannot be converted to text, or a value that does not match its type. The last one
    // carries its path.
    error = { ...error, ...(thrown as Partial<WireError>) };
  }
  throw new RpcError({ ...error, status, retryAfter: response.headers.get("retry-after") });
}

type WireError = Pick<RpcErrorInit, "code" | "name" | "msg" | "cause"> & { issues?: readonly Issue[] };

/** The body of an error response. Older servers send `name` and `message`; a hostile one may send anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  /**
   * Unchecked. `every` throws if it is not a list, an item is not an object or a path is not a list; the error then has
   * no issues.
   */
  readonly issues?: readonly Issue[] | null;
}

function isIssue(issue: Issue): boolean {
  return (
    typeof issue.message === "string" &&
    typeof issue.expected === "string" &&
    typeof issue.found === "string" &&
    issue.path.every((step) => typeof step === "string" || typeof step === "number")
  );
}
