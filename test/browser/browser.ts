/** Chromium, and what drives it in a folder of its own: `npm ci --prefix test/browser`. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const { CI, CHROMIUM = "/usr/bin/chromium" } = process.env;
const driver = fileURLToPath(new URL("node_modules/playwright-core/index.mjs", import.meta.url));

const missing = [CHROMIUM, driver].filter((path) => !existsSync(path));

export const isInstalled: boolean = missing.length === 0;

if (!isInstalled && CI === "true") throw new Error(`not there: ${missing.join(", ")}`);
if (!isInstalled)
  console.log(`Browsers are left out: ${missing.join(" and ")} not there; .ci/run installs both.`);

/** As much of a page as is used here. */
export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  selectOption(selector: string, value: string): Promise<unknown>;
  press(selector: string, key: string): Promise<void>;
  setInputFiles(selector: string, file: File): Promise<void>;
  textContent(selector: string): Promise<string | null>;
  waitForSelector(selector: string): Promise<unknown>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMedia(media: {
    readonly colorScheme: "light" | "dark";
    readonly reducedMotion: "reduce";
  }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  /** What is set last goes first. */
  route(url: string, answer: (route: Route) => Promise<void>): Promise<void>;
  on(event: "request", heard: (request: { url(): string }) => void): void;
  on(event: "console", heard: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", heard: (error: Error) => void): void;
  /** Timers of the page, from the call of `install`. */
  readonly clock: { install(): Promise<void>; fastForward(ms: number): Promise<void> };
  close(): Promise<void>;
}

/** A file that somebody picks. */
interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A request that is held. */
interface Route {
  abort(): Promise<void>;
  continue(): Promise<void>;
  /** Sends it, and answers what came. */
  fetch(): Promise<{ headers(): Readonly<Record<string, string>> }>;
  fulfill(answer: { readonly response: object; readonly headers: object }): Promise<void>;
}

interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

interface Driver {
  readonly chromium: {
    launch(options: { executablePath: string; args: readonly string[] }): Promise<Browser>;
  };
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Another page with a session of its own. */
  another(): Promise<Page>;
}

/** A page of a browser of its own. */
export async function openPage(url: string): Promise<OpenPage> {
  const { chromium } = (await import(pathToFileURL(driver).href)) as Driver;
  // Its sandbox is not for root, which CI runs as.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(url);
  return { page, another: () => browser.newPage(), [Symbol.asyncDispose]: () => browser.close() };
}

const axe = fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url));

/** What axe finds on the page as it is, and whether the page is wider than the window. */
export async function violations(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(readFileSync(axe, "utf8"));
  return (await page.evaluate(
    `axe.run(document, { preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + " at " + nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")))
      .then((found) => [...found, ...(document.documentElement.scrollWidth > innerWidth ? ["too wide"] : [])])`,
  )) as readonly string[];
}

/** Waits until the expression is true; the driver's own way evaluates text in the page, which a strict policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (Date.now() > end) throw new Error(`never true: ${expression}`);
    await sleep(20);
  }
}
