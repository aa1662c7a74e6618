import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OutboundFailure, OutboundRejection } from "../../../../server/base/outbound/failure.ts";
import { Outbound } from "../../../../server/base/outbound/outbound.ts";
import { specialRange } from "../../../../server/base/outbound/policy.ts";
import { hostileHosts, hostileNames, hostileUrls } from "./hostile-hosts.ts";

/** Listens on all addresses of this machine, and counts connections. */
let connections = 0;
const trap = createNetServer((socket) => {
  connections++;
  socket.destroy();
});
let port = 0;
let receiver: Server;
let receiverUrl = "";

beforeAll(async () => {
  await new Promise<void>((done) => trap.listen(0, "::", done)).catch(() => {});
  port = (trap.address() as AddressInfo).port;
  receiver = createServer(answer);
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => {
  trap.close();
  receiver.closeAllConnections();
  receiver.close();
});

const anyPort = ["1-65535"];
const guarded = (resolve?: (name: string) => Promise<readonly string[]>): Outbound =>
  new Outbound({ allow: [], deny: [], ports: anyPort }, resolve);
const post = (outbound: Outbound, url: string, maxMs = 5_000) =>
  outbound.post({ url, headers: { "content-type": "application/json" }, body: "{}", maxMs });

describe("forbidden addresses are never connected to", () => {
  const resolve = async (name: string): Promise<readonly string[]> => {
    const addresses = hostileNames[name];
    if (addresses === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return addresses;
  };

  test("the trap works: it counts an agent that may call it", async () => {
    await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    const before = connections;
    await expect(post(outbound, `http://127.0.0.1:${port}/`)).rejects.toThrow(OutboundFailure);
    expect(connections).toBe(before + 1);
  });

  test.each(hostileHosts)("%s", async (host) => {
    // Names of this machine use the real resolver.
    await using outbound = guarded();
    await expectUntouched(outbound, `http://${host}:${port}/`);
  });

  test.each(Object.keys(hostileNames))("%s", async (name) => {
    await using outbound = guarded(resolve);
    expect(await outbound.faultOf(`http://${name}:${port}/`)).toMatch(
      /is not a public address|must not be called/,
    );
    await expectUntouched(outbound, `http://${name}:${port}/`);
  });

  test.each(hostileUrls)("%s", async (url) => {
    await using outbound = guarded(resolve);
    const target = url.replace("PORT", String(port));
    await expectUntouched(outbound, target);
  });

  async function expectUntouched(outbound: Outbound, url: string): Promise<void> {
    const before = connections;
    const err = await post(outbound, url).catch((thrown: unknown) => thrown);
    expect(err).toSatisfy((one) => one instanceof OutboundRejection || one instanceof OutboundFailure);
    expect(connections).toBe(before);
  }

  test("a name is resolved once per connection, and exactly the checked address is dialled", async () => {
    let asked = 0;
    await using outbound = new Outbound({ allow: [], deny: [], ports: anyPort }, async () => {
      asked++;
      return asked % 2 === 1 ? ["2001:4860:0:0:0:0:0:8888"] : ["127.0.0.1"];
    });
    const before = connections;
    expect(await outbound.faultOf(`http://rebind.test:${port}/`)).toBeUndefined();
    expect(asked).toBe(1);
    await expect(post(outbound, `http://rebind.test:${port}/`)).rejects.toThrow(OutboundRejection);
    expect(asked).toBe(2);
    expect(connections).toBe(before);
  });

  test("redirects are reported and not followed", async () => {
    await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    const before = connections;
    const { status } = await post(outbound, `${receiverUrl}/redirect?to=http://127.0.0.1:${port}/`);
    expect(status).toBe(307);
    expect(connections).toBe(before);
  });
});

describe("the operator's lists", () => {
  test("allowed addresses are called, denied ones are not, and deny wins", async () => {
    await using allowed = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    expect(await post(allowed, receiverUrl)).toEqual({ status: 204, retryAfter: undefined });
    await using denied = new Outbound({ allow: ["127.0.0.0/8"], deny: ["127.0.0.1"], ports: anyPort });
    await expect(post(denied, receiverUrl)).rejects.toThrow("127.0.0.1 must not be called by this host");
    await using publicDenied = new Outbound({ allow: [], deny: ["8.8.8.0/24"], ports: anyPort });
    expect(await publicDenied.faultOf("https://8.8.8.8/")).toBe("8.8.8.8 must not be called by this host");
  });

  test.each([
    ["http://8.8.8.8:1/", 1],
    ["http://8.8.8.8:79/", 79],
    ["http://8.8.8.8/", undefined],
    ["http://8.8.8.8:81/", 81],
    ["https://8.8.8.8:442/", 442],
    ["https://8.8.8.8/", undefined],
    ["http://8.8.8.8:443/", undefined],
    ["http://8.8.8.8:444/", 444],
    ["http://8.8.8.8:1023/", 1_023],
    ["http://8.8.8.8:1024/", undefined],
    ["http://8.8.8.8:65535/", undefined],
  ])("with the ports 80, 443 and 1024-65535 allowed, %s has the forbidden port %s", async (url, port) => {
    await using outbound = new Outbound({ allow: [], deny: [], ports: ["80", "443", "1024-65535"] });
    const fault = port === undefined ? undefined : `port ${port} must not be called by this host`;
    expect(await outbound.faultOf(url)).toBe(fault);
  });

  test.each([
    ["127.0.0.254", "127.0.0.254 is not a public address (loopback)"],
    ["127.0.0.255", "127.0.0.255 is not a public address (loopback)"],
    ["127.0.1.0", undefined],
    ["127.0.1.255", undefined],
    ["127.0.2.0", "127.0.2.0 is not a public address (loopback)"],
  ])("with the range 127.0.1.0/24 allowed, %s has the error %s", async (host, fault) => {
    await using outbound = new Outbound({ allow: ["127.0.1.0/24"], deny: [], ports: anyPort });
    expect(await outbound.faultOf(`http://${host}/`)).toBe(fault);
  });
});

test.each(["http://user@8.8.8.8/", "http://:password@8.8.8.8/", "http://user:password@8.8.8.8/"])(
  "%s is rejected for its user or its password",
  async (url) => {
    await using outbound = guarded();
    expect(await outbound.faultOf(url)).toBe("the URL must not contain a user or a password");
  },
);

describe("reading a document", () => {
  const read = async (path: string, maxBytes = 1_000): Promise<number> => {
    await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    const request = { accept: "*/*", maxMs: 5_000, maxRedirects: 3, maxBytes };
    return (await outbound.read({ ...request, url: `${receiverUrl}${path}` })).body.length;
  };

  test.each([
    [999, 999],
    [1_000, 1_000],
    [1_001, "the response is longer than 1000 bytes"],
  ])("of %i bytes, with a limit of 1,000: %s", async (bytes, expected) => {
    for (const way of ["announced", "chunked"]) {
      const found = await read(`/bytes?${way}=${bytes}`).catch((err: Error) => err.message);
      expect(found).toBe(expected);
    }
  });

  test.each([
    [2, 7],
    [3, 7],
    [4, "more than 3 redirects"],
  ])("behind %i redirects, with a limit of three: %s", async (redirects, expected) => {
    const found = await read(`/redirects?left=${redirects}`).catch((err: Error) => err.message);
    expect(found).toBe(expected);
  });
});

describe("the response to a read", () => {
  const read = async (path: string): Promise<unknown> => {
    await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    const request = { accept: "*/*", maxMs: 5_000, maxRedirects: 1, maxBytes: 1_000 };
    return await outbound.read({ ...request, url: `${receiverUrl}${path}` }).then(
      ({ status, mediaType, body }) => [status, mediaType, String(body)],
      (err: Error) => err.message,
    );
  };

  test.each([
    ["status=200", [200, "", "body"]],
    ["status=299", [299, "", "body"]],
    ["status=300", [300, "", ""]],
    ["status=404", [404, "", ""]],
    ["status=500", [500, "", ""]],
    ["content-type=Application/JSON;charset=utf-8", [200, "application/json", "body"]],
    ["content-encoding=identity", [200, "", "body"]],
    ["content-encoding=gzip", "the response is not valid gzip"],
    ["content-encoding=zstd", 'the response is compressed with "zstd"'],
    ["content-encoding=constructor", 'the response is compressed with "constructor"'],
    ["content-encoding=gzip,gzip,gzip", "the response has more than 2 encodings"],
    ["status=301&location=/bytes?announced=3", [200, "", "xxx"]],
    ["status=302&location=/bytes?announced=3", [200, "", "xxx"]],
    ["status=303&location=/bytes?announced=3", [200, "", "xxx"]],
    ["status=307&location=/bytes?announced=3", [200, "", "xxx"]],
    ["status=308&location=/bytes?announced=3", [200, "", "xxx"]],
    ["status=304&location=/bytes?announced=3", [304, "", ""]],
    ["status=302", [302, "", ""]],
    ["status=302&location=http://", "the redirect's target is not a valid URL"],
    ["status=302&location=http://10.0.0.1/", "10.0.0.1 is not a public address (private)"],
  ])("with %s is %j", async (answer, expected) => {
    expect(await read(`/answer?${answer}`)).toEqual(expected);
  });
});

describe("a response that is compressed although the request accepts no compression", () => {
  const compressors: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
    ["gzip", gzipSync],
    ["X-Gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["gzip, br", (body) => brotliCompressSync(gzipSync(body))],
    ["identity, gzip", gzipSync],
  ];

  test.each(compressors)("by %s is decompressed up to the limit", async (encoding, compress) => {
    let body: Uint8Array = Buffer.alloc(0);
    const server = createServer((_, res) => void res.setHeader("content-encoding", encoding).end(body));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const read = (bytes: number) => {
      body = compress(Buffer.alloc(bytes, "x"));
      return outbound
        .read({ accept: "*/*", maxMs: 5_000, maxRedirects: 1, maxBytes: 1_000, url })
        .then(({ body }) => body.length)
        .catch((err: Error) => err.message);
    };
    expect([await read(999), await read(1_000)]).toEqual([999, 1_000]);
    for (const bytes of [1_001, 1_000_000])
      expect(await read(bytes)).toBe("the response is longer than 1000 bytes");
    server.closeAllConnections();
    server.close();
  });
});

describe("misbehaving receivers cost a limited time", () => {
  const local = (): Outbound => new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: anyPort });

  test("one that never responds", async () => {
    await using outbound = local();
    await expect(post(outbound, `${receiverUrl}/hang`, 200)).rejects.toMatchObject({ kind: "timeout" });
  });

  test("one that drips its headers", async () => {
    await using outbound = local();
    await expect(post(outbound, `${receiverUrl}/drip-headers`, 500)).rejects.toMatchObject({
      kind: "timeout",
    });
  });

  test("one with an endless body has succeeded with its headers, and is disconnected", async () => {
    await using outbound = local();
    endless.sent = 0;
    expect((await post(outbound, `${receiverUrl}/endless`)).status).toBe(200);
    expect((await post(outbound, `${receiverUrl}/drip-body`)).status).toBe(200);
    await expect.poll(() => endless.closed).toBe(true);
    // The amount that fits into the buffers of both sides and of the network.
    expect(endless.sent).toBeLessThan(32 * 1024 * 1024);
  });

  test("one that does not exist, or does not speak HTTP", async () => {
    await using outbound = local();
    await expect(post(outbound, "http://127.0.0.1:1/")).rejects.toMatchObject({ kind: "connection" });
    const talker = createNetServer((socket) => {
      socket.on("error", () => {});
      socket.write("SSH-2.0-OpenSSH\r\n");
    });
    await new Promise<void>((done) => talker.listen(0, "127.0.0.1", done));
    const { port: at } = talker.address() as AddressInfo;
    await expect(post(outbound, `http://127.0.0.1:${at}/`)).rejects.toMatchObject({ kind: "malformed" });
    await expect(post(outbound, `https://127.0.0.1:${at}/`)).rejects.toMatchObject({ kind: "encryption" });
    talker.close();
  });

  test("a name without an address", async () => {
    await using outbound = guarded(async () =>
      Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    );
    expect(await outbound.faultOf("https://nobody.test/")).toBeUndefined();
    await expect(post(outbound, "https://nobody.test/")).rejects.toMatchObject({ kind: "unresolved" });
  });
});

test("public addresses are in no special range", () => {
  for (const address of ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::8a"])
    expect(specialRange(address)).toBeUndefined();
});

const endless = { sent: 0, closed: false };

const answer: Parameters<typeof createServer>[1] = (req, res) => {
  const url = new URL(req.url ?? "/", "http://receiver");
  req.resume();
  if (url.pathname === "/hang") return;
  if (url.pathname === "/redirect") {
    res.writeHead(307, { location: url.searchParams.get("to") ?? "" }).end();
  } else if (url.pathname === "/answer") {
    const { status = "200", ...headers } = Object.fromEntries(url.searchParams);
    res.writeHead(Number(status), headers).end("body");
  } else if (url.pathname === "/redirects") {
    const left = Number(url.searchParams.get("left"));
    const next = left > 1 ? `/redirects?left=${left - 1}` : "/bytes?announced=7";
    res.writeHead(302, { location: next }).end();
  } else if (url.pathname === "/bytes") {
    const [way = "", bytes] = [...url.searchParams][0] ?? [];
    const body = "x".repeat(Number(bytes));
    if (way === "announced") res.writeHead(200, { "content-length": body.length });
    res.write(body);
    res.end();
  } else if (url.pathname === "/drip-headers") {
    const timer = setInterval(() => req.socket.write("x"), 50);
    req.socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
    req.socket.on("close", () => clearInterval(timer));
    req.socket.on("error", () => {});
  } else if (url.pathname === "/drip-body") {
    res.writeHead(200);
    const timer = setInterval(() => res.write("."), 50);
    res.on("close", () => clearInterval(timer));
  } else if (url.pathname === "/endless") {
    const chunk = Buffer.alloc(65_536);
    const pour = (): void => {
      while (!res.destroyed && res.write(chunk)) endless.sent += chunk.length;
      res.once("drain", pour);
    };
    res.on("close", () => {
      endless.closed = true;
    });
    pour();
  } else res.writeHead(204).end();
};
