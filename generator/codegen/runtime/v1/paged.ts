/** Methods whose responses are pages of a list. */
import type { RpcError } from "./errors.ts";
import type { Method } from "./method.ts";

/** A method with `@paging`. `pages` and `items` read its list. */
export interface PagedMethod<Req, Res, Err extends RpcError, Item> extends Method<Req, Res, Err> {
  readonly paging: Paging<Req, Res, Item>;
}

export interface Paging<Req, Res, Item> {
  /** Returns the request of the page after `page`, which is the response to `req`. Undefined after the last page. */
  readonly next: (page: Res, req: Req) => Req | undefined;
  readonly items: (page: Res) => readonly Item[];
}

/** Adds paging to a new method. Generated code calls this at module level, so it must have no side effects. */
export function paged<Req, Res, Err extends RpcError, Item>(
  method: Method<Req, Res, Err>,
  paging: Paging<Req, Res, Item>,
): PagedMethod<Req, Res, Err, Item> {
  return Object.assign(method, { paging });
}
