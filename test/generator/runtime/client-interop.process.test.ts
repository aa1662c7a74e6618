import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { result } from "../../../generator/runtime/src/client.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { limitedFetch } from "../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../generator/runtime/src/undici.ts";
import { TestApi } from "../../fixtures/interop/generated/client.ts";
import * as errors from "../../fixtures/interop/generated/errors.ts";

/** webrpc's own test server, if `.ci/run` could build it with Go. */
const binary = fileURLToPath(new URL("../../reference/bin/webrpc-test", import.meta.url));
const { CI } = process.env;
const isMissing = !existsSync(binary) && CI !== "true";
if (isMissing) console.warn("skipped: the server of webrpc's suite is not built; .ci/run builds it with Go");

const dispatcher = new Agent();
afterAll(() => dispatcher.close());

describe.skipIf(isMissing).each<[string, Partial<Client>]>([
  ["fetch", {}],
  ["bounded fetch", { transport: limitedFetch(1_000_000) }],
  ["undici", { transport: undiciTransport(dispatcher) }],
])("against the server of webrpc's own suite, over %s", (_name, settings) => {
  let server: ChildProcess;
  let api: TestApi;

  beforeAll(async () => {
    const port = await freePort();
    server = spawn(binary, ["-server", `-port=${port}`, "-timeout=60s"], { stdio: "ignore" });
    const url = `http://localhost:${port}`;
    api = new TestApi({ url, ...settings });
    await vi.waitFor(() => api.getEmpty(), { timeout: 120_000 });
  });

  afterAll(() => void server.kill());

  test("every response can be sent back", async () => {
    await api.sendOne({ one: (await api.getOne()).one });
    await api.sendMulti(await api.getMulti());
    const { complex } = await api.getComplex();
    await api.sendComplex({ complex });
    expect(await api.getEnumList()).toEqual({ list: ["AVAILABLE", "NOT_AVAILABLE"] });
    expect(await api.getEnumMap()).toEqual({ map: { READ: 1, WRITE: 2 } });
  });

  test("an undeclared error is an endpoint error", async () => {
    const { error } = await result(api.getError());
    expect(error).toBeInstanceOf(errors.WebrpcEndpointError);
    expect(error).toMatchObject({
      code: 0,
      name: "WebrpcEndpoint",
      msg: "endpoint error",
      status: 400,
      side: "server",
    });
  });

  test.each<[number, new () => RpcError, string, number, string | undefined]>([
    [1, errors.UnauthorizedError, "unauthorized", 401, "failed to verify JWT token"],
    [2, errors.ExpiredTokenError, "expired token", 401, undefined],
    [6, errors.AccessDeniedError, "access denied", 403, undefined],
    [100, errors.RateLimitedError, "too many requests", 429, "1000 req/min exceeded"],
    [101, errors.DatabaseDownError, "service outage", 503, undefined],
    [103, errors.NotImplementedError, "not implemented", 501, undefined],
    [200, errors.UserNotFoundError, "user not found", 400, undefined],
    [300, errors.FileTooBigError, "file is too big (max 1GB)", 400, undefined],
    [302, errors.FileTypeError, "unsupported file type", 400, ".wav is not supported"],
  ])("error %i has its class and the server's message", async (code, errorClass, msg, status, cause) => {
    const { error } = await result(api.getSchemaError({ code }));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code, msg, status });
    if (cause !== undefined) expect(error?.cause).toBe(cause);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
