/** Generated clients in a real browser: the wire vectors, and a stream. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import Koa from "koa";
import { expect, test } from "vitest";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { createServer as serverWithNumbers } from "../fixtures/wire/generated/server.ts";
import { createServer as serverWithBigints } from "../fixtures/wire/generated-bigint/server.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { echoHandlers } from "../support/feed.ts";
import { isInstalled, openPage } from "./browser.ts";

test.runIf(isInstalled)("each type's extremes are what they were in Chromium", async () => {
  await using host = await startHost();
  await using opened = await openPage(host.url);
  const { differences, rows } = (await opened.page.evaluate("run()")) as {
    differences: string[];
    rows: number;
  };
  expect(differences).toEqual([]);
  expect(rows).toBeGreaterThan(200);
});

test.runIf(isInstalled)(
  "a stream is read in Chromium, and its handler ends when the page leaves it",
  async () => {
    await using host = await startHost();
    await using opened = await openPage(host.url);
    expect(await opened.page.evaluate("read(5)")).toEqual([
      "18446744073709551606",
      "18446744073709551607",
      "18446744073709551608",
      "18446744073709551609",
      "18446744073709551610",
    ]);
    await expect.poll(() => host.freed()).toBe(1);
  },
);

interface Host extends RunningServer {
  /** Streams that have ended. */
  freed(): number;
}

/** A page and the servers of both forms below their prefixes, on one origin. */
async function startHost(): Promise<Host> {
  let freed = 0;
  const handlers = {
    Wire: {
      ...echoHandlers.Wire,
      Watch: async function* (ctx: { readonly signal: AbortSignal }, { from }: { readonly from: bigint }) {
        try {
          for (let sequence = from; ; sequence++) {
            yield { sequence, amount: sequence, at: "2024-02-29T12:00:00Z" };
            await sleep(2, undefined, { signal: ctx.signal });
          }
        } finally {
          freed++;
        }
      },
    },
  };
  const script = await bundle();
  const app = new Koa();
  const servers = [
    ["/number", serverWithNumbers(echoHandlers, { checkResponses: true })],
    ["/bigint", serverWithBigints(handlers, { checkResponses: true })],
  ] as const;
  app.use(async (ctx, next) => {
    const found = servers.find(([prefix]) => ctx.path.startsWith(`${prefix}/`));
    if (found === undefined) return next();
    const [prefix, server] = found;
    return koaMiddleware(server, { path: () => ctx.path.slice(prefix.length) })(ctx, next);
  });
  app.use((ctx) => {
    const isScript = ctx.path === "/page.js";
    ctx.type = isScript ? "text/javascript" : "html";
    ctx.body = isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>';
  });
  const running = await listen(createServer(app.callback()));
  return { ...running, freed: () => freed };
}

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL("fixtures/page.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
