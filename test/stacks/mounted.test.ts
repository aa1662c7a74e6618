import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import Koa, { type Middleware } from "koa";
import { describe, expect, test } from "vitest";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { mountedPath, nodeListener } from "../../generator/runtime/src/node.ts";
import { createServer as createShop } from "../fixtures/shop/generated/server.ts";
import { shopHandlers } from "../generator/runtime/shop.ts";
import { listen } from "../support/adapters.ts";
import { isInstalled, loadPackage } from "./packages.ts";

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;
type ErrorHandler = (error: unknown, req: IncomingMessage, res: ServerResponse, next: () => void) => void;
interface Router {
  use(...parts: readonly (string | Handler | ErrorHandler)[]): Router;
}
interface Express {
  (): Router & RequestListener;
  json(): Handler;
  Router(): Router & Handler;
}

const server = createShop(shopHandlers);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What each path answers. No framework sees an error. */
async function answersOf(
  app: RequestListener | Router | Koa,
  paths: readonly string[],
): Promise<readonly Answer[]> {
  const errors: unknown[] = [];
  if (app instanceof Koa) app.on("error", (error) => errors.push(error));
  else if ("use" in app)
    app.use((error: unknown, _req, _res, next) => {
      errors.push(error);
      next();
    });
  const listener = app instanceof Koa ? app.callback() : (app as RequestListener);
  await using running = await listen(createServer(listener));
  const ask = async (path: string): Promise<Answer> => {
    const response = await fetch(`${running.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ value: "é" }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const answers = await Promise.all(paths.map(ask));
  expect(errors).toEqual([]);
  return answers;
}

const echoed: Answer = { status: 200, body: { value: "é" } };
const later: Answer = { status: 418, body: "later" };
const badRoute: Answer = {
  status: 404,
  body: expect.objectContaining({ error: "WebrpcBadRoute", code: -2 }),
};

const echo = "/v2/rpc/Shop/Echo";
const own: Handler = (_req, res) => {
  res.writeHead(418).end('"later"');
};

describe.skipIf(!isInstalled).each(["express", "express-4"])("%s", (name) => {
  const express = (): Express => loadPackage(name) as Express;

  test("serves its paths and leaves the others to later routes", async () => {
    const app = express()();
    app.use(nodeListener(server));
    app.use("/other", own);
    expect(await answersOf(app, [echo, `${echo}?a=b`, "/v2/rpc/Shop/Nothing", "/other"])).toEqual([
      echoed,
      echoed,
      badRoute,
      later,
    ]);
  });

  test.each<[prefix: string, path: string]>([
    ["/api", `/api${echo}`],
    ["/v2", echo],
    ["/v2/rpc", echo],
    ["/api/v2/rpc", `/api${echo}`],
    ["/v2/rpc/Shop", echo],
  ])("under %s serves %s", async (prefix, path) => {
    const app = express()();
    app.use(prefix, nodeListener(server));
    app.use(own);
    expect(await answersOf(app, [path, prefix, `${prefix}/other`, `/x${path}`])).toEqual([
      echoed,
      later,
      prefix.includes("/v2/rpc") ? badRoute : later,
      later,
    ]);
  });

  test("in a router under a prefix, behind a parser of bodies", async () => {
    const app = express()();
    const router = express().Router();
    router.use("/v2", nodeListener(server));
    app.use(express().json());
    app.use("/api", router);
    app.use(own);
    expect(await answersOf(app, [`/api${echo}`, "/api/v2/other"])).toEqual([echoed, later]);
  });

  test("an own next goes before the one of Express", async () => {
    const app = express()();
    app.use(nodeListener(server, { next: (_req, res) => void res.writeHead(200).end('"mine"') }));
    app.use(own);
    expect(await answersOf(app, ["/other"])).toEqual([{ status: 200, body: "mine" }]);
  });
});

test("without a next an unknown path is WebrpcBadRoute", async () => {
  expect(await answersOf(nodeListener(server), [echo, "/other"])).toEqual([echoed, badRoute]);
});

describe.skipIf(!isInstalled)("koa-mount", () => {
  test.each<[prefix: string, path: string]>([
    ["/api", `/api${echo}`],
    ["/v2/rpc", echo],
    ["/api/v2", `/api${echo}`],
  ])("under %s serves %s", async (prefix, path) => {
    const mount = loadPackage("koa-mount") as (path: string, middleware: Middleware) => Middleware;
    const app = new Koa();
    app.use(mount(prefix, koaMiddleware(server)));
    app.use((ctx) => {
      ctx.status = 418;
      ctx.body = '"later"';
    });
    expect(await answersOf(app, [path, "/other"])).toEqual([echoed, later]);
  });
});

test.each<[url: string, original: string | undefined, path: string]>([
  ["/rpc/A/B?c", undefined, "/rpc/A/B"],
  ["/rpc/A/B", "/rpc/A/B", "/rpc/A/B"],
  ["/A/B?c", "/rpc/A/B?c", "/rpc/A/B"],
  ["/B", "/x/rpc/A/B", "/rpc/A/B"],
  ["/", "/rpc", "/"],
  ["/", "/rpc/", "/rpc/"],
  ["/A/B", "/rewritten", "/A/B"],
  ["/A/B", "/xrpc/A/B", "/A/B"],
  ["/rpc/A/B", "/x/rpc/rpc/A/B", "/rpc/A/B"],
])("%s of %s is %s", (url, original, path) => {
  expect(mountedPath(url, original, "/rpc/")).toBe(path);
});
