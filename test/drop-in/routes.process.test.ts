/** The drop-in file of a schema with routes: its client, its server, and both together. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { folder, ridlkit } from "../support/program.ts";

interface Served {
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Calls = Readonly<Record<string, (req?: unknown) => Promise<unknown>>>;
type Serve = (
  service: object,
  ctx: unknown,
  urlPath: string,
  body?: unknown,
  httpMethod?: string,
) => Promise<Served | null>;
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Generated {
  readonly Items: new (host: string, fetch: Fetch) => Calls;
  readonly Teams: new (host: string, fetch: Fetch) => Calls;
  readonly serveItemsRpc: Serve;
  readonly serveTeamsRpc: Serve;
}

let generated: Generated;
beforeAll(async () => {
  using made = folder({});
  const schema = fileURLToPath(new URL("../fixtures/routes/schema.ridl", import.meta.url));
  const args = [`-schema=${schema}`, "-target=typescript", "-client", "-server", "-out=t.ts", "-silent"];
  expect(await ridlkit(args, { cwd: made.path })).toMatchObject({ code: 0 });
  const { code } = await transform(readFileSync(join(made.path, "t.ts"), "utf8"), { loader: "ts" });
  generated = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Generated;
});

let seen: unknown;
/** Each method returns its request. */
const echo = new Proxy(
  {},
  {
    get: () => async (_ctx: unknown, req: unknown) => {
      seen = req;
      return req;
    },
  },
);

const ask = (httpMethod: string, urlPath: string, body?: unknown): Promise<Served | null> =>
  generated.serveItemsRpc(echo, undefined, urlPath, body, httpMethod);

describe("the client sends", () => {
  const sent: unknown[] = [];
  const fetch: Fetch = async (url, { method, headers, body }) => {
    sent.push([method, url, body, Object.keys(headers as object).sort()]);
    return new Response("{}");
  };

  test.each<[name: string, req: unknown, method: string, url: string, body?: string]>([
    ["getItem", { id: 5 }, "GET", "/items/5"],
    ["deleteItem", { id: 5 }, "DELETE", "/items/5"],
    ["getChild", { id: 5, childId: "a/b é" }, "GET", "/items/5/children/a%2Fb%20%C3%A9"],
    [
      "listItems",
      { limit: 1, tags: ["a&b", "c"], active: true, kinds: [], since: undefined },
      "GET",
      "/items?limit=1&tags=a%26b&tags=c&active=true",
    ],
    ["queryItems", { text: "" }, "QUERY", "/items/search?text="],
    ["updateItem", { id: 5, name: "a", tags: [] }, "PUT", "/items/5", '{"id":5,"name":"a","tags":[]}'],
    ["resetItems", undefined, "POST", "/items/reset", "{}"],
    ["rpcMethod", { id: 5 }, "POST", "/Items/RpcMethod", '{"id":5}'],
  ])("%s %j", async (name, req, method, url, body) => {
    sent.length = 0;
    const client = new generated.Items("http://host/", fetch);
    await (req === undefined ? client[name]?.() : client[name]?.(req));
    const headers = body === undefined ? ["Webrpc"] : ["Content-Type", "Webrpc"];
    expect(sent).toEqual([[method, `http://host/rpc${url}`, body, headers]]);
  });

  test.each(["", ".", "..", undefined])("no path with %j", async (childId) => {
    sent.length = 0;
    const client = new generated.Items("http://host", fetch);
    await expect(client["getChild"]?.({ id: 5, childId })).rejects.toMatchObject({
      code: -4,
      cause: 'childId must be text other than "", "." and ".."',
    });
    expect(sent).toEqual([]);
  });
});

describe("the server reads", () => {
  test.each<[method: string, url: string, body: unknown, request: unknown]>([
    ["GET", "/items/5", undefined, { id: 5 }],
    ["GET", "/items//5/", undefined, { id: 5 }],
    ["GET", "/items?limit=1&kinds=USER", undefined, { limit: 1, tags: [], kinds: ["USER"] }],
    [
      "GET",
      "/items?limit=1&limit=2&tags=a%20+b&active=T",
      undefined,
      { limit: 1, tags: ["a  b"], active: true },
    ],
    ["PUT", "/items/5", { id: 6, name: "a", tags: [] }, { id: 5, name: "a", tags: [] }],
    ["PATCH", "/items/5", null, { id: 5 }],
    ["PATCH", "/items/5", undefined, { id: 5 }],
    ["GET", "/items/5/children/first", undefined, { id: 5 }],
    ["GET", "/items/5/children/a%2Fb", undefined, { id: 5, childId: "a/b" }],
    ["POST", "/Items/RpcMethod", { id: 5 }, { id: 5 }],
  ])("%s %s %j", async (method, url, body, request) => {
    expect(await ask(method, `/rpc${url}`, body)).toMatchObject({ status: 200 });
    expect(seen).toMatchObject(request as object);
  });

  test.each<[method: string, url: string, body: unknown, status: number, code: number, cause: string]>([
    ["GET", "/items/x", null, 400, -4, `invalid path param 'id': "x" is not a valid uint64`],
    ["GET", "/items/9007199254740992", null, 400, -4, expect.stringContaining("not a valid uint64")],
    ["GET", "/items", null, 400, -4, "missing query param 'limit'"],
    ["GET", "/items?limit=x", null, 400, -4, `invalid query param 'limit': "x" is not a valid uint32`],
    ["GET", "/items/5/children/%", null, 400, -4, "invalid path param 'childId': malformed percent-encoding"],
    ["PATCH", "/items/5", [], 400, -4, "the request must be an object"],
    ["HEAD", "/items/5", null, 405, -3, "unsupported HTTP method HEAD (allowed: GET, PUT, PATCH, DELETE)"],
    ["POST", "/items/5", {}, 405, -3, "unsupported HTTP method POST (allowed: GET, PUT, PATCH, DELETE)"],
    ["POST", "/Items/GetItem", { id: 5 }, 404, -2, "method not found"],
  ])("not %s %s %j", async (method, url, body, status, code, cause) => {
    expect(await ask(method, `/rpc${url}`, body)).toMatchObject({ status, body: { code, cause } });
  });

  test("other verbs of a path are named", async () => {
    expect((await ask("POST", "/rpc/items/5"))?.headers["Allow"]).toBe("GET, PUT, PATCH, DELETE");
    expect((await ask("GET", "/rpc/items/5"))?.headers).not.toHaveProperty("Allow");
  });

  test("no paths of other services", async () => {
    for (const path of ["/rpc/orgs/a/teams", "/rpc/items/5/parents", "/rpc/Teams/ListTeams", "/"])
      expect(await ask("GET", path)).toBeNull();
  });
});

test("client and server understand each other", async () => {
  const fetch: Fetch = async (url, { method, body }) => {
    const { pathname, search } = new URL(url);
    const parsed = typeof body === "string" ? JSON.parse(body) : undefined;
    const path = pathname + search;
    const args = [echo, undefined, path, parsed, method] as const;
    const served = (await generated.serveItemsRpc(...args)) ?? (await generated.serveTeamsRpc(...args));
    return new Response(JSON.stringify(served?.body), { status: served?.status ?? 404 });
  };
  const params = {
    small: -128,
    unsigned: 4_294_967_295,
    signed: Number.MIN_SAFE_INTEGER,
    huge: Number.MAX_SAFE_INTEGER,
    native: -1,
    ratio: 1e-7,
    isOn: false,
    kind: "USER",
    at: "2025-01-31T12:00:00.123Z",
    slug: "a/b c+é?#&%{}",
  };
  const items = new generated.Items("http://host", fetch);
  expect(await items["echoParams"]?.(params)).toEqual(params);
  expect(await items["echoPath"]?.(params)).toEqual(params);
  const teams = new generated.Teams("http://host", fetch);
  const request = { org: "__proto__", lists: [1, -2] };
  expect(await teams["listTeams"]?.(request)).toEqual(request);
  await expect(items["echoPath"]?.({ ...params, small: 128 })).rejects.toMatchObject({
    code: -4,
    cause: `invalid path param 'small': "128" is not a valid int8`,
  });
});
