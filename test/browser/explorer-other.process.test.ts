/** The page on another contract than the platform's: it follows whatever schema its host serves. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import { expect, test } from "vitest";
import { koaMiddleware } from "../../generator/codegen/runtime/v1/koa.ts";
import { Assets } from "../../generator/explorer/assets.ts";
import { explorerPages } from "../../server/host/http/explorer-pages.ts";
import { createServer as serverWithBigints } from "../fixtures/wire/generated-bigint/server/index.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { contractIr } from "../support/contract-ir.ts";
import { root } from "../support/docs.ts";
import { echoHandlers } from "../support/feed.ts";
import { isInstalled, openPage, until } from "./browser.ts";

test.runIf(isInstalled)(
  "streams are shown as they come and can be stopped, and no digit is lost on either way",
  async () => {
    await using host = await startHost();
    await using opened = await openPage(`${host.url}/#/method/Wire/Watch`);
    const { page } = opened;
    await page.waitForSelector("h1");
    await page.fill('[id="/feed"]', "a");
    await page.fill('[id="/from"]', "18446744073709550000");
    await page.click("button.primary");
    await until(page, "document.querySelectorAll('.answer .code').length >= 4");
    await page.click(".answer header button");
    await until(page, "document.querySelector('.answer [role=status]').textContent.startsWith('Stopped')");
    await expect.poll(() => host.freed()).toBe(1);
    const items = (await page.evaluate(
      "[...document.querySelectorAll('.answer code')].map(({ textContent }) => textContent)",
    )) as string[];
    expect(items.at(-1)).toContain('"sequence": 18446744073709550000');
    expect(items.at(-4)).toContain('"amount": "18446744073709550003"');
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
            await sleep(20, undefined, { signal: ctx.signal });
          }
        } finally {
          freed++;
        }
      },
    },
  };
  const folder = mkdtempSync(join(tmpdir(), "page-test-"));
  cpSync(join(root, "server/dist/explorer"), folder, { recursive: true });
  writeFileSync(join(folder, "schema.json"), JSON.stringify(contractIr("test/fixtures/wire/schema.ridl")));
  const app = new Koa();
  app.use(explorerPages(new Assets({ folder, hostInfo: {} })).routes());
  app.use(koaMiddleware(serverWithBigints(handlers, { checkResponses: true })));
  const running = await listen(createServer(app.callback()));
  return {
    ...running,
    freed: () => freed,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
