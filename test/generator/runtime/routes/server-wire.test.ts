/** Requests to methods with routes, as sent, over each adapter. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer } from "../../../fixtures/routes/generated/server.ts";
import { adapterNames, type RunningServer, serveWith } from "../../../support/adapters.ts";
import { type RawAnswer, type RawRequest, rawRequest } from "../../../support/raw-http.ts";
import { routedHandlers } from "./handlers.ts";

interface Row extends Partial<RawRequest> {
  readonly path: string;
  readonly answer?: unknown;
  /** Of an error. */
  readonly code?: number;
  readonly status?: number;
  readonly cause?: string;
  readonly allow?: string;
}

const items = "/rpc/items";
const item = { id: 5, name: "item 5", tags: [] };
const noType = { "Content-Type": "" };
const bodiless = new Set(["GET", "HEAD", "DELETE", "QUERY", "OPTIONS"]);

const served: Readonly<Record<string, Row>> = {
  "GET with a path parameter": { path: `${items}/5`, answer: { item } },
  "DELETE without outputs": { method: "DELETE", path: `${items}/5`, answer: {} },
  "POST with a body": {
    method: "POST",
    path: items,
    body: '{"name":"a","tags":["b"]}',
    answer: { item: { id: 0, name: "a", tags: ["b"] } },
  },
  "PUT with a path parameter and a body": {
    method: "PUT",
    path: `${items}/5`,
    body: '{"name":"a","tags":["b"]}',
    answer: { id: 5, name: "a", tags: ["b"] },
  },
  "the path wins over the body": {
    method: "PUT",
    path: `${items}/5`,
    body: '{"id":6,"name":"a","tags":[]}\n',
    answer: { id: 5, name: "a", tags: [] },
  },
  "a body with only blanks in its object": {
    method: "PATCH",
    path: `${items}/5`,
    body: " { \n } ",
    answer: { item: { id: 5, name: "unchanged", tags: [] } },
  },
  "an empty body": {
    method: "PATCH",
    path: `${items}/5`,
    answer: { item: { id: 5, name: "unchanged", tags: [] } },
  },
  "null as the body": {
    method: "PATCH",
    path: `${items}/5`,
    body: " null\n",
    answer: { item: { id: 5, name: "unchanged", tags: [] } },
  },
  "an empty body for a request without fields": { method: "POST", path: `${items}/reset`, answer: {} },
  "an object for a request without fields": {
    method: "POST",
    path: `${items}/reset`,
    body: "{}",
    answer: {},
  },
  "QUERY with a query": {
    method: "QUERY",
    path: `${items}/search?text=a%20b+c%2Bd`,
    answer: { found: ["a b c+d", "undefined"] },
  },
  "a query with everything": {
    path: `${items}?limit=20&tags=a&tags=b&active=true&kinds=USER&kinds=Robot&since=2025-01-31T12:00:00Z&page=2`,
    answer: {
      request: {
        limit: 20,
        tags: ["a", "b"],
        active: true,
        kinds: ["USER", "Robot"],
        since: "2025-01-31T12:00:00Z",
        page: 2,
      },
    },
  },
  "a query without optional fields: a missing list is empty, a default is filled in": {
    path: `${items}?limit=20`,
    answer: { request: { limit: 20, tags: [], page: 1 } },
  },
  "empty items of a list, and names that the request does not have": {
    path: `${items}?&limit=20&&tags=&tags&other=1&__proto__=2&broken=%`,
    answer: { request: { limit: 20, tags: ["", ""], page: 1 } },
  },
  "the first value of a scalar that is given twice": {
    path: `${items}?limit=1&limit=2`,
    answer: { request: { limit: 1, tags: [], page: 1 } },
  },
  "a path parameter given again in the query": { path: `${items}/5?id=6`, answer: { item } },
  "a text before a parameter": { path: `${items}/5/children/first`, answer: { id: 5 } },
  "a parameter beside a text": {
    path: `${items}/5/children/second`,
    answer: { id: 5, childId: "second" },
  },
  "a slash with percent signs, inside of a segment": {
    path: `${items}/5/children/a%2Fb`,
    answer: { id: 5, childId: "a/b" },
  },
  "UTF-8 and other characters in a segment": {
    path: `${items}/5/children/%C3%A9%20+%25`,
    answer: { id: 5, childId: "é +%" },
  },
  "a parameter in the path of the service": {
    path: "/rpc/orgs/acme/teams?lists=9007199254740991&lists=-9007199254740991",
    answer: { org: "acme", lists: [9007199254740991, -9007199254740991] },
  },
  "names that every object has": {
    method: "POST",
    path: "/rpc/orgs/__proto__/teams/7/name",
    body: '{"toString":"a"}',
    answer: { org: "__proto__", id: 7, toString: "a" },
  },
  "a missing field whose name every object has": {
    path: "/rpc/orgs/constructor/teams/find",
    answer: { org: "constructor" },
  },
  "a text in the body that looks like its end": {
    method: "PATCH",
    path: `${items}/5`,
    body: '{"name":"}"}',
    answer: { item: { id: 5, name: "}", tags: [] } },
  },
  "a content type of a request without a body": {
    path: `${items}/5`,
    headers: { "Content-Type": "text/plain", "Content-Encoding": "gzip" },
    answer: { item },
  },
  "a method without a route on its default path": {
    method: "POST",
    path: "/rpc/Items/RpcMethod",
    body: '{"id":5}',
    answer: { id: 5 },
  },
};

const notFound = { code: -2, status: 404 } as const;
const badMethod = { code: -3, status: 405 } as const;
const rejected: Readonly<Record<string, Row>> = {
  "the default path of a method with a route": {
    method: "POST",
    path: "/rpc/Items/GetItem",
    body: '{"id":5}',
    ...notFound,
  },
  "a path of no route": { path: `${items}/5/parents`, ...notFound },
  "a slash at the end": { path: `${items}/5/`, ...notFound },
  "a slash at the end of a path without parameters": { method: "POST", path: `${items}/`, ...notFound },
  "two slashes": { path: `/rpc//items/5`, ...notFound },
  "an empty parameter": { path: `${items}//children/first`, ...notFound },
  "another case": { path: "/rpc/Items/5", ...notFound },
  "a text with percent signs": { path: "/rpc/%69tems/5", ...notFound },
  "a name that every object has": { path: `${items}/5/__proto__`, ...notFound },

  "a verb that the path does not have": {
    method: "POST",
    path: `${items}/5`,
    body: "{}",
    ...badMethod,
    cause: "unsupported HTTP method POST (allowed: GET, PUT, PATCH, DELETE)",
    allow: "GET, HEAD, PUT, PATCH, DELETE",
  },
  "a verb that another path has": {
    method: "PUT",
    path: `${items}/reset/name`,
    body: "{}",
    ...notFound,
  },
  "verbs of a text and of a parameter on the same path": {
    method: "QUERY",
    path: `${items}/reset`,
    ...badMethod,
    cause: "unsupported HTTP method QUERY (allowed: GET, POST, PUT, PATCH, DELETE)",
    allow: "GET, HEAD, POST, PUT, PATCH, DELETE",
  },
  "OPTIONS, which is left to a layer for CORS": {
    method: "OPTIONS",
    path: `${items}/search`,
    ...badMethod,
    cause: "unsupported HTTP method OPTIONS (allowed: GET, PUT, PATCH, DELETE, QUERY)",
    allow: "GET, HEAD, PUT, PATCH, DELETE, QUERY",
  },
  "HEAD on a path without GET": {
    method: "HEAD",
    path: "/rpc/orgs/acme/teams/7/name",
    status: 405,
    allow: "POST",
  },
  "GET of a method without a route": {
    path: "/rpc/Items/RpcMethod",
    ...badMethod,
    cause: "methods must be called with POST",
    allow: "POST",
  },

  "a body without a content type": {
    method: "POST",
    path: `${items}/reset`,
    headers: noType,
    body: "{}",
    code: -4,
    cause: "Content-Type must be application/json",
  },
  "text as the content type, of an empty body too": {
    method: "POST",
    path: `${items}/reset`,
    headers: { "Content-Type": "text/plain" },
    code: -4,
    cause: "Content-Type must be application/json",
  },
  "a list as the body": {
    method: "PATCH",
    path: `${items}/5`,
    body: "[{}]",
    code: -4,
    cause: "body: expected an object, found a list",
  },
  "a body that is not JSON": { method: "PATCH", path: `${items}/5`, body: '{"name":"}', code: -4 },
  "a body that ends too early": { method: "PATCH", path: `${items}/5`, body: '{"name":{}', code: -4 },
  "a body that is only blanks": { method: "PATCH", path: `${items}/5`, body: "  ", code: -4 },
  "a body with another blank of Unicode": {
    method: "PATCH",
    path: `${items}/5`,
    body: "{}\u00a0",
    code: -4,
  },
  "a body past the limit": {
    method: "PATCH",
    path: `${items}/5`,
    body: `{"name":"${"x".repeat(1024 * 1024)}"}`,
    code: -4,
    status: 413,
    cause: "the body is larger than 1048576 bytes",
  },

  "a path parameter of the wrong type": {
    path: `${items}/x`,
    code: -4,
    cause: `invalid path param 'id': "x" is not a valid uint64`,
  },
  "a path parameter of the wrong type, before a broken body": {
    method: "PUT",
    path: `${items}/x`,
    body: "{",
    code: -4,
    cause: `invalid path param 'id': "x" is not a valid uint64`,
  },
  "the longest value that is quoted whole": {
    path: `${items}/${"x".repeat(60)}`,
    code: -4,
    cause: `invalid path param 'id': "${"x".repeat(60)}" is not a valid uint64`,
  },
  "a long value, which is quoted in part": {
    path: `${items}/${"x".repeat(61)}`,
    code: -4,
    cause: `invalid path param 'id': "${"x".repeat(60)}…" is not a valid uint64`,
  },
  "a query parameter of the wrong type": {
    path: `${items}?limit=many`,
    code: -4,
    cause: `invalid query param 'limit': "many" is not a valid uint32`,
  },
  "an empty query parameter": {
    path: `${items}?limit`,
    code: -4,
    cause: `invalid query param 'limit': "" is not a valid uint32`,
  },
  "a second value of the wrong type": {
    path: `${items}?limit=1&limit=x`,
    code: -4,
    cause: `invalid query param 'limit': "x" is not a valid uint32`,
  },
  "an item of the wrong type": {
    path: "/rpc/orgs/acme/teams?lists=1&lists=x",
    code: -4,
    cause: `invalid query param 'lists': "x" is not a valid int64`,
  },
  "a missing scalar": { path: items, code: -4, cause: "missing query param 'limit'" },
  "a missing scalar of QUERY": {
    method: "QUERY",
    path: `${items}/search`,
    code: -4,
    cause: "missing query param 'text'",
  },
  "a secret of the wrong type, which is not quoted": {
    path: `${items}/secret?code=65536`,
    code: -4,
    cause: "invalid query param 'code': the value is not a valid uint16",
  },
  "an integer that a number does not hold": {
    path: `${items}/9007199254740992`,
    code: -4,
    cause: `invalid path param 'id': "9007199254740992" is not a valid uint64 within ±(2^53 - 1)`,
  },
  "an enum's name instead of its JSON": {
    path: `${items}?limit=1&kinds=User`,
    code: -4,
    cause: expect.stringContaining("/kinds/0"),
  },
  "a timestamp that is none": {
    path: `${items}?limit=1&since=today`,
    code: -4,
    cause: expect.stringContaining("/since"),
  },
  "percent signs that are no UTF-8": {
    path: `${items}/5/children/%FF`,
    code: -4,
    cause: "invalid path param 'childId': malformed percent-encoding",
  },
  "a percent sign without digits": {
    path: `${items}/5/children/100%`,
    code: -4,
    cause: "invalid path param 'childId': malformed percent-encoding",
  },
  "a broken percent sign in the query": {
    path: `${items}?limit=1&tags=%2`,
    code: -4,
    cause: "invalid query param 'tags': malformed percent-encoding",
  },
  "a broken name in the query": {
    path: `${items}?limit=1&%zz=1`,
    code: -4,
    cause: "malformed percent-encoding in the query",
  },
  "NUL in a path": {
    path: `${items}/5/children/%00`,
    code: -4,
    cause: "NUL in a key or a string",
  },

  "an error of the schema": {
    method: "PATCH",
    path: `${items}/404`,
    code: 100,
    status: 404,
  },
};

const webrpc = /^webrpc@v0\.48\.0;.*routes@v1\.0\.0$/;

describe.each(adapterNames)("over %s", (adapter) => {
  let running: RunningServer;
  beforeAll(async () => {
    running = await serveWith(adapter, createServer(routedHandlers, { checkResponses: true }));
  });
  afterAll(() => running[Symbol.asyncDispose]());

  async function send({ method = "GET", path, headers, body = "" }: Row): Promise<RawAnswer> {
    const type = bodiless.has(method) ? noType : {};
    return await rawRequest(running.port, { method, path, body, headers: { ...type, ...headers } });
  }

  test.each(Object.entries(served))("serves %s", async (_about, row) => {
    const { status, headers, body } = await send(row);
    expect([status, JSON.parse(body)]).toEqual([200, row.answer]);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["webrpc"]).toMatch(webrpc);
  });

  test.each(Object.entries(rejected))("rejects %s", async (_about, row) => {
    const { status, headers, body } = await send(row);
    expect(status).toBe(row.status ?? 400);
    expect(headers["allow"]).toBe(row.allow);
    expect(headers["webrpc"]).toMatch(webrpc);
    expect(headers["x-request-id"]).toMatch(/^\w+-\d+$/);
    if (row.method === "HEAD") return;
    const error = JSON.parse(body);
    expect(error).toMatchObject({ code: row.code, status: row.status ?? 400 });
    if (row.cause !== undefined) expect(error.cause).toEqual(row.cause);
  });

  test("serves HEAD as GET, without a body", async () => {
    const get = await send({ path: `${items}/5` });
    const head = await send({ method: "HEAD", path: `${items}/5` });
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(head.headers["webrpc"]).toMatch(webrpc);
  });

  test("responds to a request without a body before its body has arrived", async () => {
    const response = await rawRequest(running.port, {
      method: "DELETE",
      path: `${items}/5`,
      headers: { ...noType, "Content-Length": "1000" },
      body: "{",
    });
    expect([response.status, response.body]).toEqual([200, "{}"]);
  });
});
