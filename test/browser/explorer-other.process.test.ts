/** The page on another contract than the platform's: it follows whatever schema its host serves. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import { expect, test } from "vitest";
import { pageTexts } from "../../generator/explorer/page-texts.ts";
import { filesByPath, type ServedFile } from "../../generator/runtime/src/explorer.ts";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { explorerPages } from "../../server/host/http/middleware.ts";
import { createServer as serverWithRoutes } from "../fixtures/routes/generated-bigint/server.ts";
import { createServer as serverWithBigints } from "../fixtures/wire/generated-bigint/server.ts";
import { routedHandlers } from "../generator/runtime/routes/handlers.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { contractIr } from "../support/contract-ir.ts";
import { root } from "../support/docs.ts";
import { echoHandlers } from "../support/feed.ts";
import { isInstalled, openPage, until } from "./browser.ts";

test.runIf(isInstalled)(
  "streams are shown as they come and can be stopped, and no digit is lost on either way",
  async () => {
    await using host = await startHost();
    await using opened = await openPage(`${host.url}/explorer/#/method/Wire/Watch`);
    const { page } = opened;
    await page.waitForSelector("h1");
    await page.fill('[id="/feed"]', "a");
    await page.fill('[id="/from"]', "18446744073709550000");
    await page.click("button.primary");
    await until(page, "document.querySelectorAll('.answer .items li').length >= 4");
    await page.click(".answer header button");
    await until(page, "document.querySelector('.answer [role=status]').textContent.startsWith('Stopped')");
    await expect.poll(() => host.freed()).toBe(1);
    const items = (await page.evaluate(
      "[...document.querySelectorAll('.answer code')].map(({ textContent }) => textContent)",
    )) as string[];
    expect(items.at(-1)).toContain('"sequence":18446744073709550000');
    expect(items.at(-4)).toContain('"amount":"18446744073709550003"');
    expect(await page.textContent("#code-panel pre")).toContain('"from":18446744073709550000');
    await page.click("#code-client");
    expect(await page.textContent("#code-panel pre")).toContain("for await (const item of wire.watch({");

    await page.evaluate("location.hash = '#/method/Wire/Echo'");
    await page.waitForSelector('[id="/big"]');
    await page.fill('[id="/big"]', "-123456789012345678901234567890");
    await page.fill('[id="/unsigned"]', "18446744073709551615");
    await page.click("button.primary");
    await until(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
    const answer = await page.textContent(".answer .code pre");
    expect(answer).toContain('"big": "-123456789012345678901234567890"');
    expect(answer).toContain('"unsigned": 18446744073709551615');
  },
);

test.runIf(isInstalled)("methods with routes are called on their routes", async () => {
  const received: string[] = [];
  await using host = await startRoutes(received);
  await using opened = await openPage(`${host.url}/explorer/#/method/Items/GetChild`);
  const { page } = opened;
  await page.waitForSelector("h1");
  expect(await page.textContent(".call-line")).toMatch(/^GET[/]rpc[/]items[/]{id}[/]children[/]{childId}/);
  expect(await page.textContent("#code-panel pre")).toContain(`'${host.url}/rpc/items/0/children/{childId}'`);

  // An empty value cannot be sent: the error is shown at its field.
  await page.click("button.primary");
  await until(page, "document.activeElement?.id === '/childId'");
  expect(received).toEqual([]);
  await page.fill('[id="/id"]', "18446744073709551615");
  await page.fill('[id="/childId"]', "a/b é");
  expect(await page.textContent("#code-panel pre")).toBe(
    `curl -s '${host.url}/rpc/items/18446744073709551615/children/a%2Fb%20%C3%A9'`,
  );
  await page.click("#code-client");
  expect(await page.textContent("#code-panel pre")).toContain(
    'await items.getChild({ id: 18446744073709551615, childId: "a/b é" });',
  );
  await page.click("button.primary");
  await until(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
  expect(await page.textContent(".answer .code pre")).toContain('"id": 18446744073709551615');

  for (const [method, name, text, answer] of [
    ["QueryItems", "text", "x y", '"x y"'],
    ["UpdateItem", "name", "Rex", '"name": "Rex"'],
    ["DeleteItem", "id", "7", "{}"],
  ]) {
    await page.evaluate(`location.hash = '#/method/Items/${method}'`);
    await page.waitForSelector(`[id="/${name}"]`);
    await page.fill(`[id="/${name}"]`, text ?? "");
    await page.click("button.primary");
    await until(page, "/^200/.test(document.querySelector('.answer [role=status]')?.textContent)");
    expect(await page.textContent(".answer .code pre")).toContain(answer);
  }

  // The position of an error from the host is a field, too.
  await page.evaluate("location.hash = '#/method/Items/GetItem'");
  await page.waitForSelector('[id="/id"]');
  await page.fill('[id="/id"]', "-1");
  await page.click("button.primary");
  await until(page, "document.querySelector('.answer [role=status]')?.textContent.startsWith('400')");
  await until(page, "document.activeElement?.id === '/id'");
  expect(received).toEqual([
    "GET /rpc/items/18446744073709551615/children/a%2Fb%20%C3%A9",
    "QUERY /rpc/items/search?text=x%20y",
    "PUT /rpc/items/0",
    "DELETE /rpc/items/7",
    "GET /rpc/items/-1",
  ]);
});

/** Serves the page and the routes. `received` gets the calls. */
async function startRoutes(received: string[]): Promise<RunningServer> {
  const folder = pageFolder("test/fixtures/routes/schema.ridl");
  const app = new Koa();
  app.use(async ({ method, url }, next) => {
    if (url.startsWith("/rpc/")) received.push(`${method} ${url}`);
    await next();
  });
  app.use(explorerPages(filesOf(folder)));
  // They return what they receive, which are bigints here.
  app.use(koaMiddleware(serverWithRoutes(routedHandlers as never)));
  return removing(folder, await listen(createServer(app.callback())));
}

/** A folder with the page and the IR of a schema. */
function pageFolder(schema: string): string {
  const folder = mkdtempSync(join(tmpdir(), "page-test-"));
  cpSync(join(root, "server/dist/explorer"), folder, { recursive: true });
  writeFileSync(join(folder, "schema.json"), JSON.stringify(contractIr(schema)));
  return folder;
}

function filesOf(folder: string): ReadonlyMap<string, ServedFile> {
  return filesByPath("/explorer/", { ...pageTexts(folder), "host.json": "{}" });
}

function removing(folder: string, running: RunningServer): RunningServer {
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Host extends RunningServer {
  /** Streams that have ended. */
  freed(): number;
}

async function startHost(): Promise<Host> {
  let freed = 0;
  const handlers = {
    Wire: {
      ...echoHandlers.Wire,
      Watch: async function* (ctx: { readonly signal: AbortSignal }, { from }: { readonly from: bigint }) {
        try {
          for (let sequence = from; ; sequence++) {
            yield { sequence, amount: sequence, at: "2024-02-29T12:00:00Z" };
            await sleep(200, undefined, { signal: ctx.signal });
          }
        } finally {
          freed++;
        }
      },
    },
  };
  const folder = pageFolder("test/fixtures/wire/schema.ridl");
  const app = new Koa();
  app.use(explorerPages(filesOf(folder)));
  app.use(koaMiddleware(serverWithBigints(handlers, { checkResponses: true })));
  const running = await listen(createServer(app.callback()));
  return { ...removing(folder, running), freed: () => freed };
}
