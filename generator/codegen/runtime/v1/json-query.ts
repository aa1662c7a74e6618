/** Requests in a URL, of methods without a route: `?q={"id":5}`, percent-encoded. */
import { BodyFault } from "./json.ts";

/** The longest target of such a request, in bytes. Some browsers and proxies fail with longer URLs. */
const targetMaxBytes = 2_000;

/** The target of a request is too long, for HTTP status 414. */
export class TargetTooLong extends BodyFault {}

/** Returns the request in a query. `target` is the path and the query as they were sent. */
export function requestOfJsonQuery(target: string, query: string, mayBeMissing: boolean): string | BodyFault {
  if (target.length > targetMaxBytes)
    return new TargetTooLong(
      `the path and the query are longer than ${targetMaxBytes} bytes: send the request by QUERY or POST`,
    );
  const text = /(?:^|&)q=([^&]*)/.exec(query)?.[1];
  if (text === undefined) return mayBeMissing ? "" : new BodyFault("missing query param 'q'");
  try {
    return decodeURIComponent(text.replace(/[+]/g, " "));
  } catch {
    return new BodyFault("invalid query param 'q': malformed percent-encoding");
  }
}

/** Returns the path and the query of a request, including a prefix below which the server is mounted. */
export function targetOf(carrier: unknown): string {
  const { originalUrl, url } = (carrier ?? {}) as { readonly originalUrl?: unknown; readonly url?: unknown };
  return `${originalUrl ?? url ?? ""}`.replace(/^[a-z]+:[/][/][^/?#]*/i, "");
}
