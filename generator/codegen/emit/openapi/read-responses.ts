/** What reads add to operations: headers for caches, and the responses to conditions and ranges. */
import type { Json } from "../../plan/json.ts";
import type { PlannedMethod, PlannedRead } from "../../plan/plan.ts";

/** The headers of a response that caches know. */
export function cacheHeaders({ cacheControl, vary }: PlannedRead): { readonly [name: string]: Json } {
  return {
    ETag: { description: "The version of the response.", schema: text },
    "Cache-Control": { schema: { type: "string", const: cacheControl } },
    ...(vary.length === 0 ? {} : { Vary: { schema: { type: "string", const: vary.join(", ") } } }),
  };
}

/** The further responses of a read. `isInQuery`: its request is JSON in the query. */
export function readResponses(
  { fileOutput }: PlannedMethod,
  read: PlannedRead,
  isInQuery: boolean,
): Readonly<Record<string, Json>> {
  return {
    ...(fileOutput && {
      "206": {
        description: "The part of the file that the header Range requests",
        headers: { "Content-Range": { schema: text }, ...cacheHeaders(read) },
        content: { "*/*": {} },
      },
    }),
    "304": { description: "The caller has this version", headers: cacheHeaders(read) },
    ...(isInQuery && {
      "414": { description: "The path and the query are longer than 2000 bytes" },
      "431": { description: "The URL and the headers are longer than the HTTP server reads" },
    }),
    ...(fileOutput && { "416": { description: "The file does not have the requested part" } }),
  };
}

const text: Json = { type: "string" };
