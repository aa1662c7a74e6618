/** The HTTP methods of routes, in upper case only. */
export const routeVerbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"] as const;

export type RouteVerb = (typeof routeVerbs)[number];

const known: ReadonlySet<string> = new Set(routeVerbs);

export function isRouteVerb(word: string): word is RouteVerb {
  return known.has(word);
}
