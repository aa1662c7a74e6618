/** Calls of the page that are opened again: from its history, and from links. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../support/program.ts";
import { isInstalled, openPage, type Page, until, violations } from "./browser.ts";
import { startMock } from "./mock.ts";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc

error 1 NotFound "not found" HTTP 404

struct Card
  - holder: string
  - number: string
    + secret = true

service Shop
  @auth:"accessKey,secretKey"
  - Pay(amount: uint64, card: Card, note?: string) => (id: uint64, card: Card) errors NotFound
  @readonly
  - Find(text: string, tags: []string, labels?: map<string,string>) => (texts: []string)
  - Store(title: string, picture: file) => (title: string)
`;

test.runIf(isInstalled)("a call of the history shows its request and response again", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/history`);
  const { page } = opened;
  await until(page, "document.querySelector('main .empty')?.textContent === 'No calls yet.'");
  await go(page, "#/method/Shop/Pay", "Pay");
  await page.click("[popovertarget=keys]");
  await page.fill('[id="key:secretKey"]', "key-of-mine");
  await page.fill('[id="/amount"]', "9007199254740991");
  await page.fill('[id="/card/holder"]', "Ada");
  await page.fill('[id="/card/number"]', "4242-secret");
  await send(page, "200");
  const response = String(await page.textContent(".answer pre"));
  const { id, card } = JSON.parse(response) as { id: number; card: { number: string } };
  await page.click(".mock summary");
  await page.selectOption('[id="mock:error"]', "NotFound");
  await page.fill('[id="/card/holder"]', "Eve");
  await send(page, "404");
  await go(page, "#/method/Shop/Find", "Find");
  await page.click(".is-toggle");
  await page.fill("#body", '{"text": "a", "tags": ["b"]}');
  await send(page, "200");
  await until(page, "Object.values(sessionStorage).join().includes('Find')");

  await page.reload();
  await page.waitForSelector("h1");
  await go(page, "#/history", "History");
  expect(await calls(page)).toEqual(["Shop.Find 200", "Shop.Pay 404 NotFound", "Shop.Pay 200"]);
  const kept = String(
    await page.evaluate(
      "Object.entries(sessionStorage).filter(([name]) => name.startsWith('explorer.calls')).join()",
    ),
  );
  expect(kept).toContain("Ada");
  for (const private_ of ["key-of-mine", "4242-secret", card.number]) expect(kept).not.toContain(private_);
  for (const [width, colorScheme] of [
    [390, "dark"],
    [1440, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect([width, await violations(page)]).toEqual([width, []]);
  }

  // With the keyboard, as all links.
  await page.press(".calls li:nth-child(3) a", "Enter");
  await until(page, "document.querySelector('main h1')?.textContent === 'Pay'");
  expect(await values(page, "/amount", "/card/holder", "/card/number")).toEqual([
    "9007199254740991",
    "Ada",
    "",
  ]);
  expect(await page.textContent(".answer [role=status]")).toMatch(/^200 · /);
  expect(await page.textContent(".answer .hint")).toMatch(
    /^Call of .*[.] Not kept: \/card\/number \(private\)[.]$/,
  );
  expect(JSON.parse(String(await page.textContent(".answer pre")))).toEqual({
    id,
    card: { holder: expect.any(String) },
  });
  expect(await violations(page)).toEqual([]);

  // The other call of the method, in the list next to it: with the mock's setting.
  await page.click(".past summary");
  await page.click(".past li:nth-child(1) a");
  await until(page, "document.getElementById('/card/holder')?.value === 'Eve'");
  expect(await page.textContent(".answer .failure")).toBe("NotFound");
  expect(await page.textContent("#code-panel pre")).toContain("mock-error: NotFound");
  await go(page, "#/call/3", "Find");
  expect(await page.evaluate("document.getElementById('body').value")).toBe(
    '{\n  "text": "a",\n  "tags": ["b"]\n}',
  );
  await send(page, "200");
  expect(await page.evaluate("document.querySelector('.answer .hint') === null")).toBe(true);
  await go(page, "#/call/9", "Not found");

  await go(page, "#/history", "History");
  expect(await calls(page)).toHaveLength(4);
  await page.click("main .card > button");
  await until(page, "document.querySelector('main .empty') !== null");
  await page.reload();
  await until(page, "document.querySelector('main .empty') !== null");
});

test.runIf(isInstalled)("a link fills in the request", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage(`${mock.url}/explorer/#/method/Shop/Pay`);
  const { page } = opened;
  await page.waitForSelector("h1");
  await page.click("[popovertarget=keys]");
  await page.fill('[id="key:accessKey"]', "key-of-mine");
  await page.fill('[id="/amount"]', "18446744073709551615");
  await page.fill('[id="/card/holder"]', "Ada & Søn?#%");
  await page.fill('[id="/card/number"]', "4242-secret");
  const link = await copied(page);
  expect(link).toMatch(new RegExp(`^${mock.url}/explorer/#/method/Shop/Pay[?]form=`));
  expect(link).not.toMatch(/4242|key-of-mine/);
  expect(await page.textContent(".send [role=status]")).toBe("Link copied without /card/number (private).");

  const other = await opened.another();
  const asked: string[] = [];
  other.on("request", (request) => asked.push(request.url()));
  await other.goto(link);
  await other.waitForSelector("h1");
  expect(await values(other, "/amount", "/card/holder", "/card/number")).toEqual([
    "18446744073709551615",
    "Ada & Søn?#%",
    "",
  ]);
  expect(await other.textContent(".request .advice")).toBe("Filled in from a link.");
  // Opening a link sends nothing, and the part after # never leaves the browser.
  expect(asked.filter((url) => url.includes("/rpc/") || url.includes("Ada"))).toEqual([]);

  const methodOf = async (hash: string, name: string): Promise<string | null> => {
    await go(other, hash, name);
    return other.textContent(".request .advice");
  };
  expect(
    await methodOf("#/method/Shop/Find?form=%7B%22text%22%3A%22old%22%2C%22gone%22%3A1%7D&sort=up", "Find"),
  ).toBe("Filled in from a link. Not used: /gone (not in the contract). Not used: sort=up.");
  expect(await values(other, "/text")).toEqual(["old"]);
  // Entries of lists and maps have labels.
  await methodOf(
    "#/method/Shop/Find?form=%7B%22tags%22%3A%5B%22a%22%5D%2C%22labels%22%3A%7B%22b%22%3A%22c%22%7D%7D",
    "Find",
  );
  await until(other, "document.getElementById('/labels/b')?.ariaLabel === 'Value 1 of labels'");
  expect(await other.evaluate("document.getElementById('/tags/0').ariaLabel")).toBe("tags 1");
  expect(await violations(other)).toEqual([]);
  // Cut off on its way: the form has its example.
  expect(await methodOf("#/method/Shop/Find?form=%7B%22text%22%3A%22cu", "Find")).toMatch(
    /The request is not valid JSON: line 1: unexpected/,
  );
  expect(await other.evaluate("document.getElementById('/text') !== null")).toBe(true);
  expect(await methodOf("#/method/Shop/Store?form=%7B%22title%22%3A%22t%22%7D", "Store")).toBe(
    "Filled in from a link. Choose the files again.",
  );
  await other.setInputFiles('[id="/picture"]', {
    name: "a.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("a"),
  });
  await copied(other);
  expect(await other.textContent(".send [role=status]")).toBe("Link copied without /picture (file).");
  await go(other, "#/method/Shop/%E0%A4", "Not found");

  await page.click(".optional summary");
  await page.fill('[id="/note"]', "n".repeat(8_000));
  await page.click(".send [type=button]");
  await until(
    page,
    "document.querySelector('.send [role=status]').textContent.startsWith('Too long for a link: ')",
  );
  // On HTTP, browsers have no clipboard.
  await other.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await go(other, "#/method/Shop/Find", "Find");
  await other.click(".send [type=button]");
  await until(
    other,
    "document.querySelector('.send [role=status]').textContent.startsWith('Copying failed')",
  );
});

test.runIf(isInstalled)("the first call is one click away from the overview", async () => {
  using dir = folder({ "shop.ridl": schema });
  await using mock = await startMock(join(dir.path, "shop.ridl"));
  await using opened = await openPage("about:blank");
  const { page } = opened;
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(`${mock.url}/explorer/`);
  await page.waitForSelector("main a.primary");
  await page.click("main a.primary");
  await until(page, "/^200 · /.test(document.querySelector('.answer [role=status]')?.textContent)");
  expect(await page.textContent("main h1")).toBe("Find");
  // Once: coming back sends nothing.
  await go(page, "#/errors", "Errors");
  await go(page, "#/method/Shop/Find", "Find");
  await go(page, "#/history", "History");
  expect(await calls(page)).toEqual(["Shop.Find 200"]);
  expect(complaints).toEqual([]);
});

async function go(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await until(page, `document.querySelector("main h1")?.textContent === ${JSON.stringify(heading)}`);
}

async function send(page: Page, status: string): Promise<void> {
  await page.click("button.primary");
  await until(page, `document.querySelector(".answer [role=status]").textContent.startsWith("${status} · ")`);
}

/** Name and status of each call in the list. */
async function calls(page: Page): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll(".calls a")].map((one) => [...one.querySelectorAll(".name, .status")].map(({ textContent }) => textContent).join(" "))`,
  );
}

async function values(page: Page, ...ids: string[]): Promise<unknown> {
  return page.evaluate(`${JSON.stringify(ids)}.map((id) => document.getElementById(id).value)`);
}

/** Copies the link, and returns what is in the clipboard. */
async function copied(page: Page): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
  await page.click(".send [type=button]");
  await until(page, "document.querySelector('.send [role=status]').textContent.startsWith('Link copied')");
  return String(await page.evaluate("window.copied"));
}
