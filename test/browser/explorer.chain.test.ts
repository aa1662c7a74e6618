/** The page of the host in a real browser, on the platform that `npm start` brings up. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxArtifacts } from "../../server/chain/sandbox/chain.ts";
import { type RunningDemo, startDemo } from "../server/host/demo/running-demo.ts";
import { contractIr } from "../support/contract-ir.ts";
import { type Data, makeData } from "../support/host.ts";
import { noSandbox } from "../support/sandbox.ts";
import { isInstalled, type OpenPage, openPage, type Page, until, violations } from "./browser.ts";

const screenshots = fileURLToPath(new URL("screenshots/", import.meta.url));

describe.skipIf(!isInstalled || noSandbox)("the page", () => {
  let data: Data;
  let demo: RunningDemo;
  let opened: OpenPage;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!isInstalled || noSandbox) return;
    data = await makeData();
    demo = await startDemo(data);
    opened = await openPage("about:blank");
    page = opened.page;
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error.stack)));
    await page.goto(demo.explorerUrl);
    await page.waitForSelector("h1");
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await demo?.stop();
    await data?.[Symbol.asyncDispose]();
  });

  test("the first load is small, although it has the whole contract", async () => {
    const files = asked.filter((url) => url.startsWith(`${demo.url}/explorer/`));
    expect(files.some((url) => url.endsWith("/schema.json"))).toBe(true);
    const texts = await Promise.all(files.map(async (url) => (await fetch(url)).text()));
    const size = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(size).toBeLessThan(75 * 1024);
  });

  test("an order that is made and filled on the chain appears without a click", async () => {
    await go(page, "#/live");
    await page.waitForSelector("#newest tbody tr");
    const { collection, market, tokens } = demo;
    const abi = sandboxArtifacts.market.abi;
    const terms = { isListing: true, isERC1155: false, tokenContract: collection, tokenId: 1n, quantity: 1n };
    const price = { expiry: 4_000_000_000n, currency: tokens["USD"], pricePerToken: 20_000_000n };
    await demo.send(
      ada,
      market,
      encodeFunctionData({ abi, functionName: "createRequest", args: [{ ...terms, ...price }] }),
    );
    await until(page, `document.querySelector('#newest [data-order="13"] .is-active') !== null`);
    await until(page, `document.querySelector("#best tbody tr")?.textContent.includes("$20.00")`);
    await demo.send(
      eve,
      market,
      encodeFunctionData({ abi, functionName: "acceptRequest", args: [13n, 1n, eve, [], []] }),
    );
    await until(page, `document.querySelector('#newest [data-order="13"] .is-filled') !== null`);
    await until(page, `document.querySelector("#blocks")?.textContent.includes("RequestAccepted")`);
  });

  test("a delivery is replayed, and its attempts are counted", async () => {
    const newest = `document.querySelector("#deliveries tbody tr")`;
    await until(page, `${newest}?.querySelector(".is-accepted") !== null`);
    const before = Number(await page.evaluate(`${newest}.querySelectorAll(".attempts li").length`));
    await page.click("#deliveries tbody tr button");
    await until(page, `${newest}.querySelectorAll(".attempts li").length === ${before + 1}`);
  });

  test("a listener that is added on the page has its calls shown by the page's receiver", async () => {
    await go(page, "#/method/Indexer/AddWebhookListener");
    expect(await sent(page)).toBe(200);
    await go(page, "#/live");
    const newest = "Number(document.querySelector('#received li')?.dataset.call)";
    await until(page, newest);
    const before = Number(await page.evaluate(newest));
    await demo.move(eve, ada, 1n);
    // The demo's own listener is told too.
    await until(page, `${newest} >= ${before + 2}`);
    expect(await page.evaluate("document.querySelectorAll('#received .is-failed').length")).toBe(0);
    expect(await page.textContent("#received summary")).toContain("responded 204");
  });

  test("a live page whose file is gone asks for a reload", async () => {
    const other = await opened.another();
    await other.route("**/explorer/live-page-*", (route) => route.abort());
    await other.goto(`${demo.explorerUrl}#/live`);
    await until(other, `document.querySelector("main > .empty")?.textContent === "Reload the page."`);
    await other.close();
  });

  test("a trade is made with a button, and deliveries of one block share a row until it is opened", async () => {
    await go(page, "#/live");
    const trade = `document.querySelector("#last-trade")?.textContent`;
    await until(page, `${trade}?.includes("when you ask them to")`);
    await page.click(".trades button");
    await until(page, `/ (listed|bought|sold|offered|withdrew) /.test(${trade} ?? "")`);
    const group = `document.querySelector('#deliveries [data-group="12"]')`;
    await until(page, `${group}?.textContent.includes("Transfer × 12")`);
    // Deliveries of the trade may arrive meanwhile, in other blocks.
    const block = "children[3].textContent";
    const rows = `[...document.querySelectorAll("#deliveries [data-sequence]")].filter((row) => row.${block} === ${group}.${block}).length`;
    const before = Number(await page.evaluate(rows));
    await page.click('#deliveries [data-group="12"] button');
    await until(page, `${rows} === ${before + 12}`);
    await page.click('#deliveries [data-group="12"] button');
    await until(page, `${rows} === ${before}`);
  });

  test("each method's form sends a call and shows the answer", async () => {
    const all = contractIr("schema/platform.ridl").services.flatMap(({ name, methods: own }) =>
      own.map((method) => `${name}/${method.name}`),
    );
    // Only a wallet can sign the order that it takes.
    const methods = all.filter((method) => method !== "Marketplace/Execute");
    // What removes all comes last.
    methods.sort((a, b) => Number(/Remove/.test(a)) - Number(/Remove/.test(b)));
    const answers: Record<string, number> = {};
    for (const method of methods) {
      await go(page, `#/method/${method}`);
      answers[method] = await sent(page);
    }
    expect(answers).toEqual(Object.fromEntries(methods.map((method) => [method, 200])));
    expect(methods).toHaveLength(60);
  });

  test("a search is opened with a key, and its results with the keyboard", async () => {
    await go(page, "#/");
    await page.evaluate("document.activeElement?.blur()");
    await page.press("body", "/");
    await page.fill("#nav input", "get swap quote");
    await until(
      page,
      `document.querySelector("#found [aria-selected=true]")?.textContent.includes("GetSwapQuote")`,
    );
    await page.press("#nav input", "ArrowDown");
    await until(page, `document.querySelectorAll("#found a")[1]?.ariaSelected === "true"`);
    await page.press("#nav input", "ArrowUp");
    await page.press("#nav input", "Enter");
    await until(page, `document.querySelector("main h1")?.textContent === "GetSwapQuote"`);
    await page.press("#nav input", "Escape");
    await until(page, `document.querySelector("#found") === null`);
  });

  test("at all widths and in both themes nothing is wider than the page, and axe finds nothing", async () => {
    mkdirSync(screenshots, { recursive: true });
    const places = [
      "#/",
      "#/live",
      "#/method/Marketplace/GetOrders",
      "#/types",
      "#/type/Order",
      "#/errors/NotFound",
    ];
    const faults: string[] = [];
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        // Buttons change their colors by and by, which axe would judge on the way.
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const place of places) {
          await go(page, place);
          if (place.includes("/method/")) await sent(page);
          if (place === "#/live") await page.waitForSelector("#deliveries, #newest");
          const name = `${place.replaceAll(/[#/]+/g, "-").replace(/^-|-$/g, "") || "overview"}-${width}-${colorScheme}`;
          await page.screenshot({ path: `${screenshots}${name}.png` });
          if (place === "#/live" && width === 390 && (await page.evaluate(isBestCut)) === true)
            faults.push(`${name}: a column of the best prices is cut`);
          faults.push(...(await violations(page)).map((fault) => `${name}: ${fault}`));
          if (await page.evaluate(hasBacktick)) faults.push(`${name}: a backtick in prose`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test("asks nobody but its host, and the browser has nothing to complain of", () => {
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((url) => !url.startsWith(demo.url) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("what goes wrong first is told at the field where it is", async () => {
    const other = await opened.another();
    await other.goto(demo.explorerUrl);
    await other.goto(`${demo.url}/#/method/Marketplace/GetFloorOrder`);
    await other.waitForSelector("h1");
    const faultAt = async (id: string): Promise<string | null> => {
      await other.click("button.primary");
      const place = `document.getElementById(${JSON.stringify(id)})`;
      await until(other, `${place} !== null && ${place}.hidden === false`);
      return other.textContent(`[id="${id}"]`);
    };
    const key = '[id="key:accessKey"]';
    await other.click("[popovertarget=keys]");
    const accessKey = String(await other.evaluate(`document.querySelector('${key}').value`));
    await other.fill(key, "");
    expect(await faultAt("key:accessKey:fault")).toContain(
      "Access key is missing. Open the explorer by its address in the terminal",
    );
    await other.fill(key, `${accessKey.slice(0, -2)}AA`);
    expect(await faultAt("key:accessKey:fault")).toContain("Unknown access key");
    await other.fill(key, accessKey);
    await other.fill("#network", "nowhere");
    expect(await faultAt("network:fault")).toContain(
      'This host does not serve "nowhere". It serves local-chain, 31337',
    );
    await other.fill("#network", "31337");
    await other.fill('[id="/contractAddress"]', "zz");
    expect(await faultAt("/contractAddress:fault")).toContain('found "zz"');
    await other.click(".is-toggle");
    await other.fill("#body", "{");
    await other.press("#body", "Control+Enter");
    await until(
      other,
      `document.querySelector(".body .fault")?.textContent.includes("This is not valid JSON")`,
    );
    await other.fill("#body", "{}");
    await other.route("**/rpc/**", async (route) => {
      const response = await route.fetch();
      const webrpc = "webrpc@v0.48.0;ridlkit@0.1.0;platform@v9";
      await route.fulfill({ response, headers: { ...response.headers(), webrpc } });
    });
    await other.click("button.primary");
    const alert = `document.querySelector(".failure")?.textContent`;
    await until(other, `${alert}?.includes(": The host now has platform v9")`);
    await other.route("**/rpc/**", (route) => route.abort());
    await other.click("button.primary");
    await until(other, `${alert}?.startsWith("No response from http")`);
    await other.evaluate('location.hash = "#/method/Marketplace/GetOrder"');
    await until(
      other,
      `document.querySelector("main")?.textContent.includes("Did you mean Marketplace/GetOrders?")`,
    );
    await other.close();
  });

  test("a focused field with a fault is between the header and the bar with the button", async () => {
    const other = await opened.another();
    await other.goto(demo.explorerUrl);
    await other.setViewportSize({ width: 1280, height: 500 });
    await other.goto(`${demo.url}/#/method/Marketplace/ListCollectibles`);
    await other.waitForSelector("h1");
    await other.fill('[id="/contractAddress"]', "zz");
    expect(await sent(other)).toBe(400);
    await until(
      other,
      `(() => {
        if (document.activeElement?.id !== "/contractAddress") return false;
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        const bar = document.querySelector(".send").getBoundingClientRect();
        return top >= 54 && bottom <= bar.top;
      })()`,
    );
    await other.close();
  });
});

/** By its hash, as a link does; waits for the page of that name. */
async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const name = hash.split("/").at(-1) ?? "";
  await until(
    page,
    `[...document.querySelectorAll("main h1, main .is-here code")].some(({ textContent }) => ${JSON.stringify(name)} === "" || textContent.toLowerCase().includes(${JSON.stringify(name.toLowerCase())}))`,
  );
}

/** The status of the answer that is shown. */
async function sent(page: Page): Promise<number> {
  await page.click("button.primary");
  const status = `document.querySelector(".answer [role=status]")?.textContent ?? ""`;
  // Streams of events stay open.
  await until(page, `/^(\\d{3}|Live) · /.test(${status})`);
  const text = String(await page.evaluate(status));
  return text.startsWith("Live") ? 200 : Number(text.slice(0, 3));
}

const hasBacktick =
  '[...document.querySelectorAll("main p, main li, main dd")].some((one) => one.querySelector("pre, .preview") === null && one.textContent.includes("`"))';

/** Whether the table of best prices is wider than its box. */
const isBestCut = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector("#best").parentElement)`;

/** Accounts of the local chain: unlocked there. */
const ada = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const eve = "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc";
