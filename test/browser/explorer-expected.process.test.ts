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

error 7 SoldOut "sold out" HTTP 409

struct Order
  # The number on the invoice.
  - id: string
    + example = A-7

service Shop
  @readonly
  - Get(note?: string, id: string) => (order: Order) errors SoldOut
`;

test.runIf(isInstalled)("the response, its fields and errors are shown before the first call", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".expected");
  expect(await page.textContent(".expected pre")).toContain('"id": "A-7"');
  await page.click(".tree summary");
  await until(
    page,
    "document.querySelector('.tree .tree')?.textContent.includes('The number on the invoice.')",
  );
  expect(await page.textContent(".call-line .path")).toBe("/rpc/Shop/Get");
  // Required fields come first.
  expect(
    await page.evaluate("[...document.querySelectorAll('.body .label label')].map((one) => one.textContent)"),
  ).toEqual(["id", "note"]);

  await page.click("#expected-SoldOut");
  expect(await page.textContent("#expected-panel pre")).toContain('"error": "SoldOut"');
  await page.fill('[id="/id"]', "1");
  await page.click("#expected-panel button.link");
  await until(page, "/^409/.test(document.querySelector('.answer [role=status]').textContent)");
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
  await page.waitForSelector(".expected");
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

test.runIf(isInstalled)("Ctrl Enter sends without focus, and invalid JSON becomes no command", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Get`);
  const { page } = opened;
  await page.waitForSelector(".expected");
  await page.evaluate("document.activeElement?.blur()");
  await page.press("body", "Control+Enter");
  await until(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
  await page.click(".is-toggle");
  await page.fill("#body", '{"id": ');
  expect(await page.textContent(".result")).toContain("The code appears when the JSON is valid.");
  expect(await page.textContent(".result")).not.toContain("curl");
});
