/** Each type's extremes served by runtimes other than Node's, and files by those and by Node's frameworks. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { storeMany, turn } from "../fixtures/files/generated/client.ts";
import * as asNumber from "../fixtures/wire/generated/client.ts";
import * as asBigint from "../fixtures/wire/generated-bigint/client.ts";
import { type Echo, echoExtremes } from "../support/echo-extremes.ts";
import { type ExtremesFile, extremes } from "../support/extremes.ts";
import { ridlkitProcess } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";
import { runtimes } from "./recipes.ts";
import { freePort, start } from "./started.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = JSON.parse(readFileSync(join(root, "test/wire/extremes.json"), "utf8")) as ExtremesFile;
const made = join(stacksFolder, ".made/runtimes");
const clients = { number: asNumber.echo as Echo, bigint: asBigint.echo as Echo };
const cases = Object.keys(runtimes).flatMap((name) =>
  (["number", "bigint"] as const).map((form) => [name, form] as const),
);

afterAll(() => rmSync(made, { recursive: true, force: true }));

describe.skipIf(!isInstalled).each(cases)("%s, integers of 64 bits as %s", (name, form) => {
  test("bodies are echoed to the letter, or refused", async () => {
    const bundled = {
      schema: "wire",
      options: ["--adapter", "fetch", "--int64", form],
      handlers: echoHandlers,
    };
    await using host = await serveOn(name, join(made, `${name}-${form}`), bundled);
    const { url } = host;
    const path = "/api/v2/Wire/Echo";
    const rows = extremes(file, form);
    const seen: unknown[] = [];
    const wanted: unknown[] = [];
    for (const { about, sent, answer } of rows) {
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(url + path, { method: "POST", headers, body: sent });
      const [status, body] = [response.status, await response.text()];
      seen.push(status === 200 ? { about, body } : { about, status, code: JSON.parse(body).code });
      wanted.push(answer === undefined ? { about, status: 400, code: -4 } : { about, body: answer });
    }
    expect(seen).toEqual(wanted);
    expect(await echoExtremes(clients[form], { url }, rows)).toEqual([]);
  });
});

/** What serves on Node.js, after the lines of `bundle`. */
const nodeServers: Readonly<Record<string, string>> = {
  koa: `import Koa from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
new Koa().use(koaMiddleware(server)).listen(Number(process.env.PORT));`,
  node: `import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
createHttpServer(nodeListener(server)).listen(Number(process.env.PORT));`,
  hono: `import { serve as listen } from "@hono/node-server";
import { Hono } from "hono";
listen({ fetch: new Hono().all("/*", (c) => serve(c.req.raw)).fetch, port: Number(process.env.PORT) });`,
};

const fileCases = [...Object.keys(runtimes), ...Object.keys(nodeServers)].flatMap((name) =>
  (["package", "copy"] as const).map((form) => [name, form] as const),
);

describe.skipIf(!isInstalled).each(fileCases)("%s with the runtime as %s", (name, runtime) => {
  test("files are received and sent by the same handlers", async () => {
    const options = ["--adapter", "koa,node,fetch"];
    const bundled = { schema: "files", options, handlers: fileHandlers, runtime };
    await using host = await serveOn(name, join(made, `${name}-files-${runtime}`), bundled);
    const { url } = host;
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, at) => at);
    const source = new File([bytes], "dir/b\u00efld.png", { type: "image/png" });
    const turned = await turn({ url }, { source });
    // Bun and workerd send streams without a length.
    expect(turned).toMatchObject({ name: "b\u00efld.png", type: "image/png" });
    expect(Buffer.from(await new Response(turned.stream).arrayBuffer()).equals(bytes)).toBe(true);
    const three = { files: [source, source, source] };
    expect((await storeMany({ url }, three)).stored.map(({ size }) => size)).toEqual(
      Array(3).fill(1_000_000),
    );
    await expect(storeMany({ url }, { files: [...three.files, source] })).rejects.toMatchObject({
      code: -4,
      cause: "more than 3 files",
    });
    await expect(storeMany({ url }, { files: [new Blob([bytes, "a"])] })).rejects.toMatchObject({
      cause: "/files: expected a file of at most 1000000 bytes, found a larger file",
    });
  });
});

describe.skipIf(!isInstalled).each(Object.keys(runtimes))("%s", (name) => {
  test("the explorer is sent, conditionally and without its body", async () => {
    const bundled = {
      schema: "wire",
      options: ["--adapter", "fetch", "--target", "server,explorer"],
      ...explorer,
    };
    await using host = await serveOn(name, join(made, `${name}-explorer`), bundled);
    const get = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${host.url}/explorer${path}`, init);
    const [, file = ""] = /src="([^"]+)"/.exec(await (await get("/")).text()) ?? [];
    const script = await get(`/${file}`);
    const text = await script.text();
    expect([script.status, text.length > 50_000]).toEqual([200, true]);
    // Deno compresses if the request permits it.
    const plain = await get(`/${file}`, { headers: { "Accept-Encoding": "identity" } });
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, text]);
    const etag = script.headers.get("etag") ?? "";
    const cached = await get(`/${file}`, { headers: { "If-None-Match": etag } });
    expect([cached.status, await cached.text()]).toEqual([304, ""]);
    const head = await get(`/${file}`, { method: "HEAD" });
    const type = "text/javascript; charset=utf-8";
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, type, ""]);
    const redirect = await get("", { redirect: "manual" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "explorer/index.html"]);
    expect((await get(`/${file}`, { method: "POST" })).status).toBe(405);
  });
});

const echoHandlers = `
const echo = (_ctx, req) => req;
const none = async function* () {};
const handlers = { Wire: { Echo: echo, EchoText: echo, Pay: echo, Choose: echo, Watch: none, Tail: none, Beat: none } };
const options = { checkResponses: true };
`;

const explorer = {
  handlers: `import { withExplorer } from "./generated/explorer.ts";${echoHandlers}`,
  server: "withExplorer(createServer(handlers, options))",
};

const fileHandlers = `
const stored = ({ name, type, size }) => ({ name, type, size, sha256: "" });
const none = () => new Blob([]);
const StoreMany = (_ctx, { files }) => ({ stored: files.map(stored) });
// By the functions that files have on disk and in memory.
const Turn = (_ctx, { source }) => ({ body: source.stream(), name: source.name, type: source.type, size: source.size });
const unused = { Store: none, Submit: none, Attach: none, Fetch: none, Read: none, Export: none };
const handlers = { Depot: { ...unused, StoreMany, Turn } };
const options = { uploads: { fileMaxBytes: 1_000_000, filesMax: 3 } };
`;

interface Bundled {
  /** A folder of `test/fixtures`. */
  readonly schema: string;
  readonly options: readonly string[];
  /** Declares `handlers`, and `options` of the server. */
  readonly handlers: string;
  /** Default: the generated server. */
  readonly server?: string;
  readonly runtime?: "package" | "copy";
}

/** A server on one of the runtimes, ready for calls. */
async function serveOn(
  name: string,
  folder: string,
  bundled: Bundled,
): Promise<{ url: string } & AsyncDisposable> {
  const ofNode = { entry: nodeServers[name] ?? "", start: [process.execPath, "dist/main.js"] as const };
  const { entry, start: command } = runtimes[name] ?? ofNode;
  await bundle(folder, bundled, entry, name in runtimes);
  const port = await freePort();
  const host = await start(command, folder, { ...process.env, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isUp, { timeout: 120_000 }).toBe(404);
  return { url, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

/** Writes `dist/main.js`. */
async function bundle(
  folder: string,
  { schema, options, handlers, server = "createServer(handlers, options)", runtime = "package" }: Bundled,
  entry: string,
  isWithoutNode: boolean,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(stacksFolder, "recipes/workers/worker.capnp"), join(folder, "worker.capnp"));
  const path = join(root, `test/fixtures/${schema}/schema.ridl`);
  const generated = ["--out", "generated", "--runtime", runtime, ...options, "--quiet"];
  expect(await ridlkitProcess(["generate", path, ...generated], { cwd: folder })).toMatchObject({ code: 0 });
  const contents = `import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
${handlers}
const server = ${server};
const serve = fetchHandler(server);
${entry}
`;
  const ofCopy = contents.replaceAll(/"ridlkit-runtime\/([^"]+)"/g, '"./generated/runtime/$1.ts"');
  await build({
    stdin: { contents: runtime === "copy" ? ofCopy : contents, resolveDir: folder },
    outfile: join(folder, "dist/main.js"),
    bundle: true,
    // An import of a module of Node fails the build of the others.
    ...(isWithoutNode ? { platform: "neutral" } : { platform: "node", packages: "external" }),
    // Without the paths of the repository, the package's "exports" decide.
    tsconfigRaw: {},
    format: "esm",
  });
}
