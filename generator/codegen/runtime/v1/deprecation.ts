/** The headers of responses of deprecated methods. */
import type { ResponseHeaders } from "./headers.ts";

/** Days such as `2027-01-31`: the start of the day in UTC. */
export interface DeprecationDates {
  readonly deprecated?: string;
  /** When the method stops working. */
  readonly sunset?: string;
}

/** Creates `Deprecation` (RFC 9745), seconds since 1970 as a structured date, and `Sunset` (RFC 8594), an HTTP date. */
export function deprecationHeaders({ deprecated, sunset }: DeprecationDates): ResponseHeaders {
  return {
    ...(deprecated !== undefined && { Deprecation: `@${Date.parse(deprecated) / 1000}` }),
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
  };
}
