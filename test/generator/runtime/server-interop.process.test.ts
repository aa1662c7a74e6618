import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer, type Handlers } from "../../fixtures/interop/generated/server.ts";
import { adapterNames, type RunningServer, serveWith } from "../../support/adapters.ts";
import { interopHandlers } from "../../support/interop-handlers.ts";
import { rawRequest } from "../../support/raw-http.ts";

interface InteropCase {
  readonly method: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const cases = JSON.parse(
  readFileSync(new URL("../../wire/interop.json", import.meta.url), "utf8"),
) as InteropCase[];

/** Built by `.ci/run` if Go is installed. */
const suite = fileURLToPath(new URL("../../reference/bin/webrpc-test", import.meta.url));

describe.each(adapterNames)("webrpc's interoperability suite, over %s", (adapter) => {
  let running: RunningServer;

  beforeAll(async () => {
    running = await serveWith(adapter, createServer(interopHandlers, { checkResponses: true }));
  });
  afterAll(() => running[Symbol.asyncDispose]());

  test.each(cases.map((row) => [row.method, JSON.stringify(row.request).slice(0, 40), row] as const))(
    "%s %s",
    async (_method, _request, { method, request, status, answer }) => {
      const path = `/rpc/TestApi/${method}`;
      const { status: got, body } = await rawRequest(running.port, { path, body: JSON.stringify(request) });
      expect(JSON.parse(body)).toEqual(answer);
      expect(got).toBe(status);
    },
  );

  test("a call that differs from the suite is rejected", async () => {
    const { status } = await rawRequest(running.port, {
      path: "/rpc/TestApi/SendOne",
      body: '{"one":{"id":2,"name":"one"}}',
    });
    expect(status).toBe(400);
  });

  test.runIf(existsSync(suite))("the suite itself finds nothing", async () => {
    const { code, said } = await run(suite, ["-client", `-url=${running.url}`]);
    expect(said).toBe("");
    expect(code).toBe(0);
  });
});

/** Like the reference's own server: a handler throws an error that is not in the schema. */
const throwing: Handlers = {
  TestApi: {
    ...interopHandlers.TestApi,
    GetError: () => {
      throw new Error("internal error");
    },
    GetSchemaError: (ctx, req) => {
      if (req.code === 0) throw new Error("failed to read file: unexpected EOF");
      return interopHandlers.TestApi.GetSchemaError(ctx, req);
    },
  },
};

describe.each(["endpoint", "endpoint-with-message"] as const)(
  "unexpected errors as %s",
  (unexpectedErrors) => {
    const server = createServer(throwing, { checkResponses: true, unexpectedErrors });

    test.runIf(existsSync(suite))("webrpc's suite finds nothing", async () => {
      await using running = await serveWith("node-http", server);
      const { code, said } = await run(suite, ["-client", `-url=${running.url}`]);
      expect(said).toBe("");
      expect(code).toBe(0);
    });
  },
);

test.runIf(existsSync(suite))("webrpc's suite objects to WebrpcInternalError", async () => {
  await using running = await serveWith("node-http", createServer(throwing));
  const { code } = await run(suite, ["-client", `-url=${running.url}`]);
  expect(code).not.toBe(0);
});

function run(program: string, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said }));
  });
}
