/** Generated MCP servers, called by the official client over stdio and HTTP. */
import { AsyncLocalStorage } from "node:async_hooks";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compiler } from "../compile/project.ts";
import { ridlkit } from "../support/program.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const made = join(folder, ".made");

/** The packages of `package.json`, which .ci/run installs: `npm ci --prefix test/mcp`. */
const isInstalled = existsSync(join(folder, "node_modules"));
if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/mcp was not run");
if (!isInstalled) console.log("MCP is left out: npm ci --prefix test/mcp installs the SDK.");

type FetchHandler = (request: Request) => Promise<Response>;

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface Client {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<Result>;
  listTools(): Promise<{
    readonly tools: readonly { readonly name: string; readonly annotations: object }[];
  }>;
  getInstructions(): string | undefined;
  getServerVersion(): object | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
}

/** The SDK's classes, and the generated code. */
interface Modules {
  readonly Client: new (about: object, options?: object) => Client;
  readonly StdioClientTransport: new (options: object) => unknown;
  readonly StreamableHTTPClientTransport: new (url: URL, options?: object) => unknown;
  readonly mcpHandler: (target: FetchHandler | string, options?: object) => FetchHandler;
  /** Of an API with 2,000 methods. */
  readonly largeHandler: Modules["mcpHandler"];
  /** The tokenizer `o200k_base`, from the package `gpt-tokenizer`. */
  readonly encode: (text: string) => readonly number[];
  readonly serve: FetchHandler;
  readonly canary: string;
}

/** Clients of the newest protocol, and those of 2025, which servers serve too. */
const clientOptions: Readonly<Record<string, object>> = {
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  "2025-11-25": {},
};

describe.runIf(isInstalled)("with the official SDK", () => {
  let modules: Modules;

  beforeAll(async () => {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    cpSync(join(folder, "fixtures"), made, { recursive: true });
    writeFileSync(join(made, "package.json"), '{ "type": "module" }');
    const shop = { entry: "schema.ridl", targets: ["server", "mcp"], adapters: ["fetch"], int64: "bigint" };
    writeFileSync(join(made, "large.ridl"), gunzipSync(readFileSync(join(folder, "large/large.ridl.gz"))));
    const schemas = [
      { ...shop, name: "shop", out: "api" },
      { entry: "large.ridl", targets: ["mcp"], name: "large", out: "large" },
    ];
    writeFileSync(join(made, "ridlkit.config.json"), JSON.stringify({ schemas }));
    expect(await ridlkit(["generate", "--quiet"], { cwd: made })).toEqual({ code: 0, out: "", err: "" });
    const entry = `
      export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
      export { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
      export { encode } from "gpt-tokenizer/encoding/o200k_base";
      export { mcpHandler } from "./api/mcp.ts";
      export { mcpHandler as largeHandler } from "./large/mcp.ts";
      export * from "./app.ts";`;
    writeFileSync(join(made, "entry.ts"), entry);
    await build({
      entryPoints: [join(made, "entry.ts"), join(made, "stdio.ts")],
      absWorkingDir: made,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      outdir: made,
      outExtension: { ".js": ".mjs" },
      logLevel: "silent",
    });
    modules = (await import(pathToFileURL(join(made, "entry.mjs")).href)) as Modules;
  });

  afterAll(() => rmSync(made, { recursive: true, force: true }));

  const aged = {
    target: "es2017",
    lib: ["es2020", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
  };
  const strict = { lib: ["es2023", "dom", "dom.asynciterable"] };

  test.each([5, 6, 7] as const)("TypeScript %i compiles the generated code", (major) => {
    const tsc = compiler(major);
    // Installed by .ci/run: `npm ci --prefix test/compile`.
    if (tsc === undefined && process.env["CI"] !== "true") return;
    for (const [options, base] of [
      [strict, "../../compile/tsconfig.json"],
      [aged, "../../compile/tsconfig.json"],
      [strict, "../../compile/strict-alone.json"],
    ] as const) {
      const config = {
        extends: base,
        compilerOptions: { ...options, types: ["node"] },
        files: ["api/mcp.ts", ...(options === strict ? ["large/mcp.ts"] : [])],
      };
      writeFileSync(join(made, "tsconfig.json"), JSON.stringify(config));
      execFileSync(process.execPath, [tsc ?? "", "-p", made], { stdio: "inherit" });
    }
  });

  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Serves a Fetch API handler on a port of this machine. */
  async function listen(handler: FetchHandler): Promise<URL> {
    const server = createServer(async (req, res) => {
      const hasBody = req.method === "POST";
      const request = new Request(`http://${req.headers.host}${req.url}`, {
        method: req.method ?? "GET",
        headers: Object.entries(req.headers).map(([name, value]): [string, string] => [name, `${value}`]),
        ...(hasBody && { body: Readable.toWeb(req) as ReadableStream, duplex: "half" }),
      } as RequestInit);
      const response = await handler(request);
      res.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const chunk of response.body ?? []) res.write(chunk);
      res.end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  }

  async function connected(transport: unknown, options: object = {}): Promise<Client> {
    const client = new modules.Client({ name: "test", version: "1" }, options);
    await client.connect(transport);
    return client;
  }

  const transports: Readonly<Record<string, () => Promise<unknown>>> = {
    stdio: async () =>
      new modules.StdioClientTransport({ command: process.execPath, args: [join(made, "stdio.mjs")] }),
    HTTP: async () =>
      new modules.StreamableHTTPClientTransport(await listen(modules.mcpHandler(modules.serve)), {
        requestInit: { headers: { Authorization: "Bearer http" } },
      }),
  };

  const cases = Object.keys(transports).flatMap((transport) =>
    Object.keys(clientOptions).map((version) => [transport, version] as const),
  );

  describe.each(cases)("over %s, protocol %s", (transport, version) => {
    let client: Client;
    beforeAll(async () => {
      client = await connected(await transports[transport]?.(), clientOptions[version]);
    });
    afterAll(() => client.close());

    const call = (method: string, request?: object, fields?: readonly string[]): Promise<Result> =>
      client.callTool({
        name: "call",
        arguments: { method, ...(request && { request }), ...(fields && { fields }) },
      });
    const textOf = ({ content }: Result): string => content.map(({ text = "" }) => text).join("\n");

    test("there are two tools with hints", async () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getServerVersion()).toEqual({ name: "shop", version: "v1.2.0" });
      expect(client.getInstructions()).toContain('Use "search"');
      const { tools } = await client.listTools();
      expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
        [
          "search",
          { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        ],
        ["call", { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
      ]);
    });

    test("an agent searches, reads the types and calls", async () => {
      const found = textOf(
        await client.callTool({ name: "search", arguments: { query: "cancel an order" } }),
      );
      expect(found.split("\n")[0]).toBe(
        "Orders.CancelOrder(id, reason?) [changes data, safe to repeat] Cancels an order before it is sent.",
      );
      const types = textOf(
        await client.callTool({ name: "search", arguments: { query: "Orders.GetOrder" } }),
      );
      expect(types).toBe(readFileSync(join(folder, "fixtures", "get-order.txt"), "utf8").trimEnd());
      const { content } = await call("Orders.GetOrder", { id: "1152921504606846977" }, [
        "order.id",
        "order.total",
      ]);
      expect(content).toEqual([
        { type: "text", text: '{"order":{"id":1152921504606846977,"total":"12345678901234567890"}}' },
      ]);
    });

    test("calls have the caller's credentials", async () => {
      const expected = transport === "HTTP" ? "Bearer http" : "stdio";
      expect(textOf(await call("Orders.AddNumbers", { a: 1, b: 2 }))).toBe(`{"sum":3,"text":"${expected}"}`);
    });

    test("no secret arrives, in no response and no error", async () => {
      const results = [
        await call("Orders.GetOrder", { id: 1 }),
        await call("Orders.ListOrders", { size: 200 }),
        await call("Events.Watch", { count: 3 }),
        await call("Orders.GetOrder", { id: 13 }),
        await call("Orders.GetOrder", { id: 404 }),
      ];
      expect(textOf(results[0] ?? { content: [] })).toContain('"name":"Ann"');
      expect(JSON.stringify(results)).not.toContain(modules.canary);
    });

    test.each<[string, string, object, object]>([
      [
        "of the schema",
        "Orders.GetOrder",
        { id: 404 },
        { name: "NotFound", code: 1, status: 404, message: "no such order" },
      ],
      [
        "with issues",
        "Orders.PlaceOrder",
        { lines: [{ name: "a", count: 0 }], payment: "gold", apiKey: "abc" },
        {
          name: "WebrpcBadRequest",
          code: -4,
          status: 400,
          message: "bad request",
          issues: [
            { pointer: "/lines/0/count", message: "expected an integer from 1 to 255, found 0" },
            { pointer: "/payment", message: 'expected one of card, cash, found "gold"' },
          ],
        },
      ],
      [
        "of the handler",
        "Orders.GetOrder",
        { id: 13 },
        { name: "WebrpcInternalError", code: -7, status: 500, message: "internal error" },
      ],
    ])("an error %s", async (_, method, request, error) => {
      const result = await call(method, request);
      expect(result).toMatchObject({ isError: true, structuredContent: { error } });
      expect(JSON.parse(textOf(result))).toEqual({ error });
    });

    test("a missing argument is an error that names it", async () => {
      const result = await client.callTool({ name: "call", arguments: { request: {} } });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('The argument "method" is missing.');
    });

    test("a large response is cut", async () => {
      const { content } = await call("Orders.ListOrders", { size: 500 });
      expect(Buffer.byteLength(content[0]?.text ?? "")).toBeLessThanOrEqual(20_000);
      expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({ more: true });
      expect(content[1]?.text).toMatch(/^Cut to 20000 bytes. Kept \/orders: \d+ of 500 items. .* "size"/);
    });

    test("a stream returns its first items", async () => {
      const { content } = await call("Events.Watch", { count: 30 });
      expect(JSON.parse(content[0]?.text ?? "").items).toHaveLength(20);
      expect(content[1]?.text).toContain("The stream goes on.");
    });

    test("routes and files", async () => {
      const found = await call("Accounts.Find", { labels: ["a b", "c&d"], big: "18446744073709551615" });
      expect(textOf(found)).toBe('{"labels":["a b","c&d"],"big":18446744073709551615}');
      const invoice = await call("Files.GetInvoice", { kind: "image/png", size: 3 });
      expect(invoice.content[1]).toEqual({ type: "image", data: "YWFh", mimeType: "image/png" });
      const picture = { name: "a.png", type: "image/png", base64: "AAAA" };
      const added = await call("Files.AddPicture", {
        title: "t",
        picture,
        more: [{ name: "b.txt", type: "text/plain", text: "hé" }],
      });
      expect(textOf(added)).toBe('{"bytes":6,"types":["image/png","text/plain"]}');
    });
  });

  describe("HTTP", () => {
    const post = async (url: URL, headers: Record<string, string>): Promise<number> => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const { status } = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(message),
      });
      return status;
    };

    test("pages of other origins are rejected, unless they are allowed", async () => {
      const url = await listen(modules.mcpHandler(modules.serve));
      expect(await post(url, {})).toBe(200);
      expect(await post(url, { Origin: "http://localhost:3000" })).toBe(200);
      expect(await post(url, { Origin: "https://evil.example" })).toBe(403);
      const open = await listen(modules.mcpHandler(modules.serve, { origins: ["app.example"] }));
      expect(await post(open, { Origin: "https://app.example" })).toBe(200);
      expect(await post(open, { Origin: "http://localhost:3000" })).toBe(403);
    });

    test("other host names are rejected, unless they are allowed", async () => {
      const request = (host: string) =>
        new Request(`http://${host}/mcp`, { method: "POST", headers: { Host: host }, body: "{}" });
      const statusOf = async (host: string, options?: object) =>
        (await modules.mcpHandler(modules.serve, options)(request(host))).status;
      expect(await statusOf("rebound.example")).toBe(403);
      expect(await statusOf("api.example", { hosts: ["api.example"] })).not.toBe(403);
      expect(await statusOf("localhost", { hosts: ["api.example"] })).toBe(403);
    });
  });

  test("the async context of an agent's request reaches the API", async () => {
    const span = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const handle = modules.mcpHandler((request) => {
      seen.push([request.headers.get("authorization"), span.getStore()]);
      return modules.serve(request);
    });
    const url = await listen((request) =>
      span.run(`${request.headers.get("authorization")}`, () => handle(request)),
    );
    await Promise.all(
      ["first", "second"].map(async (name) => {
        const headers = { Authorization: name };
        const client = await connected(
          new modules.StreamableHTTPClientTransport(url, { requestInit: { headers } }),
        );
        for (const [method, request] of [
          ["Orders.GetOrder", { id: 1 }],
          ["Events.Watch", { count: 2 }],
        ])
          await client.callTool({ name: "call", arguments: { method, request } });
        await client.close();
      }),
    );
    expect(seen.sort()).toEqual(["first", "first", "second", "second"].map((name) => [name, name]));
  });

  test("an API of 2,000 methods costs an agent at most 1,500 tokens before its first question", async () => {
    const url = await listen(modules.largeHandler(modules.serve));
    const client = await connected(
      new modules.StreamableHTTPClientTransport(url),
      clientOptions["2026-07-28"],
    );
    const { tools } = await client.listTools();
    // Everything that a client could show to its model: names, descriptions, schemas, hints and instructions.
    const text = JSON.stringify(tools) + client.getInstructions();
    await client.close();
    expect(text).toContain("which has 2000.");
    const tokens = modules.encode(text).length;
    console.log(`An API of 2,000 methods costs ${tokens} tokens.`);
    expect(tokens).toBeLessThanOrEqual(1_500);
  });

  test("an API at a URL gets no credentials of the agent, except those that are chosen", async () => {
    const api = await listen(modules.serve);
    const textWith = async (options?: object): Promise<string | undefined> => {
      const url = await listen(modules.mcpHandler(api.origin, options));
      const headers = { Authorization: "Bearer agent" };
      const client = await connected(
        new modules.StreamableHTTPClientTransport(url, { requestInit: { headers } }),
      );
      const given = { method: "Orders.AddNumbers", request: { a: 1, b: 1 } };
      const { content } = await client.callTool({ name: "call", arguments: given });
      await client.close();
      return content[0]?.text;
    };
    expect(await textWith()).toBe('{"sum":2,"text":"nobody"}');
    expect(await textWith({ headers: () => ({ Authorization: "Bearer own" }) })).toBe(
      '{"sum":2,"text":"Bearer own"}',
    );
  });
});
