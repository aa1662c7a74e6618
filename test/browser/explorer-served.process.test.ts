/** The page as part of a generated server, below a prefix that a framework removes. */
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import Koa, { type Middleware } from "koa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../support/adapters.ts";
import { type Folder, folder, ridlkitProcess } from "../support/program.ts";
import { isInstalled, openPage, until } from "./browser.ts";

const schema = (routes: string): string => `webrpc = v1
name = pets
version = v1
basepath = /

service Pets
  - GetPet(id: uint64) => (name: string)
${routes}`;

// The page calls the server that it comes from, whatever other servers there are.
const openapi = { servers: [{ url: "https://api.example" }] };
const targets = ["server", "explorer"];
const generation = { targets, adapters: ["koa", "node"], openapi };

const main = (handlers: string): string => `import { withExplorer } from "./api/explorer.ts";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./api/server.ts";

const server = withExplorer(createServer({ Pets: { GetPet: () => ({ name: "Rex" })${handlers} } }));
export const middleware = koaMiddleware(server);
export const listener = nodeListener(server);
`;

interface Project extends Folder {
  readonly middleware: Middleware;
  readonly listener: RequestListener;
}

/** Generates and loads a server. */
async function projectOf(routes: string, handlers: string): Promise<Project> {
  const dir = folder({
    "pets.ridl": schema(routes),
    "ridlkit.config.json": JSON.stringify({ schemas: [{ entry: "pets.ridl", out: "api", ...generation }] }),
    "main.ts": main(handlers),
  });
  expect(await ridlkitProcess(["generate"], { cwd: dir.path })).toMatchObject({ code: 0 });
  const loaded = (await import(join(dir.path, "main.ts"))) as Omit<Project, keyof Folder>;
  return { ...dir, middleware: loaded.middleware, listener: loaded.listener };
}

let pets: Project;
beforeAll(async () => {
  pets = await projectOf("", "");
});
afterAll(() => pets[Symbol.dispose]());

/** Removes `/api` from URLs, as Express and koa-mount do. */
function unprefixed(url = ""): string {
  return url.replace(/^\/api(?=\/)/, "");
}

const hosts: Readonly<Record<string, () => RequestListener>> = {
  Koa: () => {
    const app = new Koa();
    app.use((ctx, next) => {
      ctx.url = unprefixed(ctx.url);
      return pets.middleware(ctx, next);
    });
    return app.callback();
  },
  "node:http": () => (req, res) => {
    req.url = unprefixed(req.url);
    pets.listener(req, res);
  },
};

describe.runIf(isInstalled)("in a browser", () => {
  test.each(Object.keys(hosts))("with %s, the page calls its server, and breaks no policy", async (name) => {
    await using host = await listen(createServer(hosts[name]?.()));
    await using opened = await openPage("about:blank");
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await page.goto(`${host.url}/api/explorer#/method/Pets/GetPet`);
    await page.waitForSelector("h1");
    await page.click("button.primary");
    await until(page, "/^200/.test(document.querySelector('.answer [role=status]')?.textContent)");
    expect(await page.textContent(".answer .code pre")).toContain('"name": "Rex"');
    expect(await page.textContent("#code-panel pre")).toContain(`'${host.url}/api/Pets/GetPet'`);
    expect(await page.evaluate("location.pathname")).toBe("/api/explorer/index.html");
    expect(complaints).toEqual([]);
    expect([...new Set(asked)]).toEqual([host.url]);
  });
});

test("a route that uses the folder keeps it, and the page moves", async () => {
  using dir = await projectOf(
    "  - Explore(id: string) => (name: string)\n    GET /explorer/{id}\n  - Top(id: string) => (name: string)\n    GET /{id}\n",
    ", Explore: (_ctx, { id }) => ({ name: id }), Top: (_ctx, { id }) => ({ name: id })",
  );
  await using host = await listen(createServer(dir.listener));
  const textOf = async (path: string): Promise<string> => (await fetch(`${host.url}${path}`)).text();
  expect(await textOf("/explorer/index.html")).toBe('{"name":"index.html"}');
  expect(await textOf("/explorer")).toBe('{"name":"explorer"}');
  expect(await textOf("/-/explorer/")).toContain('<div id="page">');
  expect(await textOf("/-/explorer")).toContain('<div id="page">');
  expect(JSON.parse(await textOf("/-/explorer/host.json"))).toMatchObject({ servers: ["../../"] });
});
