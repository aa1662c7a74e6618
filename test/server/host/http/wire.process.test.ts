import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AttackedHost, startAttackedHost } from "../../../support/attacked-host.ts";
import { parseAnswer, type RawAnswer, rawExchange, rawRequest } from "../../../support/raw-http.ts";

let attacked: AttackedHost;

beforeAll(async () => {
  attacked = await startAttackedHost();
});
afterAll(() => attacked[Symbol.asyncDispose]());

const path = "/rpc/API/Ping";
const head = (length: number | string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
const chunked = head("").replace(/Content-Length.*\r\n/, "Transfer-Encoding: chunked\r\n");

function expectRefusal(answer: RawAnswer, cause?: string, status = 400): void {
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers["webrpc"]).toMatch(/^webrpc@/);
  expect(JSON.parse(answer.body)).toMatchObject({ error: "WebrpcBadRequest", code: -4, status });
  if (cause !== undefined) expect(JSON.parse(answer.body).cause).toContain(cause);
}

test("a request with a response before its body gets no second response", async () => {
  const received = await new Promise<string>((done) => {
    let text = "";
    const socket = connect(attacked.port, "127.0.0.1", () =>
      socket.write(`${chunked.replace(path, "/nope")}\r\n`),
    );
    socket.setEncoding("utf8").on("data", (part: string) => {
      // After the 404, the rest of the body arrives, and is not a valid chunk.
      if (text === "") socket.write("zz\r\n");
      text += part;
    });
    socket.on("error", () => {}).on("close", () => done(text));
  });
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404"]);
});

type WireRow = readonly [fact: string, bytes: string, cause?: string, status?: number];

describe("invalid HTTP and smuggled requests get the usual error, and the connection closes", () => {
  const rows: readonly WireRow[] = [
    ["two lengths", `${head(2)}Content-Length: 3\r\n\r\n{}`],
    ["one length twice", `${head(2)}Content-Length: 2\r\n\r\n{}`],
    ["a coding besides chunks", `${chunked.replace("chunked", "gzip, chunked")}\r\n0\r\n\r\n`],
    ["chunks in HTTP/1.0", `${chunked.replace("HTTP/1.1", "HTTP/1.0")}\r\n0\r\n\r\n`],
    ["a host that is none", `${head(2).replace("Host: a", "Host: a<b")}\r\n{}`],
    ["a length and chunks", `${head(2)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["chunks and a length", `${chunked}Content-Length: 2\r\n\r\n0\r\n\r\n`],
    ["a length with a sign", `${head("+2")}\r\n{}`],
    ["a negative length", `${head("-2")}\r\n{}`],
    ["a hexadecimal length", `${head("0x2")}\r\n{}`],
    ["an empty length", `${head("")}\r\n{}`],
    ["two lengths in one header", `${head("2, 2")}\r\n{}`],
    ["chunks by another name", `${chunked.replace("chunked", "xchunked")}\r\n0\r\n\r\n`],
    ["chunks in two codings", `${chunked.replace("chunked", "chunked, identity")}\r\n0\r\n\r\n`],
    ["a blank before the colon", `${head(2).replace("Host:", "Host :")}\r\n{}`],
    ["a folded header", `${head(2)}X-A: b\r\n c\r\n\r\n{}`],
    ["a bare line feed", `${head(2)}X-A: b\nX-B: c\r\n\r\n{}`],
    ["NUL in a header", `${head(2)}X-A: b\0\r\n\r\n{}`],
    ["NUL in a name", `${head(2)}X\0A: b\r\n\r\n{}`],
    ["a bad chunk", `${chunked}\r\nzz\r\n`],
    ["a chunk longer than it says", `${chunked}\r\n2\r\n{}{}\r\n0\r\n\r\n`],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    [
      "headers past the limit",
      `${head(2)}X-A: ${"b".repeat(20_000)}\r\n\r\n{}`,
      "the headers are too large",
      431,
    ],
    ["more than 100 headers", `${head(2)}${"X-A: b\r\n".repeat(100)}\r\n{}`, "more than 100 headers"],
    [
      "an address past the limit",
      head(2)
        .replace(path, `/${"a".repeat(3_000)}`)
        .concat("\r\n{}"),
      "2048",
      414,
    ],
    [
      "a target that is no address",
      head(2).replace(path, `http://[::1${path}`).concat("\r\n{}"),
      "not a valid URL",
    ],
    ["a target without a host", head(2).replace(path, "http://").concat("\r\n{}"), "not a valid URL"],
    ["no Host", `POST ${path} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`, "Host"],
    ["HTTP/0.9", `GET ${path}\r\n\r\n`, "HTTP/0.9"],
    ["HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["two of Host", `${head(2)}host: b\r\n\r\n{}`, "Host"],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT"],
    ["Expect with another word", `${head(2)}Expect: everything\r\n\r\n{}`, "Expect"],
  ];

  test.each(rows.map((row) => [row[0], row] as const))("%s", async (_fact, [, bytes, cause, status]) => {
    const answer = parseAnswer(await rawExchange(attacked.port, Buffer.from(bytes, "latin1")));
    expectRefusal(answer, cause, status);
    expect(answer.headers["connection"]).toBe("close");
  });

  /** A request with a URL of `length` characters, below an unknown path. */
  const longAddress = (length: number): string =>
    head(2)
      .replace(path, `/${"a".repeat(length - 1)}`)
      .concat("Connection: close\r\n\r\n{}");
  /** A request with `count` headers. */
  const manyHeaders = (count: number): string =>
    `${head(2)}Connection: close\r\n${"X-A: b\r\n".repeat(count - 4)}\r\n{}`;
  /** A request with headers of `bytes` bytes, line breaks included. */
  const largeHeaders = (bytes: number): string => {
    const text = `${head(2)}Connection: close\r\nX-A: \r\n\r\n`;
    const size = text.length - text.indexOf("\r\n") - 2;
    return `${text.replace("X-A: ", `X-A: ${"b".repeat(bytes - size)}`)}{}`;
  };

  test.each([
    ["an address of 2,047 characters", longAddress(2_047), 404],
    ["an address of 2,048 characters", longAddress(2_048), 404],
    ["an address of 2,049 characters", longAddress(2_049), 414],
    ["99 headers", manyHeaders(99), 200],
    ["100 headers", manyHeaders(100), 200],
    ["101 headers", manyHeaders(101), 400],
    ["a little less than 16 KiB of headers", largeHeaders(16_300), 200],
    ["a little more than 16 KiB of headers", largeHeaders(16_500), 431],
  ])("%s", async (_fact, bytes, status) => {
    expect(parseAnswer(await rawExchange(attacked.port, bytes)).status).toBe(status);
  });

  test("caches do not keep the rejection of a long address", async () => {
    const answer = await rawRequest(attacked.port, { method: "GET", path: `/${"a".repeat(2_048)}` });
    expect([answer.status, answer.headers["cache-control"]]).toEqual([414, "no-store"]);
  });

  test("data after a valid request does not mix with its response", async () => {
    const text = await rawExchange(attacked.port, `${head(2)}\r\n{}rubbish\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(parseAnswer(text)).toMatchObject({ status: 200, body: '{"status":true}' });
  });

  test("pipelined requests get responses in their order", async () => {
    const one = `${head(2)}\r\n{}`;
    const other = `${head(2).replace("Ping", "Nope")}Connection: close\r\n\r\n{}`;
    const text = await rawExchange(attacked.port, one + other);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404"]);
  });
});

describe("bodies", () => {
  const send = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    rawRequest(attacked.port, {
      path: "/rpc/API/IsValidTypedDataSignature",
      body,
      headers: { ...attacked.headers, ...headers },
    });

  const rows: readonly (readonly [fact: string, body: string | Uint8Array, cause: string])[] = [
    ["500,000 levels", "[".repeat(500_000), "deeper than 64"],
    ["65 levels in balance", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, "deeper than 64"],
    ["__proto__", '{"__proto__":{"a":1}}', "__proto__"],
    ["__proto__ by escapes", '{"\\u005f_proto__":{"a":1}}', "__proto__"],
    ["__proto__ deep inside", '{"typedData":{"a":[{"__proto\\u005F\\u005f":1}]}}', "__proto__"],
    ["NUL in a string", '{"chainId":"1\\u0000"}', "NUL"],
    ["NUL in a key", '{"a\\u0000":1}', "NUL"],
    [
      "a lone surrogate in a property filter",
      '{"filter":{"properties":[{"name":"\\ud800"}]}}',
      "lone surrogate",
    ],
    ["a lone surrogate in a key", '{"a\\udc00":1}', "lone surrogate"],
    ["a bare NUL", '{"a":"\0"}', "not JSON"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "UTF-8"],
    ["a surrogate as UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "UTF-8"],
    ["a byte order mark", "\ufeff{}", "not JSON"],
    ["1e400 for a chain", '{"chainId":1e400}', "/chainId"],
    ["a list", "[]", "an object"],
    ["text", '"x"', "an object"],
    ["nothing", "", "not JSON"],
    ["two objects", "{}{}", "not JSON"],
    ["more than 1 MiB", `"${"x".repeat(1_048_576)}"`, "larger than 1048576"],
  ];

  test.each(rows)("%s", async (_fact, body, cause) => expectRefusal(await send(body), cause));

  test.each([
    ["64 levels", `${'{"a":'.repeat(64)}1${"}".repeat(64)}`],
    ["1 MiB", `{"a":"${"x".repeat(1_048_576 - 8)}"}`],
  ])("%s are read, and rejected for missing fields", async (_fact, body) => {
    expectRefusal(await send(body), "/chainId");
  });

  test("one byte more than 1 MiB is not read", async () => {
    expectRefusal(await send(`{"a":"${"x".repeat(1_048_576 - 7)}"}`), "larger than 1048576");
  });

  test("JSON of 100,000 keys or items is read, and rejected for missing fields", async () => {
    const keys = Array.from({ length: 70_000 }, (_, index) => `"k${index}":1`).join(",");
    expectRefusal(await send(`{${keys}}`), "/chainId");
    expectRefusal(await send(`{"typedData":[${"0,".repeat(400_000)}0]}`), "/chainId");
  });

  test("compressed bodies are rejected, even valid ones", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expectRefusal(await send(bomb, { "Content-Encoding": "gzip" }), "Content-Encoding");
    expectRefusal(await send("{}", { "Content-Encoding": "br" }), "Content-Encoding");
  });

  test("the sender of a far too large body still receives the response", async () => {
    for (let round = 0; round < 5; round++) {
      const answer = await fetch(`${attacked.host.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "x".repeat(5_000_000),
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: -4, cause: "the body is larger than 1048576 bytes" });
    }
  });
});

describe("HTTP methods, preflights and request ids", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "TRACE", "OPTIONS"])("%s is a bad method", async (method) => {
    const answer = await rawRequest(attacked.port, { method, path });
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow: "POST", "access-control-allow-origin": "*" },
    });
    if (method !== "HEAD") expect(JSON.parse(answer.body)).toMatchObject({ code: -3 });
  });

  test("a preflight succeeds for the path of a method, and is a bad route elsewhere", async () => {
    const headers = { Origin: "https://a.example", "Access-Control-Request-Method": "POST" };
    const answer = await rawRequest(attacked.port, { method: "OPTIONS", path, headers });
    expect(answer).toMatchObject({
      status: 204,
      headers: { "access-control-allow-methods": "POST, GET, QUERY" },
    });
    expect(answer.headers["access-control-allow-headers"]).toMatch(/X-Access-Key, Authorization/);
    expect(answer.headers["access-control-max-age"]).toBe("86400");
    const nowhere = await rawRequest(attacked.port, { method: "OPTIONS", path: "/rpc/API/Nope", headers });
    expect(nowhere.status).toBe(404);
  });

  test.each([
    ["an answer", { path, body: "{}" }, 200],
    ["a refusal of the host", { path: "/rpc/API/Nope", body: "{}" }, 404],
    ["a refusal of the wire", { path: `/${"a".repeat(3_000)}` }, 414],
  ])("pages may read Retry-After and the cause of %s", async (_fact, request, status) => {
    const answer = await rawRequest(attacked.port, request);
    expect(answer.status).toBe(status);
    expect(answer.headers["access-control-expose-headers"]?.split(", ")).toEqual(
      expect.arrayContaining(["Retry-After", "X-RateLimit-Scope", "X-Request-Id", "Webrpc", "ETag"]),
    );
  });

  test("a valid request id is echoed, and an invalid or missing one replaced", async () => {
    const id = (value: string) =>
      rawRequest(attacked.port, { path, body: "{}", headers: { "X-Request-Id": value } });
    expect((await id("a-1.b:2")).headers["x-request-id"]).toBe("a-1.b:2");
    const generated = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
    expect((await id("two words")).headers["x-request-id"]).toMatch(generated);
    expect((await rawRequest(attacked.port, { path, body: "{}" })).headers["x-request-id"]).toMatch(
      generated,
    );
    for (const length of [1, 127, 128])
      expect((await id("x".repeat(length))).headers["x-request-id"]).toBe("x".repeat(length));
    expect((await id("x".repeat(129))).headers["x-request-id"]).toMatch(generated);
  });

  test("a response that caches may keep has no request id", async () => {
    const query = encodeURIComponent(
      JSON.stringify({ chainId: "1", contractAddress: `0x${"1".repeat(40)}` }),
    );
    const headers = { ...attacked.headers, "X-Request-Id": "mine" };
    const read = (more: Record<string, string>) =>
      rawRequest(attacked.port, {
        method: "GET",
        path: `/rpc/Metadata/TokenCollectionFilters?q=${query}`,
        headers: { ...headers, ...more },
      });
    const first = await read({});
    const again = await read({ "If-None-Match": first.headers["etag"] ?? "" });
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const answer of [first, again]) {
      expect(answer.headers["cache-control"]).toBe("max-age=10");
      expect(answer.headers["x-request-id"]).toBeUndefined();
    }
    const failed = await rawRequest(attacked.port, { method: "GET", path: "/nope", headers });
    expect([failed.headers["cache-control"], failed.headers["x-request-id"]]).toEqual(["no-store", "mine"]);
  });

  test("a failure has the caller's request id, or a generated one", async () => {
    const headers = { "X-Request-Id": "mine" };
    expect((await rawRequest(attacked.port, { path: "/nope", headers })).headers["x-request-id"]).toBe(
      "mine",
    );
    expect((await rawRequest(attacked.port, { path: "/nope" })).headers["x-request-id"]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
    );
  });
});

test("a half-closed connection still receives the response", async () => {
  const text = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect({ port: attacked.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
      socket.end(`${head(2)}\r\n{}`),
    );
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
  expect(parseAnswer(text).status).toBe(200);
});
