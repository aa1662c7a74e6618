/** Hooks, deadlines and recorders of servers with reads. */
import { expect, test } from "vitest";
import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import type { CallRecord } from "../../../../generator/runtime/src/options.ts";
import type { ReadContext } from "../../../../generator/runtime/src/reads.ts";
import { createPartialServer, createServer } from "../../../fixtures/reads/generated/server.ts";
import { newShelf } from "./handlers.ts";

const getOrder = `http://a/rpc/Shop/GetOrder?q=${encodeURIComponent('{"id":1}')}`;
const picture = `http://a/rpc/Shop/Picture?q=${encodeURIComponent('{"id":6}')}`;
const known = { headers: { "If-None-Match": "*" } };

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { readonly error: string };
  return [response.status, error, response.headers.get("cache-control"), response.headers.get("etag")];
}

test("hooks see the request and the method, and their errors are not cached", async () => {
  const seen: unknown[] = [];
  const serve = fetchHandler(
    createServer(newShelf().handlers, {
      context: ({ method }) => seen.push(method.name),
      checkRequest: (call, request) => {
        seen.push(request);
        return call.header("x-key") ? undefined : call.errors.NotFound();
      },
    }),
  );
  expect(await errorOf(await serve(new Request(getOrder, known)))).toEqual([
    404,
    "NotFound",
    "no-store",
    null,
  ]);
  const allowed = { headers: { ...known.headers, "X-Key": "k" } };
  expect((await serve(new Request(getOrder, allowed))).status).toBe(304);
  expect(seen).toEqual(["GetOrder", { id: 1 }, "GetOrder", { id: 1 }]);
});

test("a handler gets the same context as without reads", async () => {
  let ctx: ReadContext<unknown> | undefined;
  const { handlers } = newShelf();
  const server = createPartialServer<string>(
    {
      Shop: {
        ...handlers.Shop,
        GetOrder: (given) => {
          ctx = given;
          return given.errors.NotFound();
        },
      },
    },
    { context: () => "host", requestId: () => "id-1" },
  );
  const serve = fetchHandler(server);
  await serve(new Request(getOrder));
  expect([ctx?.context, ctx?.requestId, ctx?.method.name, ctx?.signal.aborted]).toEqual([
    "host",
    "id-1",
    "GetOrder",
    false,
  ]);
  expect((await serve(new Request("http://a/rpc/desk/1"))).status).toBe(404);
});

test("errors of deadlines and bugs are not cached", async () => {
  const { handlers } = newShelf();
  const slow = { ...handlers.Shop, GetOrder: () => new Promise<never>(() => {}) };
  const failing = {
    ...handlers.Desk,
    Look: () => {
      throw new Error("bug");
    },
  };
  const serve = fetchHandler(
    createServer(
      { Shop: slow, Desk: failing },
      { deadline: { ms: 5, error: (errors) => errors.NotFound() } },
    ),
  );
  expect(await errorOf(await serve(new Request(getOrder)))).toEqual([404, "NotFound", "no-store", null]);
  expect(await errorOf(await serve(new Request("http://a/rpc/desk/1")))).toEqual([
    500,
    "WebrpcInternalError",
    "no-store",
    null,
  ]);
});

test("a file that comes after the deadline, or for a caller who has left, is closed", async () => {
  const { handlers, openFiles, worked } = newShelf();
  const waiting: (() => void)[] = [];
  const Picture: typeof handlers.Shop.Picture = async (ctx, request) => {
    await new Promise<void>((done) => waiting.push(done));
    return handlers.Shop.Picture(ctx, request);
  };
  const serve = fetchHandler(
    createPartialServer(
      { Shop: { ...handlers.Shop, Picture } },
      { deadline: { ms: 50, error: (errors) => errors.NotFound() } },
    ),
  );
  expect((await serve(new Request(picture))).status).toBe(404);
  waiting[0]?.();
  await expect.poll(() => [worked.length, openFiles.size]).toEqual([1, 0]);
  const caller = new AbortController();
  const response = serve(new Request(picture, { signal: caller.signal }));
  await expect.poll(() => waiting).toHaveLength(2);
  caller.abort();
  waiting[1]?.();
  await response.catch(() => {});
  await expect.poll(() => [worked.length, openFiles.size]).toEqual([2, 0]);
});

test("a recorder gets whole files", async () => {
  const serve = fetchHandler(createServer(newShelf().handlers, { recorder: { record: () => {} } }));
  const response = await serve(new Request(picture, { headers: { Range: "bytes=0-1" } }));
  expect([response.status, await response.text()]).toEqual([200, "0123456789"]);
});

test("a recorder gets whole responses", async () => {
  const calls: CallRecord[] = [];
  const serve = fetchHandler(
    createServer(newShelf().handlers, { recorder: { record: (call) => calls.push(call) } }),
  );
  const response = await serve(new Request(getOrder, known));
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "max-age=60"]);
  expect(calls).toMatchObject([
    { status: 200, request: '{"id":1}', answer: '{"order":{"id":1,"note":"one"}}' },
  ]);
});

test("the path of a read names its method", () => {
  const server = createServer(newShelf().handlers);
  expect(server.methodAt("/rpc/Shop/GetOrder")?.name).toBe("GetOrder");
  expect(server.methodAt("/rpc/desk/1")?.name).toBe("Look");
});

test.each([
  ["a read", getOrder, 200],
  ["a read that fails", getOrder.replace(/1%7D$/, "9%7D"), 404],
  ["an unknown path", "http://a/rpc/Shop/Lost", 404],
  ["a write", "http://a/rpc/Shop/ChangeOrder", 405],
])("HEAD of %s has the length of the body, but no body", async (_about, url, status) => {
  const serve = fetchHandler(createServer(newShelf().handlers));
  const head = await serve(new Request(url, { method: "HEAD" }));
  expect([head.status, head.body]).toEqual([status, null]);
  expect(head.headers.get("content-type")).toBe("application/json");
  if (status === 405) return;
  const get = await serve(new Request(url));
  expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
});
