/** The page that `ridlkit mock` serves, for schemas that it has not seen: fixtures, the platform, and guides. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { contractIr } from "../support/contract-ir.ts";
import { type Block, blocksOf, root } from "../support/docs.ts";
import { folder } from "../support/program.ts";
import { isInstalled, openPage, type Page, until, violations } from "./browser.ts";
import { startMock } from "./mock.ts";

const fixtures = [
  ..."files keys pages routes validation wire".split(" ").map((name) => `test/fixtures/${name}/schema.ridl`),
  "schema/platform.ridl",
];

/** Guides with a schema that stands alone. */
const guides = ["schema-language", "streams"].map((name) => `docs/${name}.md`);

const schemas = [
  ...fixtures.map((path) => ({
    name: path,
    text: readFileSync(join(root, path), "utf8"),
    path: join(root, path),
  })),
  ...guides.map((page) => {
    const isWhole = ({ language, text }: Block): boolean =>
      language === "ridl" && /^webrpc = /m.test(text) && /^service /m.test(text) && !/^import/m.test(text);
    return { name: page, text: blocksOf(page).find(isWhole)?.text ?? "", path: undefined };
  }),
];

describe.runIf(isInstalled)("the page of a mock", () => {
  test.each(schemas)(
    "shows every method of $name, and its first call gets a response",
    async ({ text, path }) => {
      using dir = folder({ "schema.ridl": text });
      const schema = path ?? join(dir.path, "schema.ridl");
      await using mock = await startMock(schema);
      const { url } = mock;
      await using opened = await openPage("about:blank");
      const { page } = opened;
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error.stack)));
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(url);
      await page.waitForSelector("h1");
      const statuses: Record<string, string> = {};
      for (const { name: service, methods } of contractIr(schema).services)
        for (const { name, streamInput } of methods) {
          if (streamInput === true) continue;
          await go(page, service, name);
          statuses[`${service}.${name}`] = await firstStatus(page);
        }
      const names = Object.keys(statuses);
      expect(names.length).toBeGreaterThan(0);
      expect(statuses).toEqual(
        Object.fromEntries(names.map((name) => [name, expect.stringMatching(/^20[04] /)])),
      );
      expect(asked.filter((each) => !each.startsWith(url) && !/^(?:data|blob):/.test(each))).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test("is small, asks only its server, and axe finds nothing", async () => {
    await using mock = await startMock("test/fixtures/files/schema.ridl");
    const { url } = mock;
    await using opened = await openPage("about:blank");
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await page.goto(url);
    await page.waitForSelector("h1");
    // Events of the mock have no end.
    const files = asked.filter((each) => !each.endsWith("/problems"));
    const sizes = await Promise.all(
      files.map(async (each) => gzipSync(new Uint8Array(await (await fetch(each)).arrayBuffer())).length),
    );
    expect(files.length).toBeGreaterThanOrEqual(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(75 * 1024);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const method of ["Store", "Submit", "StoreMany"]) {
        await go(page, "Depot", method);
        expect([method, await violations(page)]).toEqual([method, []]);
      }
    }
    expect(asked.filter((each) => !each.startsWith(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each([390, 768, 1440])("with long names is not wider than a window of %s px", async (width) => {
    const long = (name: string): string => name + "WithAVeryLongNameThatFitsOnNoLine".repeat(3);
    const text = `webrpc = v1
name = ${long("api")}
version = v1
basepath = /rpc

error 1 ${long("Missing")} "missing" HTTP 404

enum ${long("Kind")}: string
  - ${long("CAT")}

struct ${long("Pet")}
  - ${long("kind")}: ${long("Kind")}
  - ${long("friends")}: map<string,map<string,[]string>>

service ${long("Pets")}
  - ${long("GetPet")}(${long("pet")}: ${long("Pet")}) => (${long("pet")}: ${long("Pet")}) errors ${long("Missing")}
`;
    using dir = folder({ "long.ridl": text });
    await using mock = await startMock(join(dir.path, "long.ridl"));
    await using opened = await openPage(mock.url);
    const { page } = opened;
    await page.setViewportSize({ width, height: 900 });
    const method = `#/method/${long("Pets")}/${long("GetPet")}`;
    const wide: string[] = [];
    const places = {
      "#/": long("api"),
      "#/types": "Types",
      [`#/type/${long("Pet")}`]: long("Pet"),
      "#/errors": "Errors",
      [method]: long("GetPet"),
      "#/history": "History",
    };
    for (const [place, heading] of Object.entries(places)) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await until(page, `document.querySelector("main h1")?.textContent === ${JSON.stringify(heading)}`);
      if (place === "#/")
        expect(await page.evaluate("document.querySelector('.first-call h2').clientWidth")).toBeGreaterThan(
          200,
        );
      if (place === method) expect(await firstStatus(page)).toMatch(/^200/);
      const parts = `[document.documentElement, document.querySelector("#nav")]`;
      if (await page.evaluate(`${parts}.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`))
        wide.push(place);
    }
    expect(wide).toEqual([]);
  });

  test("offers no form for a method that streams its request", async () => {
    const text = `webrpc = v1\nname = chat\nversion = v1\nbasepath = /rpc\n\nservice Chat\n  - Say(text: string) => ()\n  - stream Talk(text: string) => (ok: bool)\n`;
    using dir = folder({ "chat.ridl": text });
    await using mock = await startMock(join(dir.path, "chat.ridl"));
    await using opened = await openPage(`${mock.url}/explorer/#/method/Chat/Say`);
    const { page } = opened;
    await page.waitForSelector("button.primary");
    await go(page, "Chat", "Talk");
    expect(await page.textContent("main .advice")).toContain("streams its request");
    expect(await page.evaluate(`document.querySelector("main form")`)).toBe(null);
  });

  test("uploads files, shows images before and texts after", async () => {
    await using mock = await startMock("test/fixtures/files/schema.ridl");
    const { url } = mock;
    await using opened = await openPage(`${url}/explorer/#/method/Depot/Store`);
    const { page } = opened;
    await page.waitForSelector('[id="/picture"]');
    expect(await page.textContent("#code-panel pre")).toContain("-F 'picture=@picture.png'");
    await page.click("#code-client");
    await until(page, "document.querySelector('#code-panel pre')?.textContent.includes('picture: new Blob')");
    await page.click("#code-curl");
    // Nothing is sent yet: the page reports the missing file at the field.
    await page.click("button.primary");
    await until(page, "document.activeElement?.id === '/picture'");
    await page.setInputFiles('[id="/picture"]', { name: "dot.png", mimeType: "image/png", buffer: dot });
    await until(page, "document.querySelector('.file img')?.naturalWidth === 1");
    expect(await page.textContent("#code-panel pre")).toContain("-F 'picture=@dot.png'");
    expect(await firstStatus(page)).toMatch(/^200/);
    await go(page, "Depot", "Fetch");
    expect(await firstStatus(page)).toMatch(/^200/);
    await until(page, "document.querySelector('.answer .file pre')?.textContent.length > 0");
    expect(await page.textContent(".answer .file a")).not.toBe("");
  });

  test("returns the error that is chosen", async () => {
    await using mock = await startMock("test/fixtures/files/schema.ridl");
    const { url } = mock;
    await using opened = await openPage(`${url}/explorer/#/method/Depot/Fetch`);
    const { page } = opened;
    await page.click(".mock summary");
    await page.selectOption('[id="mock:error"]', "NoSuchFile");
    expect(await page.textContent("#code-panel pre")).toContain("-H 'mock-error: NoSuchFile'");
    expect(await firstStatus(page)).toMatch(/^404/);
    expect(await page.textContent(".answer .failure")).toBe("NoSuchFile");
    expect(await page.textContent(".answer .advice")).toBe("The mock is set to return NoSuchFile. Clear");
    await page.click(".answer .advice button");
    expect(await page.evaluate("document.activeElement.id")).toBe("answer-title");
    expect(await firstStatus(page)).toMatch(/^200/);
  });

  test("shows a changed contract when the window gets the focus, and keeps what was typed", async () => {
    const text = `webrpc = v1\nname = pets\nversion = v1\nbasepath = /rpc\n\nservice Pets\n  - GetPet(name: string) => (ok: bool)\n`;
    using dir = folder({ "pets.ridl": text });
    const file = join(dir.path, "pets.ridl");
    await using mock = await startMock(file, "--watch");
    const { url } = mock;
    await using opened = await openPage(`${url}/explorer/#/method/Pets/GetPet`);
    const { page } = opened;
    await page.fill('[id="/name"]', "Rex");
    writeFileSync(file, text.replace("name: string", "name: string, age?: uint8"));
    await expect
      .poll(async () => (await fetch(`${url}/explorer/schema.json`)).text(), { timeout: 120_000 })
      .toContain('"age"');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await until(page, "document.getElementById('/age') !== null");
    expect(await page.evaluate(`document.getElementById("/name").value`)).toBe("Rex");
    expect(await page.textContent(".changed")).toBe("Contract reloaded");
  });
});

async function go(page: Page, service: string, method: string): Promise<void> {
  await page.evaluate(
    `location.hash = ${JSON.stringify(`#/method/${encodeURIComponent(service)}/${method}`)}`,
  );
  const heading = JSON.stringify(`${service}${method}`);
  await until(
    page,
    `[".crumb", "h1"].map((part) => document.querySelector("main " + part)?.textContent).join("") === ${heading}`,
  );
}

/** Chooses a file for each required one, sends the request, and returns the status line. */
async function firstStatus(page: Page): Promise<string> {
  const required = (await page.evaluate(
    `[...document.querySelectorAll("input[type=file]")].filter((input) => input.files.length === 0 && input.closest(".field").querySelector(".is-needed") !== null).map(({ id }) => id)`,
  )) as string[];
  for (const id of required)
    await page.setInputFiles(`[id="${id}"]`, {
      name: "a.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("a"),
    });
  await page.click("button.primary");
  const status = `(document.querySelector(".answer [role=status]")?.textContent ?? "")`;
  await until(
    page,
    `/^(?:\\d{3}|No response) · /.test(${status}) || document.querySelector(".fault:not([hidden])") !== null`,
  );
  return String(await page.evaluate(`${status} || document.querySelector(".fault:not([hidden])")?.id`));
}

/** A PNG of one pixel. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
