import type { McpApi } from "../../../../generator/runtime/src/mcp-api.ts";
import type { McpOptions } from "../../../../generator/runtime/src/mcp-call.ts";
import { apiOf, type CalledTools, json, toolsOf } from "./api.ts";

/** A schema with methods of all kinds. */
export const api: McpApi = apiOf(`
error 1 NotFound "no such order" HTTP 404

struct Order
  - id: int64
  - names: map<string,string>

# Sells things.
service Orders
  # Returns an order. It may be old.
  @readonly
  - GetOrder(id: int64) => (order: Order) errors NotFound
  @readonly @mcp
  - ListOrders(size?: uint32) => (orders: []Order)
  @idempotent @mcp
  - CancelOrder(id: uint64, reason?: string) => (ok: bool)
  @internal
  - Wipe() => (ok: bool)
  @mcp:off
  - Restart() => (ok: bool)

service Feeds
  - Watch() => stream (id: int64)

service Files
  - Read(name: string) => (file)
  - Write(title: string, data: file) => (ok: bool)

service Routed
  - Find(ids: []int64, name?: string, exact: bool) => (ok: bool)
    GET /find
  - Change(id: string, name: string) => (ok: bool)
    PUT /things/{id}
`);

/** Calls with a target that keeps the requests, and always responds the same. */
export function recorded(
  response: () => Response | Promise<Response> = () => json('{"ok":true}'),
  options?: McpOptions,
): CalledTools & { readonly sent: readonly string[] } {
  const sent: string[] = [];
  const target = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname}${search} ${await request.clone().text()}`.trim());
    return response();
  };
  return { ...toolsOf(api, target, options), sent };
}
