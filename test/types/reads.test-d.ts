/** What the types of reads and of conditional writes must reject. Checked by `npm run types`. */
import { byGet, etagOf, ifMatch } from "../../generator/runtime/src/client.ts";
import type { NotModified } from "../../generator/runtime/src/reads.ts";
import { changeOrder, getOrder } from "../fixtures/reads/generated/client.ts";
import type { ShopHandlers } from "../fixtures/reads/generated/server.ts";

const order = { order: { id: 1, note: "" } };
declare const foreign: NotModified;

export const reads: ShopHandlers["GetOrder"] = (ctx) => ctx.notModified("v1") ?? order;
export const returnsFile: ShopHandlers["Picture"] = (ctx) => ctx.notModified("v1") ?? new Blob([]);
// @ts-expect-error a version is text
export const numbers: ShopHandlers["GetOrder"] = (ctx) => ctx.notModified(1) ?? order;
// @ts-expect-error only reads accept it
export const write: ShopHandlers["ChangeOrder"] = () => foreign;
// @ts-expect-error only reads accept it
export const unlisted: ShopHandlers["Peek"] = () => foreign;
// @ts-expect-error the method is no read
export const peek: ShopHandlers["Peek"] = (ctx) => ctx.notModified("v1") ?? order;
export const changes: ShopHandlers["ChangeOrder"] = (ctx) => {
  ctx.requireMatch("v1");
  ctx.requireMatch(undefined);
  return order;
};
// @ts-expect-error a read checks nothing
export const readsOnly: ShopHandlers["GetOrder"] = (ctx) => ctx.requireMatch("v1") ?? order;

const client = { url: "http://localhost", reads: byGet };
const read = await getOrder(client, { id: 1 });
await changeOrder(client, { id: 1, note: "" }, ifMatch(etagOf(read) ?? ""));
// @ts-expect-error there may be no version
ifMatch(etagOf(read));
// @ts-expect-error there is no such form
getOrder({ url: "http://localhost", reads: "get" }, { id: 1 });
