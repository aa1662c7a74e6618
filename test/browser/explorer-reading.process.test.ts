/** What a method's page shows before and after calls: descriptions, errors, bodies, streams and code. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder } from "../support/program.ts";
import { isInstalled, openPage, type Page, until, violations } from "./browser.ts";
import { startMock } from "./mock.ts";

/** A PNG of one pixel. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc

error 7 SoldOut "sold out" HTTP 409
error 8 NoKey "no key" HTTP 401

type OrderId: string
  + pattern = "^[A-Z]-[0-9]+$"
  + example = "A-7"

struct Buyer
  - name: string

struct Order
  # The number on the invoice.
  - id: OrderId
  - name: string
    + example = "first"
  - picture: []byte
    + example = "${dot}"
  - buyer: Buyer

service Shop
  # Finds one Order, or fails with SoldOut. Order: the latest state. Before:
  # 1. call \`Shop.List\`
  # 2. choose
  @readonly @auth:"accessKey"
  - Get(id: OrderId, note?: string, limit?: uint32) => (order: Order) errors SoldOut | NoKey
  @deprecated:"Use Get, or Shop.Watch." @auth:"accessKey"
  - List() => (orders: []Order)
  - Watch(id: string) => stream (at: uint32, id: string) errors SoldOut
`;

async function withPage(
  hash: string,
  text: string,
  check: (page: Page) => Promise<void>,
  ...more: readonly string[]
): Promise<void> {
  using dir = folder({ "shop.ridl": text });
  await using mock = await startMock(join(dir.path, "shop.ridl"), ...more);
  await using opened = await openPage(`${mock.url}/explorer/${hash}`);
  await opened.page.waitForSelector("h1");
  await check(opened.page);
}

const status = "document.querySelector('.answer [role=status]').textContent";
const texts = (selector: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`;
const hrefs = (selector: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getAttribute("href"))`;

/** Words of at most 12 letters on two lines. */
const brokenLabels = `[...document.querySelectorAll("main :is(dt, h2, label, .need, [role=status], button, summary)")]
  .flatMap((one) => [...one.childNodes])
  .filter((node) => node.nodeType === 3 && /^\\s*[\\w]{1,12}\\s*$/.test(node.data) && node.parentElement.checkVisibility())
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  })
  .map(({ data }) => data)`;

async function copiedBy(page: Page, selector: string): Promise<unknown> {
  await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
  await page.click(selector);
  await until(page, "window.copied !== undefined");
  return page.evaluate("window.copied");
}

describe.runIf(isInstalled)("the page", () => {
  test("shows the first call with its response", () =>
    withPage("", schema, async (page) => {
      await until(
        page,
        "document.querySelector('.first-call .halves > div .hint')?.textContent.startsWith('200 · ')",
      );
      expect(await page.textContent(".first-call h2")).toBe("Shop.Get");
      expect(await page.textContent(".first-call .halves > section pre")).toContain("/rpc/Shop/Get'");
      expect(JSON.parse(String(await page.textContent(".first-call .json pre")))).toMatchObject({
        order: { name: "first" },
      });
    }));

  test("links the types, errors and methods that descriptions name", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      expect(await page.evaluate(hrefs(".about .docs a"))).toEqual([
        "#/errors/SoldOut",
        "#/type/Order",
        "#/method/Shop/List",
      ]);
      expect(await page.evaluate(texts(".about ol li"))).toEqual(["call Shop.List", "choose"]);
      await page.evaluate("location.hash = '#/method/Shop/List'");
      await until(page, "document.querySelector('h1').textContent === 'List'");
      expect(await page.textContent(".about .advice")).toBe("Deprecated: Use Get, or Shop.Watch.");
      expect(await page.evaluate(hrefs(".about .advice a"))).toEqual([
        "#/method/Shop/Get",
        "#/method/Shop/Watch",
      ]);
    }));

  test("has examples that keep the rules, in the response and in messages", () => {
    const text = `${schema}
type Isbn: string
  + pattern = "^[0-9]{13}$"

struct Book
  - isbn: Isbn
  - parent?: Book

service Books
  - Find(isbn: Isbn, other?: Isbn) => (book: Book)
`;
    return withPage("#/method/Books/Find", text, async (page) => {
      const isbn = String(await page.evaluate("document.getElementById('/isbn').value"));
      expect(isbn).toMatch(/^[0-9]{13}$/);
      await until(page, "document.querySelector('.answer pre') !== null");
      expect(JSON.parse(String(await page.textContent(".answer pre")))).toEqual({ book: { isbn } });
      await page.fill('[id="/isbn"]', "abc");
      await page.click(".optional summary");
      await page.fill('[id="/other"]', "abc");
      await page.press("body", "Control+Enter");
      await until(page, "document.getElementById('/isbn:fault') !== null");
      expect(await page.textContent('[id="/isbn:fault"]')).toBe(
        `Expected text such as ${isbn}, found "abc".`,
      );
      expect(await page.textContent('[id="/other:fault"]')).toMatch(
        /^Expected text such as [0-9]{13}, found/,
      );
    });
  });

  test("shows the Markdown of descriptions", () => {
    const docs = [
      "Says *how* to start, see https://start.example/a_b (or **not**).",
      "```json",
      '{ "a": 1,',
      '"b": 2 }',
      "```",
      "Then:",
      "- one",
      "2. two",
      "3. three",
      "> Quoted **text**",
      "> of two lines.",
      "",
      "| Code | Means |",
      "|------|-------|",
      "| A    | *all* |",
    ];
    const text = `webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\nservice A\n${docs
      .map((line) => `  # ${line}\n`)
      .join("")}  - Get() => (id: string)\n`;
    return withPage("#/method/A/Get", text, async (page) => {
      const all = (tag: string): Promise<unknown> => page.evaluate(texts(`.about .docs ${tag}`));
      expect(await all("em")).toEqual(["how", "all"]);
      expect(await page.evaluate(hrefs(".about .docs a"))).toEqual(["https://start.example/a_b"]);
      expect(await all("strong")).toEqual(["not", "text"]);
      expect(await all("pre")).toEqual(['{ "a": 1,\n"b": 2 }']);
      expect(await all("ul li")).toEqual(["one"]);
      expect(await all("ol li")).toEqual(["two", "three"]);
      expect(await page.evaluate("document.querySelector('.about ol').start")).toBe(2);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.about ol')).listStyleType")).toBe(
        "decimal",
      );
      expect(await all("blockquote")).toEqual(["Quoted text of two lines. "]);
      expect(await all("th")).toEqual(["Code", "Means"]);
      expect(await all("td")).toEqual(["A", "all"]);
      expect(await violations(page)).toEqual([]);
    });
  });

  test("marks deprecated fields, in the form and in the response", () => {
    const text = `${schema.replace("- buyer: Buyer", '- buyer: Buyer\n  - note: string\n    + deprecated = "use name"')}
  - Put(order: Order) => (order: Order)
`;
    return withPage("#/method/Shop/Put", text, async (page) => {
      expect(await page.textContent(".request .label:has([for='/order/note'])")).toContain(
        "deprecated: use name",
      );
      await page.click("#response-fields");
      expect(await page.evaluate(texts(".tree .is-needed"))).toEqual(["deprecated: use name"]);
    });
  });

  test.each([390, 1280])("breaks no word of a label, at %s px", (width) => {
    const args =
      "address: Buyer, orders: []Order, comment?: string, tags?: map<string,string>, more: []Buyer, last: OrderId";
    const text = `${schema}  - Place(${args}) => (order: Order) errors SoldOut\n`;
    return withPage("#/method/Shop/Place", text, async (page) => {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(brokenLabels)).toEqual([]);
      await page.click("#response-errors");
      expect(await page.evaluate(brokenLabels)).toEqual([]);
    });
  });

  test("lists the errors of a method, and shows one message after a failure", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      await page.click("#response-errors");
      expect(await page.evaluate(texts(".errors li"))).toEqual([
        "409SoldOutTry itSold outResponse",
        "401NoKeyTry itNo keyResponse",
      ]);
      await page.click(".errors button");
      await until(page, `/^409/.test(${status})`);
      expect(await page.evaluate(texts(".answer [role=alert]"))).toEqual(["SoldOut"]);

      // The next call has no error.
      await page.click("button.primary");
      await until(page, `/^200/.test(${status})`);
      await page.fill('[id="/id"]', "zz");
      await page.click("button.primary");
      await until(page, `/^400/.test(${status})`);
      expect(await page.evaluate(texts(".answer [role=alert]"))).toEqual([
        "WebrpcBadRequest: bad request. See id.",
      ]);
      expect(await page.textContent('[id="/id:fault"]')).toBe('Expected text such as A-7, found "zz".');
    }));

  test("folds a body, copies paths, and shows images and tables", () =>
    withPage("#/method/Shop/List", schema, async (page) => {
      await page.click("button.primary");
      await until(page, `/^200/.test(${status})`);
      const before = String(await page.textContent(".answer pre"));
      const { orders } = JSON.parse(before) as { orders: object[] };
      expect(orders.length).toBeGreaterThan(1);
      await until(page, "document.querySelector('.answer pre img')?.naturalWidth === 1");
      // The start of a clipped text is not cut off.
      const firstLetter =
        "(() => { const range = document.createRange(); range.setStart(clipped.firstChild, 0); range.setEnd(clipped.firstChild, 1); return range.getBoundingClientRect().left })()";
      expect(
        await page.evaluate(
          `((clipped) => ${firstLetter} >= clipped.getBoundingClientRect().left)(document.querySelector('.answer .clipped'))`,
        ),
      ).toBe(true);
      await page.evaluate("document.querySelector('.answer pre').focus()");
      // The fold of the whole body, then that of the list.
      for (const key of ["ArrowDown", "ArrowDown"]) await page.press(":focus", key);
      expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Fold orders");
      await page.press(":focus", "Enter");
      expect(await page.textContent(".answer pre")).toBe(`{\n  "orders": [ ${orders.length} items ]\n}`);
      await page.press(":focus", "Enter");
      expect(await page.textContent(".answer pre")).toBe(before);
      expect(await copiedBy(page, ".answer .json [title='Copy the path orders[1].name']")).toBe(
        "orders[1].name",
      );
      expect(await page.textContent(".answer .copied")).toBe("Copied orders[1].name");

      await page.click(".answer [aria-pressed]");
      expect(await page.evaluate(texts(".answer thead th"))).toEqual([
        "buyer",
        ...["id", "name", "picture", "name"],
      ]);
      expect(await page.evaluate("document.querySelectorAll('.answer tbody tr').length")).toBe(orders.length);
    }));

  test("lists the items of a stream with their times, pauses the list, and copies all", () =>
    withPage("#/method/Shop/Watch", schema, async (page) => {
      await page.fill('[id="/id"]', "a");
      await page.click(".mock summary");
      await page.fill('[id="mock-items"]', "100000");
      await page.click("button.primary");
      const newest = "Number(/^[0-9]+/.exec(document.querySelector('.items li')?.textContent)?.[0])";
      await until(page, `${newest} >= 3`);
      expect(await page.textContent(".items li")).toMatch(/^[0-9]+ · [+][0-9.]+ m?s{/);
      await until(page, "/^[0-9.]+ items[/]s$/.test(document.querySelector('.stream .hint').textContent)");
      await page.click(".stream button");
      const shown = Number(await page.evaluate(newest));
      await until(
        page,
        "/^Resume [(][0-9]+ new[)]$/.test(document.querySelector('.stream button').textContent)",
      );
      expect(await page.evaluate(newest)).toBe(shown);
      await page.click(".stream button");
      await until(page, `${newest} > ${shown}`);
      expect(await page.textContent(".stream strong")).toBe("Live");
      await page.click(".answer header button");
      await until(page, `${status}.startsWith("Stopped")`);
      expect(await page.textContent(".stream strong")).toBe("Stopped by you");
      const count = Number(await page.evaluate("document.querySelectorAll('.items li').length"));
      const copied = String(await copiedBy(page, "[aria-label='Copy all items']")).split("\n");
      expect(copied.map((item) => Object.keys(JSON.parse(item)))).toEqual(Array(count).fill(["at", "id"]));
    }));

  test("folds optional fields until they have a value or an error", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      expect(await page.textContent(".signature dd")).toBe("id: OrderId, note?: string, limit?: uint32");
      expect(await page.textContent(".optional summary")).toBe("Optional note, limit");
      expect(await page.evaluate("document.getElementById('/limit').checkVisibility()")).toBe(false);
      await page.click(".optional summary");
      await page.fill('[id="/limit"]', "x");
      await page.click(".optional summary");
      await page.click("button.primary");
      await until(page, "document.activeElement?.id === '/limit'");
      expect(await page.evaluate("document.getElementById('/limit').checkVisibility()")).toBe(true);
      // As in a link, or after an edit as JSON.
      await page.fill('[id="/limit"]', "3");
      await page.click(".is-toggle");
      await page.click(".is-toggle");
      expect(await page.textContent(".optional summary")).toBe("Optional note");
    }));

  test("has each key once, for all methods", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      expect(await page.textContent("[popovertarget=keys]")).toBe("Keys 1/1");
      await page.click(".sent-keys button");
      await until(page, "document.activeElement?.id === 'key:accessKey'");
      await page.fill('[id="key:accessKey"]', "");
      // Enter in the panel sends the call.
      await page.press('[id="key:accessKey"]', "Enter");
      await until(
        page,
        "document.getElementById('key:accessKey:fault').textContent === 'Access key is missing. Paste a key here.'",
      );
      await page.fill('[id="key:accessKey"]', "mine");
      await page.press('[id="key:accessKey"]', "Escape");
      await page.evaluate("location.hash = '#/method/Shop/List'");
      await until(page, "document.querySelector('h1').textContent === 'List'");
      expect(await page.textContent(".sent-keys li")).toMatch(/^Sends the access key[.]/);
      expect(await page.textContent("#code-panel pre")).toContain("x-access-key: mine");
    }));

  test("lists its keys on ?, except in fields", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      const isShown = "document.querySelector('#shortcuts').checkVisibility()";
      await page.press('[id="/id"]', "?");
      expect(await page.evaluate(isShown)).toBe(false);
      await page.evaluate("document.activeElement.blur()");
      await page.press("body", "?");
      expect(await page.evaluate(isShown)).toBe(true);
      expect(await page.textContent("#shortcuts")).toContain("Ctrl Enter");
      await page.press("body", "Escape");
      expect(await page.evaluate(isShown)).toBe(false);
    }));

  test("colors each language, and wraps long lines", () =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      await page.setViewportSize({ width: 390, height: 900 });
      for (const [name, word] of [
        ["curl", "curl"],
        ["client", "import"],
        ["query", "import"],
        ["fetch", "const"],
        ["python", "import"],
        ["go", "package"],
      ]) {
        await page.click(`#code-${name}`);
        expect(await page.textContent("#code-panel .is-word")).toBe(word);
        expect(
          await page.evaluate("document.querySelectorAll('#code-panel .is-text').length"),
        ).toBeGreaterThan(0);
        const isCut =
          "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('#code-panel pre'))";
        expect([name, await page.evaluate(isCut)]).toEqual([name, false]);
        await page.evaluate("window.copied = undefined");
        expect(await copiedBy(page, "#code-panel button")).toBe(await page.textContent("#code-panel pre"));
      }
    }));

  test("folds the services of a large contract on the first page", async () => {
    const services = Array.from(
      { length: 4 },
      (_, index) =>
        `# Everything about ${index}.\nservice S${index}\n${Array.from({ length: 25 }, (_, at) => `  - Read${at}()\n`).join("")}`,
    );
    await withPage("", `${schema}\n${services.join("\n")}`, async (page) => {
      expect(
        await page.evaluate("[...document.querySelectorAll('.card details')].map((one) => one.open)"),
      ).toEqual([false, false, false, false, false]);
      expect(await page.textContent(".card:nth-of-type(3) summary")).toContain(
        "25 methods · Everything about 0.",
      );
    });
  });

  test.each([390, 1000])("shows the response after a call, and opens the search, at %s px", (width) =>
    withPage("#/method/Shop/Get", schema, async (page) => {
      await page.setViewportSize({ width, height: 900 });
      await page.click("button.primary");
      await until(page, `/^200/.test(${status})`);
      const atTitle =
        "(({ left, top }) => document.elementFromPoint(left + 2, top + 2)?.id)(document.querySelector('#answer-title').getBoundingClientRect())";
      expect(await page.evaluate(atTitle)).toBe("answer-title");
      const hasName = "document.querySelector('.here')?.checkVisibility() === true";
      await until(page, `${hasName} === ${width < 900}`);
      if (width < 900) expect(await page.textContent(".here")).toBe("Get");
      await page.evaluate("document.activeElement?.blur()");
      await page.press("body", "/");
      await until(page, "document.activeElement === document.querySelector('#nav input')");
      await page.fill("#nav input", "note get");
      await until(page, "document.querySelector('#found mark') !== null");
      expect(await page.evaluate(texts("#found .name"))).toEqual(["Get"]);
      expect(await page.evaluate(texts("#found mark"))).toEqual(["Get"]);
      await page.fill("#nav input", "order");
      await until(page, "document.querySelectorAll('#found legend').length > 1");
      expect(await page.evaluate(texts("#found legend"))).toEqual(["Methods", "Types", "Fields"]);
      await page.press("#nav input", "Escape");
      const hasIcon = "document.querySelector('.find').checkVisibility()";
      expect(await page.evaluate(hasIcon)).toBe(width < 900);
      if (width > 900) return;
      await page.click(".menu");
      await until(page, "!document.querySelector('#nav input').checkVisibility()");
      await page.click(".find");
      await until(page, "document.activeElement === document.querySelector('#nav input')");
    }),
  );

  test("has no violation of axe in any of these states", () =>
    withPage("", schema, async (page) => {
      for (const [width, colorScheme] of [
        [390, "light"],
        [768, "dark"],
        [1440, "dark"],
        [1440, "light"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const found: unknown[] = [];
        const look = async (state: string): Promise<void> => {
          found.push(...(await violations(page)).map((one) => `${state}: ${one}`));
        };
        await page.evaluate("location.hash = '#/'");
        await page.waitForSelector(".first-call");
        await look("overview");
        await page.evaluate("location.hash = '#/method/Shop/Get'");
        await page.waitForSelector(".answer");
        await look("before the call");
        for (const tab of ["fields", "errors"]) {
          await page.click(`#response-${tab}`);
          await look(tab);
        }
        await page.fill('[id="/id"]', "zz");
        await page.click("button.primary");
        await until(page, `/^400/.test(${status})`);
        await look("failure");
        await page.click("[popovertarget=keys]");
        await look("keys");
        await page.press("body", "Escape");
        await page.press("body", "Escape");
        await page.fill('[id="/id"]', "A-1");
        await page.evaluate("location.hash = '#/method/Shop/List'");
        await until(page, "document.querySelector('h1').textContent === 'List'");
        await page.click("button.primary");
        await until(page, `/^200/.test(${status})`);
        await look("response");
        await page.click(".answer [aria-pressed]");
        await look("table");
        await page.click("#response-headers");
        // Low, so that the headers scroll.
        await page.setViewportSize({ width, height: 200 });
        await look("headers");
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate("location.hash = '#/method/Shop/Watch'");
        await until(page, "document.querySelector('h1').textContent === 'Watch'");
        await page.click("button.primary");
        await until(page, `/^200/.test(${status})`);
        await look("stream");
        await page.click(".items summary");
        await look("item");
        await page.evaluate("document.activeElement?.blur()");
        await page.press("body", "/");
        await page.fill("#nav input", "o");
        await until(page, "document.querySelector('#found fieldset') !== null");
        await look("search");
        await page.press("#nav input", "Escape");
        await page.evaluate("document.querySelector('#shortcuts').showPopover()");
        await look("shortcuts");
        await page.press("body", "Escape");
        expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
      }
    }));
});
