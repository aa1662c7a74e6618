/** The explorer over HTTP: what is sent, how it is cached, and who may read the sandbox's paths. */
import { type IncomingHttpHeaders, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explorerUrlOf } from "../../../server/host/ready.ts";
import { type RunningHost, startHost } from "../../support/host.ts";
import { nginx, startCache } from "../../support/nginx.ts";

let host: RunningHost;
let url: string;
/** What the terminal shows. */
let opened: Readonly<Record<string, string>>;

beforeAll(async () => {
  host = await startHost();
  ({ url } = host);
  opened = { authorization: `BEARER ${host.secretKey}` };
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

describe("the page of a sandbox", () => {
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { ...opened, ...headers } });

  test("is small, and only sends requests to its host", async () => {
    const html = await (await get("/")).text();
    const parts = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = ""]) => path);
    const all = new Set(["", "schema.json", "host.json", ...parts]);
    const bytes = { contract: 0, page: 0 };
    for (const path of all) {
      const response = await get(`/explorer/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self';/,
      );
      const kind = path.endsWith(".json") ? "contract" : "page";
      bytes[kind] += gzipSync(new Uint8Array(await response.arrayBuffer())).length;
    }
    expect(parts.filter((path) => /^\/|:/.test(path))).toEqual([]);
    expect(html).not.toMatch(/<script>|<style|style=|onload/);
    expect(bytes.page).toBeLessThanOrEqual(50 * 1024);
    expect(bytes.contract).toBeLessThanOrEqual(30 * 1024);
  });

  test("is compressed if the browser accepts it, and not sent again if cached", async () => {
    const packed = await get("/openapi.json", { "accept-encoding": "gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(((await packed.json()) as { openapi: string }).openapi).toMatch(/^3[.]1/);
    const etag = packed.headers.get("etag") ?? "";
    expect((await rawAnswer("GET", "/openapi.json", { "if-none-match": etag })).status).toBe(304);
    const plain = await get("/openapi.json", { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const [script = ""] = /main-[^"]+[.]js/.exec(await (await get("/")).text()) ?? [];
    const head = await fetch(`${url}/explorer/${script}`, { method: "HEAD" });
    expect(head.headers.get("cache-control")).toContain("immutable");
    expect(await head.text()).toBe("");
  });

  test("leaves all other paths to the API", async () => {
    for (const [method, path] of [
      ["POST", "/"],
      ["GET", "/explorer/none.js"],
      ["GET", "/explorer/../schema.json"],
      ["POST", "/sandbox/nothing"],
    ] as const)
      expect([path, (await fetch(`${url}${path}`, { method, headers: opened })).status]).toEqual([
        path,
        path.includes("..") ? 200 : 404,
      ]);
  });

  test("shows its keys and events only to this machine", async () => {
    const start = (await (await get("/sandbox/start")).json()) as {
      keys: object;
      firstCall: string;
    };
    expect(start.firstCall).toBe("Builder/GetAudience");
    expect(start.keys).toEqual({ accessKey: host.accessKey, secretKey: host.secretKey });
    const port = new URL(url).port;
    const foreign = [
      ["GET", "/sandbox/start", { host: `evil.example:${port}` }],
      ["GET", "/sandbox/live", { host: `127.0.0.1.evil.example:${port}` }],
      ["GET", "/sandbox/start", { origin: "https://evil.example" }],
      ["GET", "/sandbox/live", { "sec-fetch-site": "cross-site" }],
      ["POST", "/sandbox/replay", { origin: "null" }],
      ["POST", "/sandbox/receiver", { origin: "http://127.0.0.1:1" }],
    ] as const;
    for (const [method, path, headers] of foreign) {
      const answer = await rawAnswer(method, path, headers);
      expect([path, JSON.parse(answer.body)]).toEqual([
        path,
        {
          error: "PermissionDenied",
          code: 1001,
          msg: expect.any(String),
          cause: "a sandbox only serves requests from its own machine",
          status: 403,
        },
      ]);
      expect(answer.status).toBe(403);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(answer.headers["webrpc"]).toMatch(/^webrpc@/);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("is opened by the address in the terminal, and its paths by no other", async () => {
    const bare = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}${path}`, { headers, redirect: "manual" });
    const answer = await fetch(explorerUrlOf(host) ?? "", { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^sandbox_\d+=[\w-]{43}; Path=\/sandbox; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const own = cookie.split(";")[0] ?? "";
    expect((await bare("/sandbox/start", { cookie: `a=b; ${own}; c=d` })).status).toBe(200);
    const cause = expect.stringContaining("open the address of the explorer that the sandbox has printed");
    for (const [path, headers] of [
      ["/sandbox/start", {}],
      ["/sandbox/live", {}],
      ["/sandbox/receiver", {}],
      ["/sandbox/open", {}],
      ["/sandbox/open?token=", {}],
      ["/sandbox/open?token=wrong", {}],
      ["/sandbox/start", { cookie: `${own}x` }],
      ["/sandbox/start", { cookie: own.replace(/sandbox_\d+/, "sandbox_1") }],
      ["/sandbox/start", { authorization: `BEARER ${host.accessKey}` }],
      ["/sandbox/start", { authorization: "BEARER " }],
      ["/sandbox/start", { "x-access-key": host.accessKey }],
    ] as const) {
      const refused = await bare(path, headers);
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        403,
        expect.objectContaining({ error: "PermissionDenied", cause }),
      ]);
      expect(refused.headers.get("set-cookie")).toBeNull();
    }
  });

  test.skipIf(nginx === undefined)("gives nothing away through nginx on this machine", async () => {
    await using proxy = await startCache(nginx ?? "", url);
    for (const [method, path] of [
      ["GET", "/sandbox/start"],
      ["GET", "/sandbox/live"],
      ["GET", "/sandbox/receiver"],
      ["POST", "/sandbox/trades"],
      ["POST", "/sandbox/replay"],
    ] as const) {
      const answer = await fetch(`${proxy.url}${path}`, { method, headers: { host: "sandbox.example" } });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).not.toContain(host.secretKey);
    }
  });

  test.each([
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "x-client-ip",
    "x-original-host",
    "cf-connecting-ip",
    "true-client-ip",
  ])("serves no request with the header %s of a proxy", async (name) => {
    const answer = await get("/sandbox/start", { [name]: "203.0.113.7" });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({ cause: "a sandbox only serves requests from its own machine" }),
    ]);
  });

  test.each([
    ["/sandbox/replay", "{", "expected a JSON object"],
    ["/sandbox/replay", "1", "expected a JSON object"],
    ["/sandbox/replay", '{"chainId":1}', "expected chainId and sequence"],
    ["/sandbox/receiver/answers", '{"status":199}', "expected status: 200 to 599"],
    ["/sandbox/receiver/answers", '{"status":600}', "expected status: 200 to 599"],
    ["/sandbox/receiver/answers", `"${"x".repeat(1_048_575)}"`, "the body is larger than 1048576 bytes"],
  ])("rejects invalid bodies of %s like the API: %.16s", async (path, body, cause) => {
    const answer = await fetch(`${url}${path}`, { method: "POST", headers: opened, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "WebrpcBadRequest", code: -4, cause, status: 400 });
  });

  test("lets its receiver respond with any status from 200 to 599", async () => {
    for (const status of [200, 599, 204]) {
      const body = JSON.stringify({ status });
      const told = await fetch(`${url}/sandbox/receiver/answers`, { method: "POST", headers: opened, body });
      expect([status, told.status]).toEqual([status, 200]);
    }
  });

  test("reads bodies of up to 1 MiB", async () => {
    const body = `{"chainId":1,"padding":"${"x".repeat(1_048_576 - 26)}"}`;
    const post = async (text: string): Promise<unknown> =>
      (await fetch(`${url}/sandbox/replay`, { method: "POST", headers: opened, body: text })).json();
    expect(Buffer.byteLength(body)).toBe(1_048_576);
    expect(await post(body)).toMatchObject({ cause: "expected chainId and sequence" });
    expect(await post(`${body} `)).toMatchObject({ cause: "the body is larger than 1048576 bytes" });
  });

  test("is watched by at most 20 pages at the same time, and by another one when one leaves", async () => {
    interface Page {
      /** Kept, because `fetch` closes the connection of a response that is garbage. */
      readonly response: Response;
      readonly leave: () => void;
    }
    const watch = async (): Promise<Page> => {
      const leaving = new AbortController();
      const response = await fetch(`${url}/sandbox/live`, { headers: opened, signal: leaving.signal });
      return { response, leave: () => leaving.abort() };
    };
    const pages = await Promise.all(Array.from({ length: 20 }, watch));
    expect(pages.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect((await watch()).response.status).toBe(503);
    pages[0]?.leave();
    await expect
      .poll(async () => {
        const { response, leave } = await watch();
        leave();
        return response.status;
      })
      .toBe(200);
    for (const { leave } of pages) leave();
  });

  test("only matches its paths in their exact spelling", async () => {
    for (const path of [
      "/SANDBOX/start",
      "/sandbox/start/",
      "/sandbox/Start",
      "/explorer//",
      "/Schema.json",
    ]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ error: "WebrpcBadRoute", code: -2 });
    }
    expect((await fetch(`${url}/sandbox/live`, { method: "HEAD", headers: opened })).status).toBe(200);
  });

  test("is not served in production, and neither are the sandbox's paths", async () => {
    const env = { SANDBOX: "false", SIGNING_KEY: "0123456789abcdef".repeat(4) };
    await using other = await startHost({ args: ["--production"], env });
    for (const path of ["/", "/explorer/", "/openapi.json", "/sandbox/start", "/sandbox/live"])
      expect([path, (await fetch(`${other.url}${path}`)).status]).toEqual([path, 404]);
  });
});

/** Sends headers that only browsers may set. */
function rawAnswer(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((done, fail) => {
    const sent = request(`${url}${path}`, { method, headers }, (res) => {
      let body = "";
      res.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      res.once("end", () => done({ status: res.statusCode, headers: res.headers, body }));
    });
    sent.once("error", fail);
    sent.end();
  });
}
