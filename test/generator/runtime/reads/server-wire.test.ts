/** Reads by GET, HEAD and QUERY, as sent over each adapter: headers for caches, conditions, and parts of files. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createServer } from "../../../fixtures/reads/generated/server.ts";
import { adapterNames, type RunningServer, serveWith } from "../../../support/adapters.ts";
import { type RawAnswer, rawRequest } from "../../../support/raw-http.ts";
import { newShelf, type Shelf } from "./handlers.ts";

const noType = { "Content-Type": "", "Content-Length": "" };
const quoted = (json: string): string => `?q=${encodeURIComponent(json)}`;
const getOrder = `/rpc/Shop/GetOrder${quoted('{"id":1}')}`;
const findOrders = "/rpc/Shop/FindOrders";
const filter = '{"filter":{"tags":[]}}';
const first = '"order%20;1%2c;%20;version%20;1"';

describe.each(adapterNames)("over %s", (adapter) => {
  let running: RunningServer;
  let shelf: Shelf;
  const log: (readonly [path: string, status: number, error: string | undefined])[] = [];

  beforeAll(async () => {
    shelf = newShelf();
    const server = createServer(shelf.handlers, {
      checkResponses: true,
      guards: [(call) => (call.header("x-refused") ? call.errors.NotFound() : undefined)],
      onResponse: ({ path, status, error }) => log.push([path, status, error?.name]),
    });
    running = await serveWith(adapter, server);
  });
  afterAll(() => running[Symbol.asyncDispose]());
  beforeEach(() => {
    log.length = 0;
    shelf.worked.length = 0;
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    rawRequest(running.port, { method, path, headers: { ...noType, ...headers } });
  const send = (method: string, path: string, body: string, headers = {}): Promise<RawAnswer> =>
    rawRequest(running.port, { method, path, body, headers });
  const errorOf = ({ status, headers, body }: RawAnswer) => [
    status,
    headers["cache-control"],
    JSON.parse(body).code,
    JSON.parse(body).cause,
  ];

  describe("headers for caches", () => {
    test.each([
      ["a version of the handler", getOrder, "max-age=60", "X-Access-Key", first],
      ["a hash", `${findOrders}${quoted(filter)}`, "public, no-cache", undefined, /^"[\w+/]{22}"$/],
      [
        "a request without fields",
        "/rpc/Shop/Count",
        "private, max-age=3600",
        "Accept-Language, Origin",
        /^"[\w+/]{22}"$/,
      ],
      ["a route", "/rpc/desk/1", "no-cache", undefined, /^"[\w+/]{22}"$/],
      ["a route with credentials", "/rpc/desk/1/own", "no-store", undefined, /^"[\w+/]{22}"$/],
    ])("%s", async (_about, path, cacheControl, vary, etag) => {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await get(path, {}, method);
        expect([status, headers["cache-control"], headers["vary"]]).toEqual([200, cacheControl, vary]);
        expect(headers["etag"]).toEqual(typeof etag === "string" ? etag : expect.stringMatching(etag));
        expect(headers["content-type"]).toBe("application/json");
      }
    });

    test("QUERY has the same response as GET", async () => {
      const viaGet = await get(`${findOrders}${quoted(filter)}`);
      const viaQuery = await send("QUERY", findOrders, filter);
      expect(viaQuery.body).toBe(viaGet.body);
      for (const name of ["etag", "cache-control", "content-type"])
        expect(viaQuery.headers[name]).toBe(viaGet.headers[name]);
      const routed = await get("/rpc/desk/search?text=a", {}, "QUERY");
      expect([routed.status, routed.headers["cache-control"], routed.body]).toEqual([
        200,
        "no-cache",
        '{"text":"a"}',
      ]);
    });

    test("POST has none of them", async () => {
      const { status, headers, body } = await send("POST", "/rpc/Shop/GetOrder", '{"id":1}', {
        "If-None-Match": first,
      });
      expect([status, body]).toEqual([200, '{"order":{"id":1,"note":"one"}}']);
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["cache-control"]));
      expect([headers["cache-control"], headers["etag"], headers["vary"]]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      const failed = await send("POST", "/rpc/Shop/Peek", "[]");
      expect([failed.status, failed.headers["cache-control"]]).toEqual([400, undefined]);
    });

    test("the same response has the same hash, and another one another", async () => {
      const tag = async (json: string) => (await get(`${findOrders}${quoted(json)}`)).headers["etag"];
      expect(await tag(filter)).toBe(await tag(`${filter} `));
      expect(await tag(filter)).not.toBe(await tag('{"filter":{"tags":["a"]}}'));
    });
  });

  describe("the request in the query", () => {
    test.each([
      ["JSON with percent signs", quoted('{"filter":{"tags":["a+b&c=d é"]}}'), ["a+b&c=d é"]],
      ["plus signs for blanks", "?q=%7B%22filter%22:%7B%22tags%22:%5B%22a+b%22%5D%7D%7D", ["a b"]],
      ["the first of two", `${quoted('{"filter":{"tags":["a"]}}')}&q=1`, ["a"]],
      ["other names", `?x=1&${quoted('{"filter":{"tags":["a"]}}').slice(1)}&utm=%`, ["a"]],
    ])("%s", async (_about, query, tags) => {
      const { status, body } = await get(`${findOrders}${query}`);
      expect([status, JSON.parse(body)]).toEqual([200, { filter: { tags } }]);
    });

    test.each([
      ["no q", "?p=1", "missing query param 'q'"],
      ["broken percent signs", "?q=%7", "invalid query param 'q': malformed percent-encoding"],
      ["no JSON", "?q=a", expect.stringContaining("not JSON")],
      ["a list", "?q=[]", expect.stringContaining("an object")],
      ["an invalid field", quoted('{"filter":{"tags":1}}'), expect.stringContaining("/filter/tags")],
    ])("%s is rejected", async (_about, query, cause) => {
      expect(errorOf(await get(`${findOrders}${query}`))).toEqual([400, "no-store", -4, cause]);
    });

    test.each([
      [1_999, 200],
      [2_000, 200],
      [2_001, 414],
    ])("a target of %i bytes gets HTTP %i", async (length, status) => {
      const start = `${findOrders}?q=`;
      const empty = encodeURIComponent('{"filter":{"tags":[""]}}').length;
      const text = "a".repeat(length - start.length - empty);
      const path = `${findOrders}${quoted(`{"filter":{"tags":["${text}"]}}`)}`;
      expect(path).toHaveLength(length);
      const response = await get(path);
      expect(response.status).toBe(status);
      if (status === 200) return;
      expect(errorOf(response)).toEqual([414, "no-store", -4, expect.stringContaining("2000 bytes")]);
      expect(JSON.parse(response.body).status).toBe(414);
      expect(log).toEqual([[findOrders, 414, "WebrpcBadRequest"]]);
    });
  });

  describe("If-None-Match", () => {
    test.each([
      ["the same tag", first, 304],
      ["any tag", "*", 304],
      ["a weak tag", `W/${first}`, 304],
      ["a list", `"a", W/"b,c" ,${first}`, 304],
      ["a list with a tag in Latin-1", `"\xe9",${first}`, 304],
      ["another tag", '"order%20;1%2c;%20;version%20;2"', 200],
      ["a tag without quotes", first.slice(1, -1), 200],
      ["a part of the tag", '"order"', 200],
      ["nothing", "", 200],
    ])("%s", async (_about, tag, status) => {
      for (const method of ["GET", "HEAD"]) {
        const headers: Record<string, string> = tag === "" ? {} : { "If-None-Match": tag };
        const response = await get(getOrder, headers, method);
        expect(response.status).toBe(status);
        expect([
          response.headers["etag"],
          response.headers["cache-control"],
          response.headers["vary"],
        ]).toEqual([first, "max-age=60", "X-Access-Key"]);
        if (status === 304) {
          expect(response.body).toBe("");
          expect(response.headers["content-length"]).toBeUndefined();
          expect(response.headers["transfer-encoding"]).toBeUndefined();
        }
      }
      expect(shelf.worked).toEqual(status === 304 ? [] : ["GetOrder", "GetOrder"]);
      expect(log.map(([, logged]) => logged)).toEqual([status, status]);
    });

    test("compares the hash after the handler has done its work", async () => {
      const path = `${findOrders}${quoted(filter)}`;
      const { etag = "" } = (await get(path)).headers;
      const same = await get(path, { "If-None-Match": etag });
      expect([same.status, same.body, same.headers["etag"]]).toEqual([304, "", etag]);
      const viaQuery = await send("QUERY", findOrders, filter, { "If-None-Match": etag });
      expect(viaQuery.status).toBe(304);
      expect(shelf.worked).toHaveLength(3);
      const routed = await get("/rpc/desk/1");
      const again = await get("/rpc/desk/1", { "If-None-Match": routed.headers["etag"] ?? "" });
      expect([again.status, again.headers["cache-control"]]).toEqual([304, "no-cache"]);
    });

    test("a changed state is a new response", async () => {
      const { etag = "" } = (await get(`/rpc/Shop/GetOrder${quoted('{"id":2}')}`)).headers;
      await send("POST", "/rpc/Shop/ChangeOrder", '{"id":2,"note":"changed"}');
      const changed = await get(`/rpc/Shop/GetOrder${quoted('{"id":2}')}`, { "If-None-Match": etag });
      expect([changed.status, changed.body]).toEqual([200, '{"order":{"id":2,"note":"changed"}}']);
    });

    test("the NotModified of another call is a bug of the handler", async () => {
      const path = (id: number): string => `/rpc/Shop/Wrong${quoted(`{"id":${id}}`)}`;
      expect((await get(path(1), { "If-None-Match": "*" })).status).toBe(304);
      const response = await get(path(7), { "If-None-Match": "*" });
      expect(errorOf(response).slice(0, 3)).toEqual([500, "no-store", -5]);
    });
  });

  describe("errors are not cached", () => {
    test.each([
      ["of the schema", () => get(`/rpc/Shop/GetOrder${quoted('{"id":9}')}`), 404],
      ["of a guard", () => get(getOrder, { "X-Refused": "1" }), 404],
      ["of a route", () => get("/rpc/desk/9"), 404],
      ["of an unknown path", () => get("/rpc/Shop/Nothing"), 404],
      ["of a method that is no read", () => get(`/rpc/Shop/Peek${quoted('{"id":1}')}`), 405],
      ["of a verb", () => send("PUT", "/rpc/Shop/GetOrder", "{}"), 405],
      ["of a verb on a route", () => send("POST", "/rpc/desk/1", "{}"), 405],
    ])("%s", async (_about, ask, status) => {
      const response = await ask();
      expect([response.status, response.headers["cache-control"]]).toEqual([status, "no-store"]);
      expect(response.headers["x-request-id"]).toMatch(/^\w+-\d+$/);
      expect(response.headers["etag"]).toBeUndefined();
      expect(log.map(([, logged]) => logged)).toEqual([status]);
    });

    // Koa passes such a path to the next middleware.
    test.skipIf(adapter === "koa")("of a path outside of the basepath", async () => {
      const { status, headers } = await get(`/${getOrder}`);
      expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
    });

    test("Allow lists what is served", async () => {
      const put = await send("PUT", "/rpc/Shop/GetOrder", "{}");
      expect(put.headers["allow"]).toBe("GET, HEAD, POST, QUERY");
      expect((await get("/rpc/Shop/Peek")).headers["allow"]).toBe("POST");
      expect((await send("POST", "/rpc/desk/1", "{}")).headers["allow"]).toBe("GET, HEAD, PUT");
    });
  });

  describe("If-Match", () => {
    const change = (tag: string | undefined, id = 1) =>
      send(
        "POST",
        "/rpc/Shop/ChangeOrder",
        `{"id":${id},"note":"one"}`,
        tag === undefined ? {} : { "If-Match": tag },
      );

    test("changes only the version that the caller has seen", async () => {
      const { etag = "" } = (await get(getOrder)).headers;
      expect((await change(`"x", ${etag}`)).status).toBe(200);
      const late = await change(etag);
      expect([late.status, JSON.parse(late.body).error]).toEqual([412, "Changed"]);
      expect((await change("*")).status).toBe(200);
      expect((await change(undefined)).status).toBe(200);
    });

    test("a weak tag matches nothing, and no tag matches what does not exist", async () => {
      const { etag = "" } = (await get(getOrder)).headers;
      expect((await change(`W/${etag}`)).status).toBe(412);
      expect((await change("*", 9)).status).toBe(412);
      expect((await change(undefined, 9)).status).toBe(404);
    });

    test("works on routes", async () => {
      const put = (tag: string) => send("PUT", "/rpc/desk/2", '{"note":"two"}', { "If-Match": tag });
      const { etag = "" } = (await get(`/rpc/Shop/GetOrder${quoted('{"id":2}')}`)).headers;
      expect((await put(etag)).status).toBe(200);
      expect((await put('"other"')).status).toBe(412);
    });
  });

  describe("files", () => {
    const picture = (id: number): string => `/rpc/Shop/Picture${quoted(`{"id":${id}}`)}`;
    const named = 'inline; filename="digits.png"';

    test("are read by GET, and their head by HEAD", async () => {
      for (const id of [1, 2, 3]) {
        const file = await get(picture(id));
        expect([file.status, file.body, file.headers["content-type"]]).toEqual([
          200,
          "0123456789",
          "image/png",
        ]);
        expect([file.headers["accept-ranges"], file.headers["content-length"]]).toEqual(["bytes", "10"]);
        expect(file.headers["cache-control"]).toBe("max-age=86400");
        expect(file.headers["etag"]).toMatch(id === 1 ? /^"[\w+/]{22}"$/ : /^"picture%20;\d"$/);
        const head = await get(picture(id), {}, "HEAD");
        expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", "10"]);
        for (const name of ["etag", "accept-ranges", "content-type", "content-disposition"])
          expect(head.headers[name]).toBe(file.headers[name]);
        // A cache would send it to later callers.
        expect([file.headers["x-request-id"], head.headers["x-request-id"]]).toEqual([undefined, undefined]);
      }
      for (const id of [4, 6]) {
        const { headers } = await get(picture(id), {}, "HEAD");
        expect([headers["etag"], headers["content-type"]]).toEqual([undefined, "image/png"]);
      }
      const unsized = await get(picture(4));
      expect([unsized.headers["accept-ranges"], unsized.headers["etag"]]).toEqual([undefined, undefined]);
      expect(unsized.headers["content-disposition"]).toBe(named);
    });

    test.each([
      ["bytes=0-3", "0123", "bytes 0-3/10"],
      ["bytes=9-9", "9", "bytes 9-9/10"],
      ["bytes=2-", "23456789", "bytes 2-9/10"],
      ["bytes=3-99", "3456789", "bytes 3-9/10"],
      ["bytes=-3", "789", "bytes 7-9/10"],
      ["bytes=-99", "0123456789", "bytes 0-9/10"],
      ["bytes=3-4", "34", "bytes 3-4/10"],
    ])("%s is a part", async (range, body, placed) => {
      for (const id of [1, 2, 3]) {
        log.length = 0;
        const part = await get(picture(id), { Range: range });
        expect([part.status, part.body, part.headers["content-range"]]).toEqual([206, body, placed]);
        expect(part.headers["content-length"]).toBe(String(body.length));
        expect(part.headers["cache-control"]).toBe("max-age=86400");
        expect(log).toEqual([["/rpc/Shop/Picture", 206, undefined]]);
      }
    });

    test.each([
      ["bytes=10-", 1],
      ["bytes=-0", 2],
      ["bytes=99-100", 3],
      ["bytes=0-", 5],
      ["bytes=-1", 5],
    ])("%s of file %i does not exist", async (range, id) => {
      const response = await get(picture(id), { Range: range });
      expect(errorOf(response).slice(0, 3)).toEqual([416, "no-store", -4]);
      expect(response.headers["content-range"]).toBe(`bytes */${id === 5 ? 0 : 10}`);
      expect(log).toEqual([["/rpc/Shop/Picture", 416, "WebrpcBadRequest"]]);
    });

    test.each(["bytes=0-1,3-4", "bytes=4-2", "bytes=-", "items=0-1", "bytes=a-b"])(
      "%s gets the whole file",
      async (range) => {
        const file = await get(picture(1), { Range: range });
        expect([file.status, file.body, file.headers["content-range"]]).toEqual([
          200,
          "0123456789",
          undefined,
        ]);
      },
    );

    test("a part of an unknown size is the whole file, and so is one by HEAD or QUERY", async () => {
      expect((await get(picture(4), { Range: "bytes=0-1" })).status).toBe(200);
      expect((await get(picture(2), { Range: "bytes=0-1" }, "HEAD")).status).toBe(200);
      const viaQuery = await send("QUERY", "/rpc/Shop/Picture", '{"id":2}', { Range: "bytes=0-1" });
      expect([viaQuery.status, viaQuery.body]).toEqual([200, "0123456789"]);
    });

    test("If-Range: a part only of the same version", async () => {
      const part = (tag: string) => get(picture(2), { Range: "bytes=0-1", "If-Range": tag });
      expect((await part('"picture%20;2"')).status).toBe(206);
      expect((await part('"other"')).status).toBe(200);
      expect((await part('W/"picture%20;2"')).status).toBe(200);
      expect((await part("Wed, 21 Oct 2026 07:28:00 GMT")).status).toBe(200);
    });

    test("If-None-Match takes precedence over Range", async () => {
      for (const id of [1, 2, 3]) {
        const { etag = "" } = (await get(picture(id), {}, "HEAD")).headers;
        const same = await get(picture(id), { Range: "bytes=0-1", "If-None-Match": etag });
        expect([same.status, same.body, same.headers["etag"]]).toEqual([304, "", etag]);
      }
    });

    test("* matches a file without a version, too", async () => {
      for (const id of [1, 2, 4, 6])
        expect((await get(picture(id), { "If-None-Match": "*" })).status).toBe(304);
      expect((await get(picture(9), { "If-None-Match": "*" })).status).toBe(404);
    });

    test("a file that is not sent, or not to its end, is closed", async () => {
      expect((await get(picture(6), {}, "HEAD")).status).toBe(200);
      expect((await get(picture(6), { Range: "bytes=10-" })).status).toBe(416);
      expect((await get(picture(6), { "If-None-Match": "*" })).status).toBe(304);
      expect((await get(picture(6), { Range: "bytes=0-1" })).body).toBe("01");
      expect((await get(picture(6))).body).toBe("0123456789");
      await expect.poll(() => shelf.openFiles.size).toBe(0);
    });

    test("errors are JSON, and POST gets the whole file", async () => {
      expect(errorOf(await get(picture(9))).slice(0, 3)).toEqual([404, "no-store", 100]);
      const whole = await send("POST", "/rpc/Shop/Picture", '{"id":1}', { Range: "bytes=0-1" });
      expect([whole.status, whole.body, whole.headers["etag"]]).toEqual([200, "0123456789", undefined]);
    });
  });
});
