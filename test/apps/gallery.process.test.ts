/** The gallery on ridlkit, orval and tRPC, used in Chromium as a visitor would. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isInstalled as hasBrowser, openPage, type Page } from "../browser/browser.ts";
import { readPage } from "../support/docs.ts";
import { gallery as app, type Stack } from "./gallery.ts";
import { stacksOf } from "./rows.ts";
import { bundlePage, compile, generate, importOf, isInstalled, serve } from "./stacks.ts";

/** Of `gallery/shared/gallery.ts`. */
interface Gallery {
  add(photo: { readonly title: string; readonly priceCents: number; readonly takenOn: string }): unknown;
  comment(text: string): void;
  page(): unknown;
}

const { behavior } = app;
const stacks = stacksOf(app);

const titles = Array.from({ length: 12 }, (_, index) => `Photo ${index + 1}`);

describe.runIf(isInstalled)("the gallery on three stacks", () => {
  beforeAll(async () => {
    // Otherwise, servers of tRPC send stack traces.
    vi.stubEnv("NODE_ENV", "production");
    await Promise.all(stacks.map((stack) => generate(`gallery/${stack}`)));
  });
  // Another file in the same worker may install packages, and npm would leave out those for development.
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test("compiles, apart from the mistakes in types.ts", () => compile(app));

  test.runIf(hasBrowser).each(stacks)("works on %s", async (stack) => {
    const gallery = await newGallery();
    await using host = await serve(`gallery/${stack}`, gallery, await bundlePage(`gallery/${stack}`));
    await using opened = await openPage(host.url);
    const { page } = opened;
    const failures: unknown[] = [];
    page.on("pageerror", (error) => failures.push(error));

    await shows(page, "#photos b", titles.slice(0, 5));
    await page.click("[name=more]");
    await shows(page, "#photos b", titles.slice(0, 10));
    await page.click("[name=more]");
    await shows(page, "#photos b", titles);
    await shows(page, "[name=more]", []);

    const calls = host.calls();
    await page.click("#add [type=submit]");
    await expect.poll(() => texts(page, "#add label span")).not.toContain("");
    expect(host.calls()).toBe(calls);
    await page.fill("#add [name=title]", "Harbour");
    await page.fill("#add [name=priceCents]", "1500");
    await page.fill("#add [name=takenOn]", "2026-01-31");
    await page.click("#add [type=submit]");
    await shows(page, "#photos b", [...titles, "Harbour"]);
    await shows(page, "#add label span", ["", "", ""]);
    await page.click("#add [type=submit]");
    await shows(page, "#add [role=alert]", ["Taken: photo 13 has it"]);

    await pick(page, "#photo-1", 100_000);
    await shows(page, "#photo-1 i", ["100000"]);
    await pick(page, "#photo-1", 100_001);
    await shows(page, "#photo-1 [role=alert]", ["Too large: at most 100000 bytes"]);
    await shows(page, "#photo-1 i", ["100000"]);

    let release = host.hold();
    await rename(page, "#photo-3", "Lighthouse");
    await shows(page, "#photo-3 b", ["Lighthouse"]);
    release();
    await shows(page, "#photos b", [...titles.with(2, "Lighthouse"), "Harbour"]);
    release = host.hold();
    await rename(page, "#photo-3", "Photo 2");
    await shows(page, "#photo-3 b", ["Photo 2"]);
    release();
    await shows(page, "#photo-3 [role=alert]", ["Taken: photo 2 has it"]);
    await shows(page, "#photo-3 b", ["Lighthouse"]);
    host.failNext();
    await rename(page, "#photo-3", "Beach");
    await shows(page, "#photo-3 [role=alert]", ["Something went wrong. Please try again."]);
    await shows(page, "#photo-3 b", ["Lighthouse"]);

    await shows(page, "#live output", ["live"]);
    gallery.comment("first");
    await shows(page, "#live li", ["first"]);
    gallery.comment("second");
    await shows(page, "#live li", ["first", "second"]);
    await host.stop();
    await shows(page, "#live output", ["reconnecting"]);
    gallery.comment("third");
    await host.start();
    await shows(page, "#live li", ["first", "second", "third"]);
    await shows(page, "#live output", ["live"]);

    await page.clock.install();
    release = host.hold();
    await rename(page, "#photo-3", "Beach");
    await shows(page, "#photo-3 b", ["Beach"]);
    await page.clock.fastForward(31_000);
    const isRolledBack = behavior.silence[stack].startsWith("rolled back");
    if (isRolledBack) await shows(page, "#photo-3 b", ["Lighthouse"]);
    release();
    await shows(page, "#photo-3 b", [isRolledBack ? "Lighthouse" : "Beach"]);
    expect(failures).toEqual([]);
  });

  test.each(stacks)("%s checks forms and requests alike", async (stack) => {
    await using host = await serve(`gallery/${stack}`, await newGallery());
    const photo = { title: "Harbour", priceCents: 1_500, takenOn: "2026-01-31" };
    const verdicts = async (values: typeof photo): Promise<readonly string[]> => {
      const { issues } = await (await formSchema(stack))["~standard"].validate(values);
      const { status } = await call(host.url, requests[stack].add, values);
      return [issues ? "rejected" : "accepted", status === 400 ? "rejected" : "accepted"];
    };
    const both = (verdict: string): readonly string[] => [verdict, verdict];
    for (const [values, verdict] of [
      [{ ...photo, title: "February", takenOn: "2026-02-30" }, "rejected"],
      [{ ...photo, title: "" }, "rejected"],
      [{ ...photo, title: "a" }, "accepted"],
      [{ ...photo, title: "a".repeat(40) }, "accepted"],
      [{ ...photo, title: "a".repeat(41) }, "rejected"],
      [{ ...photo, title: "99", priceCents: 99 }, "rejected"],
      [{ ...photo, title: "100", priceCents: 100 }, "accepted"],
      [{ ...photo, title: "half", priceCents: 100.5 }, "rejected"],
      [{ ...photo, title: "most", priceCents: 1_000_000 }, "accepted"],
      [{ ...photo, title: "more", priceCents: 1_000_001 }, "rejected"],
    ] as const)
      expect([values, await verdicts(values)]).toEqual([values, both(verdict)]);
  });

  test.each(stacks)("%s hides what a handler throws", async (stack) => {
    const gallery = await newGallery();
    gallery.page = () => {
      throw new Error("the password is hunter2");
    };
    // Hono prints exceptions.
    using _quiet = vi.spyOn(console, "error").mockReturnValue();
    await using host = await serve(`gallery/${stack}`, gallery);
    const response = await call(host.url, requests[stack].list, { limit: 5 });
    expect(response.status).toBe(500);
    const isHidden = !(await response.text()).includes("hunter2");
    expect(isHidden).toBe(behavior.exception[stack].startsWith("hidden"));
  });

  test.each(stacks)("docs/apps.md has the size of the page on %s", async (stack) => {
    const sizes = /^\| compressed \| (\d+) KB \| (\d+) KB \| (\d+) KB \|$/m.exec(readPage("docs/apps.md"));
    await expectSize(bundlePage(`gallery/${stack}`), sizes?.[stacks.indexOf(stack) + 1]);
  });

  test("docs/apps.md has the size of the page on tRPC with zod", async () => {
    const size = /with `zod`, it has (\d+) KB/.exec(readPage("docs/apps.md"))?.[1];
    await expectSize(bundlePage("gallery/trpc", { "zod/mini": "zod" }), size);
  });
});

async function expectSize(script: Promise<string>, kilobytes: string | undefined): Promise<void> {
  const { length } = gzipSync(await script, { level: 9 });
  // Versions of Node.js compress a little differently.
  expect(Math.abs(length / 1_000 - Number(kilobytes))).toBeLessThan(1);
}

interface Sent {
  readonly path: string;
  readonly isGet?: boolean;
}

const requests: Readonly<Record<Stack, { readonly add: Sent; readonly list: Sent }>> = {
  ridlkit: { add: { path: "rpc/Gallery/AddPhoto" }, list: { path: "rpc/Gallery/ListPhotos" } },
  orval: { add: { path: "api/photos" }, list: { path: "api/photos?limit=5", isGet: true } },
  trpc: { add: { path: "trpc/addPhoto" }, list: { path: 'trpc/listPhotos?input={"limit":5}', isGet: true } },
};

function call(url: string, { path, isGet }: Sent, body: object): Promise<Response> {
  if (isGet) return fetch(url + path);
  const headers = { "Content-Type": "application/json" };
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

interface FormSchema {
  readonly "~standard": {
    validate(values: unknown): { readonly issues?: unknown } | Promise<{ readonly issues?: unknown }>;
  };
}

/** The schema that the form of an app uses. */
async function formSchema(stack: Stack): Promise<FormSchema> {
  const [file, name] = {
    ridlkit: ["api/standard-schema.ts", "newPhotoSchema"],
    orval: ["api/schemas.ts", "addPhotoBody"],
    trpc: ["schemas.ts", "newPhoto"],
  }[stack] as [string, string];
  const schemas = await importOf<Record<string, FormSchema>>(`gallery/${stack}/${file}`);
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`There is no ${name}.`);
  return schema;
}

async function newGallery(): Promise<Gallery> {
  const { Gallery } = await importOf<{ readonly Gallery: new () => Gallery }>("gallery/shared/gallery.ts");
  const gallery = new Gallery();
  for (const title of titles) gallery.add({ title, priceCents: 1_000, takenOn: "2026-01-01" });
  return gallery;
}

function texts(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) => textContent)`,
  );
}

async function shows(page: Page, selector: string, expected: readonly string[]): Promise<void> {
  await expect.poll(() => texts(page, selector)).toEqual(expected);
}

async function pick(page: Page, photo: string, bytes: number): Promise<void> {
  const buffer = Buffer.alloc(bytes);
  await page.setInputFiles(`${photo} [type=file]`, { name: "image.png", mimeType: "image/png", buffer });
}

async function rename(page: Page, photo: string, title: string): Promise<void> {
  await page.fill(`${photo} [name=title]`, title);
  await page.click(`${photo} .title [type=submit]`);
}
