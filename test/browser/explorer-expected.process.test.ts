/** What a method's page shows before the first call, and how calls are sent. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../support/program.ts";
import { isInstalled, openPage, until } from "./browser.ts";
import { startMock } from "./mock.ts";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc

error 7 SoldOut "all are sold." HTTP 409

struct Order
  # The number on the invoice.
  - id: string

service Shop
  # Finds an order. SoldOut: no copy is left.
  @readonly
  - Get(note?: string, id: string) => (order: Order) errors SoldOut
`;

test.runIf(isInstalled)("the response, its fields and errors are shown before and after a call", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  // The order of the request.
  const id = await page.evaluate("document.getElementById('/id').value");
  expect(JSON.parse(String(await page.textContent(".answer pre")))).toEqual({ order: { id } });
  expect(await page.textContent(".call-line .path")).toBe("/rpc/Shop/Get");
  // Required fields come first.
  expect(
    await page.evaluate("[...document.querySelectorAll('.body .label label')].map((one) => one.textContent)"),
  ).toEqual(["id", "note"]);
  const tabs = "[...document.querySelectorAll('.answer [role=tab]')].map((one) => one.textContent)";
  expect(await page.evaluate(tabs)).toEqual(["Example", "Fields", "Errors 1"]);
  const look = async (): Promise<void> => {
    await page.click("#response-fields");
    await until(
      page,
      "document.querySelector('.tree .tree')?.textContent.includes('The number on the invoice.')",
    );
    await page.click("#response-errors");
    await page.click(".errors summary");
    await until(page, `document.querySelector('.errors pre')?.textContent.includes('"error": "SoldOut"')`);
    expect(await page.textContent(".errors li > p:nth-child(2)")).toBe("No copy is left.");
  };
  await look();
  await page.fill('[id="/id"]', "1");
  await page.click(".errors button.quiet");
  await until(page, "/^409/.test(document.querySelector('.answer [role=status]').textContent)");
  expect(await page.textContent(".answer .failure")).toBe("SoldOut: all are sold.");
  // The button is gone.
  expect(await page.evaluate("document.activeElement.id")).toBe("response-body");
  expect(await page.evaluate(tabs)).toEqual(["Body", "Fields", "Errors 1", "Headers"]);
  const height = "document.getElementById('response-panel').clientHeight";
  expect(Number(await page.evaluate(height))).toBeLessThan(200);
  expect(await page.textContent("#response-panel pre")).toContain('"error": "SoldOut"');
  await look();

  // A tab that is chosen while a call waits stays.
  let respond = (): void => undefined;
  const responds = new Promise<void>((done) => {
    respond = done;
  });
  await page.route("**/rpc/**", async (route) => {
    await responds;
    await route.continue();
  });
  await page.click("button.primary");
  await page.click("#response-fields");
  expect(await page.textContent(".answer [role=status]")).toBe("Sending…");
  respond();
  await until(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
  expect(await page.evaluate("document.getElementById('response-fields').ariaSelected")).toBe("true");
});

test.runIf(isInstalled)("the first field is above the fold, and nothing is below the button", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate("scrollTo(0, 0)");
    const bottom = await page.evaluate(`document.getElementById("/id").getBoundingClientRect().bottom`);
    expect(Number(bottom)).toBeLessThan(height * 0.6);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    const covered = `(() => {
      const bar = document.querySelector(".send-bar");
      const last = [...document.querySelectorAll(".result *")].map((one) => one.getBoundingClientRect().bottom);
      return getComputedStyle(bar).position === "fixed" && Math.max(...last) > bar.getBoundingClientRect().top;
    })()`;
    expect([width, await page.evaluate(covered)]).toEqual([width, false]);
  }
});

test.runIf(isInstalled)("long descriptions fold, and methods about the server are last", async () => {
  using dir = folder({
    "shop.ridl": `webrpc = v1
name = shop
version = v1
basepath = /rpc

struct PingRequest

service Shop
  - Ping(PingRequest) => (PingRequest)
  # ${"One sentence of a long description. ".repeat(9)}
  - Get(id: string) => ()
  - Version() => (version: string)
  # Describes the server.
  # - ${"a word ".repeat(50)}
  - Status(id: string) => ()
  - Watch() => stream (id: string)
`,
  });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  const links = "[...document.querySelectorAll('#nav .services a')].map((one) => one.textContent)";
  expect(await page.evaluate(links)).toEqual(["Get", "Status", "Watch", "Ping", "Version"]);
  const length = "document.querySelector('.about .docs').textContent.length";
  expect(Number(await page.evaluate(length))).toBeLessThan(240);
  expect(await page.textContent(".about .more .docs")).toMatch(/^One sentence/);
  const badges = "[...document.querySelectorAll('.badges li')].map((one) => one.textContent)";
  expect(await page.evaluate(badges)).toEqual(["write"]);
  await page.evaluate("location.hash = '#/method/Shop/Status'");
  await until(page, "document.querySelector('h1').textContent === 'Status'");
  expect(await page.textContent(".about .docs")).toBe("Describes the server.");
  await page.evaluate("location.hash = '#/method/Shop/Watch'");
  await until(page, "document.querySelector('h1').textContent === 'Watch'");
  // The contract does not say whether the stream writes.
  expect(await page.evaluate(badges)).toEqual(["stream"]);
});

/** A contract with two methods more than `length`. */
const large = (length: number): string => `${schema}
  # Lists **all** orders:
  # - by \`id\`, see [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
  # - by date
  @deprecated:"use \`Get\`"
  - ListOld() => (orders: []Order)

service Archive
${Array.from({ length }, (_, index) => `  - Read${index}()\n`).join("")}`;

test.runIf(isInstalled)("a large contract shows the current method, and what is deprecated", async () => {
  using dir = folder({ "shop.ridl": large(99) });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Archive/Read98`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  const services = "[...document.querySelectorAll('#nav details')].map((one) => one.open)";
  expect(await page.evaluate(services)).toEqual([false, true]);
  expect(
    await page.evaluate(
      "document.querySelector('#nav [aria-current]').getBoundingClientRect().bottom < innerHeight",
    ),
  ).toBe(true);

  await page.evaluate("location.hash = '#/method/Shop/ListOld'");
  await until(page, "document.querySelector('h1').textContent === 'ListOld'");
  expect(await page.evaluate(services)).toEqual([true, false]);
  expect(await page.textContent("#nav s")).toBe("ListOld");
  expect(await page.textContent(".about .advice")).toBe("Deprecated: use Get");
  expect(await page.evaluate("document.querySelector('.about .docs').innerHTML")).toBe(
    '<p>Lists <strong>all</strong> orders:</p><ul><li>by <code>id</code>, see <a href="https://www.rfc-editor.org/rfc/rfc4180" target="_blank" rel="noreferrer noopener">RFC 4180</a></li><li>by date</li></ul>',
  );
});

test.runIf(isInstalled)("services of 100 methods are unfolded", async () => {
  using dir = folder({ "shop.ridl": large(98) });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/`);
  await opened.page.waitForSelector("#nav details");
  expect(
    await opened.page.evaluate("[...document.querySelectorAll('#nav details')].map((one) => one.open)"),
  ).toEqual([true, true]);
});

test.runIf(isInstalled)("a response without a body, and a stream without items", async () => {
  using dir = folder({ "shop.ridl": schema.replace("(order: Order)", "stream (order: Order)") });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  await page.evaluate("fetch = async () => new Response('', { status: 502 })");
  await page.click("button.primary");
  await until(page, "/^502/.test(document.querySelector('.answer [role=status]').textContent)");
  expect(await page.textContent("#response-panel")).toBe("No body.");
  await page.evaluate("fetch = async () => new Response(new ReadableStream())");
  await page.click("button.primary");
  await until(page, "document.querySelector('.answer [role=status]').textContent === 'Live · 0 items'");
  expect(await page.textContent("#response-panel .stream strong")).toBe("Live");
});

test.runIf(isInstalled)("Ctrl Enter sends without focus, and invalid JSON becomes no command", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".answer");
  await page.evaluate("document.activeElement?.blur()");
  await page.press("body", "Control+Enter");
  await until(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
  await page.click(".is-toggle");
  await page.fill("#body", '{"id": ');
  expect(await page.textContent(".result")).toContain("The code appears when the JSON is valid.");
  expect(await page.textContent(".result")).not.toContain("curl");
});
