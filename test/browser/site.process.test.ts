/** The docs site as `npm run docs` builds it: every page, link and heading, in a browser. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages as allPages, root } from "../support/docs.ts";
import { isInstalled, type OpenPage, openPage, until } from "./browser.ts";

const folder = join(root, "docs/.vitepress/dist");
const isBuilt = existsSync(join(folder, "index.html"));
if (!isBuilt && process.env["CI"] === "true") throw new Error("the docs site is not built: npm run docs");
if (!isBuilt) console.log("The docs site is skipped: npm run docs builds it.");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

const htmlPages: readonly string[] = isBuilt
  ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!404)[.]html$/.test(name))
  : [];

const phone = { width: 390, colorScheme: "light" } as const;
const laptop = { width: 1280, colorScheme: "light" } as const;
const desktop = { width: 1440, colorScheme: "dark" } as const;
const screens = [phone, laptop, desktop] as const;

/**
 * The text of each fifth page on one of three screens, or with SITE_AUDIT=all of each page on all. What surrounds the text is the same on
 * all pages: two whole pages on all screens.
 */
const isWholeAudit = process.env["SITE_AUDIT"] === "all";
const audits = [
  ...htmlPages.flatMap((name, index) =>
    isWholeAudit
      ? screens.map((screen) => ({ name, part: ".vp-doc", ...screen }))
      : index % 5 === 0
        ? [{ name, part: ".vp-doc", ...(screens[(index / 5) % 3] ?? phone) }]
        : [],
  ),
  ...["index.html", "handlers.html"].flatMap((name) =>
    screens.map((screen) => ({ name, part: "html", ...screen })),
  ),
];

describe.runIf(isInstalled && isBuilt)("the docs site", () => {
  let server: Server;
  let url: string;
  let opened: OpenPage;
  const requested: string[] = [];
  const errors: string[] = [];
  let axe: string;

  beforeAll(async () => {
    server = createServer((req, res) => {
      const path = join(folder, decodeURIComponent(new URL(req.url ?? "/", "http://site").pathname));
      readFile(path.endsWith("/") ? `${path}index.html` : path).then(
        (body) => res.setHeader("content-type", types[extname(path)] ?? "text/html").end(body),
        () => res.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    opened = await openPage(`${url}/index.html`);
    opened.page.on("request", (request) => requested.push(request.url()));
    opened.page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    opened.page.on("pageerror", (error) => errors.push(error.message));
  });

  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    server.close();
  });

  test("has a page for every page of docs/", () => {
    const docs = allPages()
      .filter((page) => page.startsWith("docs/"))
      .map((page) => page.replace(/^docs\/(.*)[.]md$/, "$1.html"));
    expect(docs.filter((page) => !htmlPages.includes(page))).toEqual([]);
  });

  test("has no broken link and no broken image, and fits on phones", async () => {
    await opened.page.setViewportSize({ width: phone.width, height: 900 });
    const anchors = new Map<string, ReadonlySet<string>>();
    const links: (readonly [page: string, href: string])[] = [];
    for (const page of htmlPages) {
      await opened.page.goto(`${url}/${page}`);
      await until(opened.page, "document.querySelector('.vp-doc')");
      const found = (await opened.page.evaluate(findLinks)) as {
        readonly ids: readonly string[];
        readonly hrefs: readonly string[];
        readonly brokenImages: readonly string[];
      };
      anchors.set(page, new Set(found.ids));
      for (const href of found.hrefs) links.push([page, href]);
      expect([page, found.brokenImages]).toEqual([page, []]);
      expect([page, await opened.page.evaluate(findOverflow)]).toEqual([page, { wider: 0, cutOff: [] }]);
    }
    const broken = links.filter(([, href]) => {
      const { origin, pathname, hash } = new URL(href);
      if (origin !== url) return false;
      const target = pathname === "/" ? "index.html" : pathname.slice(1);
      if (!anchors.has(target)) return !existsSync(join(folder, target));
      return hash !== "" && anchors.get(target)?.has(decodeURIComponent(hash.slice(1))) !== true;
    });
    expect(broken.map(([page, href]) => `${page}: ${href}`)).toEqual([]);
    expect(links.length).toBeGreaterThan(500);
  });

  test.each(audits)("is accessible, and fits: $name, $colorScheme, $width px", async (audit) => {
    const { name, width, colorScheme, part } = audit;
    const { page } = opened;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${url}/${name}`);
    await page.evaluate(axe);
    const found = await page.evaluate(findFaults(part));
    expect(found).toEqual({ wider: 0, cutOff: [], violations: [] });
  });

  test.each(["error boundary", "docker", "optional", "pagination"])(
    "finds a guide for %s first",
    async (words) => {
      const { page } = opened;
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${url}/handlers.html`);
      await page.click(".VPNavBarSearch button");
      await page.waitForSelector(".VPLocalSearchBox input");
      await page.fill(".VPLocalSearchBox input", words);
      await page.waitForSelector(".VPLocalSearchBox .result");
      const first = await page.evaluate(
        "document.querySelector('.VPLocalSearchBox .result').getAttribute('href')",
      );
      expect(first).not.toMatch(/codes|commands|platform/);
    },
  );

  test("lists pages that exist in llms.txt, and has a small text for models", () => {
    const links = readFileSync(join(folder, "llms.txt"), "utf8").matchAll(/\]\(\/([^)]+)\)/g);
    const paths = [...links].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !htmlPages.includes(path))).toEqual([]);
    const small = readFileSync(join(folder, "llms-small.txt"), "utf8");
    expect(Buffer.byteLength(small)).toBeLessThanOrEqual(80 * 1024);
    expect(small).not.toContain("docs/platform/");
  });

  test("finds words offline", async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${url}/index.html`);
    await page.click(".VPNavBarSearch button");
    await page.waitForSelector(".VPLocalSearchBox input");
    await page.fill(".VPLocalSearchBox input", "idempotent");
    await page.waitForSelector(".VPLocalSearchBox .result");
    expect(await page.textContent(".VPLocalSearchBox .result")).not.toBe("");
  });

  test("asks no other host, and reports no error", () => {
    expect(requested.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("has its whole text in llms-full.txt", () => {
    const text = readFileSync(join(folder, "llms-full.txt"), "utf8");
    for (const page of ["README.md", "docs/handlers.md", "docs/platform/webhooks.md", "schema/README.md"])
      expect(text).toContain(readFileSync(join(root, page), "utf8").trim());
  });
});

const findLinks = `({
  ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
  hrefs: [...document.querySelectorAll(".vp-doc a[href], .VPSidebar a[href]")].map(({ href }) => href),
  brokenImages: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src),
})`;

const findOverflow = `({
  wider: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  cutOff: [...document.querySelectorAll(".aside-container, .vp-doc table, .vp-doc img")]
    .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
    .map(({ className, tagName }) => className || tagName),
})`;

const findFaults = (part: string): string => `(async () => {
  const { violations } = await axe.run(${JSON.stringify(part)}, { preload: false, resultTypes: ["violations"] });
  return {
    ...${findOverflow},
    violations: violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(" ")),
  };
})()`;
