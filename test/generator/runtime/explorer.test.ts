/** The explorer as part of a server, over real sockets and with every adapter. */
import { describe, expect, test } from "vitest";
import { withExplorerFiles } from "../../../generator/runtime/src/explorer.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, serveWith } from "../../support/adapters.ts";
import { type RawAnswer, rawRequest } from "../../support/raw-http.ts";
import { shopHandlers } from "./shop.ts";

const script = `console.log("${"page ".repeat(400)}");\n`;
const texts = {
  "index.html": "<p>Page</p>",
  "main-ABCDEF12.js": script,
  "main-ABCDEF12.css": "p {}",
  "icon.svg": "<svg/>",
  "LICENSES.txt": "MIT",
  "schema.json": '{"name":"é"}',
  "host.json": '{"keys":[],"servers":["https://other.example"],"examples":{"A/B":{"id":9007199254740992}}}',
};

const shop = createServer(shopHandlers);

describe.each(adapterNames)("%s", (adapter) => {
  test("sends the page and its files, and calls still arrive", async () => {
    await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
    const get = (path: string): Promise<Response> => fetch(`${running.url}${path}`);
    const seen: unknown[] = [];
    for (const name of ["", ...Object.keys(texts)]) {
      const response = await get(`/explorer/${name}`);
      seen.push([response.status, response.headers.get("content-type"), await response.text()]);
    }
    const info = '{"keys":[],"servers":["../"],"examples":{"A/B":{"id":9007199254740992}}}';
    expect(seen).toEqual([
      [200, "text/html; charset=utf-8", "<p>Page</p>"],
      [200, "text/html; charset=utf-8", "<p>Page</p>"],
      [200, "text/javascript; charset=utf-8", script],
      [200, "text/css; charset=utf-8", "p {}"],
      [200, "image/svg+xml", "<svg/>"],
      [200, "text/plain; charset=utf-8", "MIT"],
      [200, "application/json", '{"name":"é"}'],
      [200, "application/json", info],
    ]);
    const called = await fetch(`${running.url}/v2/rpc/Shop/Echo`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"value":"é"}',
    });
    expect(await called.json()).toEqual({ value: "é" });
  });

  test("headers say what browsers may do, and what caches keep", async () => {
    await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
    const get = (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
      rawRequest(running.port, { method: "GET", path: `/explorer/${path}`, headers });
    const page = await get("");
    expect(page.headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      "content-length": "11",
    });
    expect((await get("main-ABCDEF12.css")).headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    const tag = page.headers["etag"] ?? "";
    expect(tag).toMatch(/^W\/"[\w+/]{22}"$/);
    for (const listed of [tag, tag.slice(2), `"a", ${tag}`, "*"]) {
      const answer = await get("", { "If-None-Match": listed });
      expect([listed, answer.status, answer.body, answer.headers["etag"]]).toEqual([listed, 304, "", tag]);
    }
    expect((await get("", { "If-None-Match": '"a"' })).status).toBe(200);
    expect((await get("icon.svg", { "If-None-Match": tag })).status).toBe(200);
  });

  test.each([
    ["gzip, br", true],
    ["GZIP;q=0.5", true],
    ["br;q=1.0, gzip; q=1", true],
    ["gzip;q=0", false],
    ["gzip; q=0.000", false],
    ["identity", false],
    ["x-gzip2", false],
    ["", false],
  ])(
    "Accept-Encoding %o: compressed is %s, except where the platform compresses",
    async (accepted, isAccepted) => {
      const isGzipped = isAccepted && adapter !== "fetch";
      await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
      const headers = { "Accept-Encoding": accepted };
      const { headers: sent } = await rawRequest(running.port, {
        method: "GET",
        path: "/explorer/main-ABCDEF12.js",
        headers,
      });
      expect([sent["content-encoding"], sent["vary"]]).toEqual([
        isGzipped ? "gzip" : undefined,
        "Accept-Encoding",
      ]);
      expect(Number(sent["content-length"]) < script.length).toBe(isGzipped);
    },
  );

  test.each([
    [1023, undefined],
    [1024, "Accept-Encoding"],
    [1025, "Accept-Encoding"],
  ])("a file of %i bytes: Vary is %s", async (length, vary) => {
    const server = withExplorerFiles(shop, { ...texts, "a.txt": `é${"a".repeat(length - 2)}` }, {});
    await using running = await serveWith(adapter, server);
    const headers = { "Accept-Encoding": "gzip" };
    const answer = await rawRequest(running.port, { method: "GET", path: "/explorer/a.txt", headers });
    const encoding = vary !== undefined && adapter !== "fetch" ? "gzip" : undefined;
    expect([answer.headers["vary"], answer.headers["content-encoding"]]).toEqual([vary, encoding]);
  });

  test("HEAD has the headers of GET, other verbs are not allowed, and other paths are those of the API", async () => {
    await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
    const ask = (method: string, path: string): Promise<RawAnswer> =>
      rawRequest(running.port, { method, path });
    const head = await ask("HEAD", "/explorer/main-ABCDEF12.js");
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      String(script.length),
    ]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await ask(method, "/explorer/");
      expect([method, answer.status, answer.headers["allow"], answer.body]).toEqual([
        method,
        405,
        "GET, HEAD",
        "",
      ]);
    }
    const without = await Promise.all(otherPaths.map((path) => statusWithout(adapter, path)));
    for (const [at, path] of otherPaths.entries())
      expect([path, (await ask("GET", path)).status]).toEqual([path, without[at]]);
  });

  test("the path without the last slash redirects, below any prefix", async () => {
    await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
    const { status, headers, body } = await rawRequest(running.port, {
      method: "GET",
      path: "/explorer?a=b",
    });
    expect([status, headers["location"], body]).toEqual([302, "explorer/index.html", ""]);
  });
});

const otherPaths = [
  "/explorer/none.js",
  "/explorer//",
  "/Explorer/",
  "/explorer/a/index.html",
  "/",
  "/other",
];

async function statusWithout(adapter: (typeof adapterNames)[number], path: string): Promise<number> {
  await using running = await serveWith(adapter, shop);
  return (await rawRequest(running.port, { method: "GET", path })).status;
}

test("next of fetchHandler gets other paths only", async () => {
  const next = (request: Request): Response => new Response(`next ${new URL(request.url).pathname}`);
  const serve = fetchHandler(withExplorerFiles(shop, texts, {}), { next });
  const textOf = async (path: string): Promise<string> =>
    (await serve(new Request(`http://shop${path}`))).text();
  expect(await textOf("/explorer/")).toBe("<p>Page</p>");
  expect(await textOf("/explorer/none.js")).toBe("next /explorer/none.js");
  expect(await textOf("/other")).toBe("next /other");
});

test.each(["koa", "node-http"] as const)(
  "%s: a compressed body has the text of the file",
  async (adapter) => {
    await using running = await serveWith(adapter, withExplorerFiles(shop, texts, {}));
    const response = await fetch(`${running.url}/explorer/main-ABCDEF12.js`);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toBe(script);
  },
);

describe("option path", () => {
  test.each([
    ["/docs/", "/docs/", "../"],
    ["docs", "/docs/", "../"],
    ["/docs/api", "/docs/api/", "../../"],
    ["/v2/rpc/explorer/", "/v2/rpc/explorer/", "../../../"],
    ["/", "/", "."],
  ])("%s puts the page in %s", async (path, folder, server) => {
    const serve = fetchHandler(withExplorerFiles(shop, texts, { path }));
    const get = (at: string): Promise<Response> => serve(new Request(`http://shop${at}`));
    expect(await (await get(folder)).text()).toBe("<p>Page</p>");
    expect(await (await get(`${folder}host.json`)).json()).toMatchObject({ servers: [server] });
    expect((await get("/explorer/")).status).toBe(404);
    if (folder !== "/")
      expect((await get(folder.slice(0, -1))).headers.get("location")).toBe(
        `${folder.split("/").at(-2)}/index.html`,
      );
  });

  test("a path of the API is rejected when the server starts", () => {
    expect(() => withExplorerFiles(withMethods("/docs/main-ABCDEF12.js"), texts, { path: "/docs" })).toThrow(
      new RangeError("path: /docs/ belongs to Shop.Echo; choose another path for the explorer"),
    );
  });
});

describe("routes of the API keep their paths", () => {
  test.each([
    [["/explorer/"], "/-/explorer/"],
    [["/explorer/schema.json"], "/-/explorer/"],
    [["/explorer/index.html", "/-/explorer/icon.svg"], "/-/-/explorer/"],
    [["/explorer/other.json"], "/explorer/"],
    [["/explorer"], "/explorer/"],
  ])("%j: the page is in %s", async (paths, folder) => {
    const serve = fetchHandler(withExplorerFiles(withMethods(...paths), texts, {}));
    const get = (at: string): Promise<Response> => serve(new Request(`http://shop${at}`));
    expect(await (await get(folder)).text()).toBe("<p>Page</p>");
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

/** The shop with methods at more paths. */
function withMethods(...paths: readonly string[]): RpcServer {
  const echo = shop.methodAt("/v2/rpc/Shop/Echo");
  return {
    ...withExplorerFiles(shop, {}, {}),
    methodAt: (path) => (paths.includes(path) ? echo : shop.methodAt(path)),
  };
}
