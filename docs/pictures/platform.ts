/** What `npm start` prints, and its page after a call, in a browser: needs `npm ci --prefix test/browser` and Chromium. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, type Page, until as untilInPage } from "../../test/browser/browser.ts";
import { type Picture, until, untilServed } from "./commands.ts";
import { terminalSvg } from "./terminal.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Writes the screenshots into `folder`, and returns the terminal's picture. */
export async function platformPictures(folder: string): Promise<Picture> {
  const data = mkdtempSync(join(tmpdir(), "ridlkit-picture-"));
  const args = ["start.mjs", "--data-dir", data, "--port", "4102", "--admin-port", "4103"];
  const platform = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  platform.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const url = "http://127.0.0.1:4102";
  try {
    await untilServed(url);
    await until(() => output.includes("curl"));
    const shown = output.trimEnd().split("\n");
    // The printed address has a token, without which the page shows no keys.
    const [address = url] = output.match(/http\S+token=[\w-]+/) ?? [];
    await using opened = await openPage(address);
    const { page } = opened;
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`${url}/#/method/API/GetSwapPrice`);
    await page.waitForSelector("button.primary");
    await page.click("button.primary");
    await untilInPage(page, "/^200/.test(document.querySelector('.answer [role=status]').textContent)");
    await takeScreenshots(page, join(folder, "explorer"));
    await page.goto(`${url}/#/live`);
    await untilInPage(
      page,
      "/ (listed|bought|sold|offered|withdrew) /.test(document.querySelector('#last-trade')?.textContent)",
    );
    await takeScreenshots(page, join(folder, "live"));
    return { file: "start.svg", svg: terminalSvg("npm start", shown) };
  } finally {
    const ended = new Promise((resolve) => platform.once("exit", resolve));
    platform.kill("SIGINT");
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

/** One for light and one for dark screens: `explorer.png`, `explorer-dark.png`. */
async function takeScreenshots(page: Page, path: string): Promise<void> {
  for (const [colorScheme, suffix] of [
    ["light", ""],
    ["dark", "-dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${path}${suffix}.png` });
  }
}
