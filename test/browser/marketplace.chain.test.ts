/** The marketplace of client/examples/market in a real browser, built and served as its first lines say, on the platform of `npm start`. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxArtifacts } from "../../server/chain/sandbox/chain.ts";
import { type RunningDemo, startDemo } from "../server/host/demo/running-demo.ts";
import { root } from "../support/docs.ts";
import { type Data, makeData } from "../support/host.ts";
import { noSandbox } from "../support/sandbox.ts";
import { isInstalled, type OpenPage, openPage, type Page, until } from "./browser.ts";

const source = readFileSync(join(root, "client/examples/market/market.mjs"), "utf8");
const screenshots = fileURLToPath(new URL("screenshots/", import.meta.url));

/** Accounts of the local chain: unlocked there. */
const ada = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const eve = "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc";

describe.skipIf(!isInstalled || noSandbox)("the marketplace", () => {
  let data: Data;
  let demo: RunningDemo;
  let server: ChildProcess;
  let opened: OpenPage;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!isInstalled || noSandbox) return;
    data = await makeData();
    demo = await startDemo(data);
    const [, command = ""] = /npx (esbuild .*)/.exec(source) ?? [];
    const args = command.replace("127.0.0.1:8000", "127.0.0.1:0").split(" ");
    server = spawn("npx", args, { cwd: root, stdio: ["pipe", "pipe", "pipe"], detached: true });
    const address = await new Promise<string>((served, failed) => {
      let out = "";
      server.once("exit", () => failed(new Error(out)));
      server.stderr?.on("data", (chunk) => {
        out += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
        if (found !== undefined) served(found);
      });
    });
    const { url, accessKey, collection, market, rpcUrl: rpc } = demo;
    const query = new URLSearchParams({ url, accessKey, collection, market, rpc, account: eve });
    opened = await openPage("about:blank");
    page = opened.page;
    page.on("console", (message) => {
      const text = message.text();
      // A busy chain makes calls fail for a moment. The page repeats them.
      if (text.includes("status of 503")) return;
      if (message.type() === "error" || message.type() === "warning") complaints.push(text);
    });
    page.on("pageerror", (error) => complaints.push(String(error.stack)));
    await page.goto(`${address}/?${query}`);
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    if (server?.pid !== undefined) process.kill(-server.pid);
    await demo?.stop();
    await data?.[Symbol.asyncDispose]();
  });

  function list(seller: string, dollars: bigint): Promise<void> {
    const { collection, market, tokens } = demo;
    const terms = { isListing: true, isERC1155: false, tokenContract: collection, tokenId: 1n, quantity: 1n };
    const price = { expiry: 4_000_000_000n, currency: tokens["USD"], pricePerToken: dollars * 1_000_000n };
    const args = [{ ...terms, ...price }];
    const { abi } = sandboxArtifacts.market;
    return demo.send(seller, market, encodeFunctionData({ abi, functionName: "createRequest", args }));
  }

  test("the collection has a card for each token, and a new price appears without a click", async () => {
    await page.waitForSelector("#token-1");
    await until(page, `document.querySelector("#live").textContent === "Live."`);
    await list(ada, 20n);
    await until(page, `document.querySelector("#token-1")?.textContent.includes("from $20.00")`);
    await until(page, `document.querySelector("#events").textContent.includes("RequestCreated in block")`);
    await judge(page, "collection");
  });

  test("a token has its listings and offers; the button buys, and the listing leaves the page", async () => {
    await page.click("#token-1");
    await until(page, `document.querySelector("#order-13 button")?.textContent === "Buy"`);
    expect(await page.evaluate(`document.querySelector("#order-13").textContent`)).toContain(
      "20 USD ($20.00)",
    );
    await judge(page, "token");
    await page.click("#buy-13");
    await until(page, `document.querySelector("#status").textContent === "Bought."`);
    await until(page, `document.querySelector("#order-13") === null`);
    await until(
      page,
      `document.querySelector("#events li").textContent.startsWith("RequestAccepted in block")`,
    );
    await page.click("#back");
    await until(page, `document.querySelector("h1").textContent === "On sale"`);
    await page.evaluate("history.back()");
    await until(page, `document.querySelector("h1").textContent !== "On sale"`);
    await judge(page, "bought");
  });

  test("a failed purchase says why", async () => {
    // More than the account has.
    await demo.approveAll(eve, demo.market);
    await list(eve, 5_000_000_000n);
    await page.waitForSelector("#buy-14");
    await page.click("#buy-14");
    await until(page, `document.querySelector("#status").textContent.startsWith("Not bought: ")`);
  });

  test("the console has no errors", () => {
    expect(complaints).toEqual([]);
  });
});

const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

/** Expects no violations of axe and no sideways scrolling, on a wide and a narrow screen. */
async function judge(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.evaluate(axe);
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(screenshots, `marketplace-${name}-${width}.png`) });
    const violations = await page.evaluate(
      "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target).join()))",
    );
    expect(violations).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }
}
