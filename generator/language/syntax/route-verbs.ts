/** The HTTP methods of routes, in upper case only. */
export const routeVerbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"] as const;

export type RouteVerb = (typeof routeVerbs)[number];

/** The verbs of requests without a body. */
export const bodilessVerbs: ReadonlySet<string> = new Set<RouteVerb>(["GET", "DELETE", "QUERY"]);

const known: ReadonlySet<string> = new Set(routeVerbs);

export function isRouteVerb(word: string): word is RouteVerb {
  return known.has(word);
}
