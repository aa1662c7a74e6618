import { cacheControl, cacheName, readCache } from "../../language/model/annotations.ts";
import type { PlannedMethod, PlannedRead } from "./plan.ts";

/**
 * Returns how caches may use the responses of a method, or undefined if it is called by neither GET nor QUERY. Without
 * `@cache`, caches ask the server each time, and keep nothing that needs credentials.
 */
export function planRead(
  annotations: PlannedMethod["annotations"],
  route: { readonly verb: string } | undefined,
): PlannedRead | undefined {
  if (annotations.has(cacheName)) {
    const rule = readCache(annotations.get(cacheName));
    return "fault" in rule ? undefined : { cacheControl: cacheControl(rule), vary: rule.vary };
  }
  if (route?.verb !== "GET" && route?.verb !== "QUERY") return undefined;
  return { cacheControl: annotations.has("auth") ? "no-store" : "no-cache", vary: [] };
}
