import type { Json } from "../../codegen/plan/json.ts";
import { type CallRequest, encoded } from "./routed-request.ts";

/** Longest path with its query by which servers must serve a read, in bytes. */
const targetMaxLength = 2_000;

/** Returns the requests of a read without a route: by GET, unless it is too long for a URL, and by QUERY. */
export function readRequests(path: string, body: Json): readonly CallRequest[] {
  const target = `${path}?q=${encoded(JSON.stringify(body))}`;
  const byQuery = { verb: "QUERY", path, body };
  return target.length > targetMaxLength ? [byQuery] : [{ verb: "GET", path: target }, byQuery];
}
