/** The project that `ridlkit init --stack vite` writes, in a real browser: its dev server, its mock, and a call from the page. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { isInstalled as hasBrowser, openPage, until } from "../browser/browser.ts";
import { ridlkit } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";
import { freePort, start, untilAnswered } from "./started.ts";

const made = join(stacksFolder, ".made/vite");
const program = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
const vite = join(stacksFolder, "node_modules/vite/bin/vite.js");

afterAll(() => rmSync(made, { recursive: true, force: true }));

test.runIf(isInstalled && hasBrowser)(
  "a click on the page of a new Vite project calls the mock",
  async () => {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    const folder = join(made, "hello");
    const written = await ridlkit(["init", "hello", "--stack", "vite", "--format", "json"], { cwd: made });
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(await ridlkit(["generate", "--quiet"], { cwd: folder })).toMatchObject({ code: 0 });
    const [mockPort, port] = [await freePort(), await freePort()];
    const config = join(folder, "vite.config.ts");
    writeFileSync(config, readFileSync(config, "utf8").replace("4010", String(mockPort)));
    const mock = [process.execPath, program, "mock", "--port", String(mockPort)] as const;
    await using _mock = await start(mock, folder, process.env);
    const serve = [
      process.execPath,
      vite,
      "--port",
      String(port),
      "--strictPort",
      "--host",
      "127.0.0.1",
    ] as const;
    await using _vite = await start(serve, folder, process.env);
    await untilAnswered(`http://127.0.0.1:${port}/rpc/Hello/Greet`, { name: "Ann" });
    await using opened = await openPage(`http://127.0.0.1:${port}/`);
    const { page } = opened;
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.waitForSelector("button");
    expect(await page.textContent("button")).toBe("Greet");
    await page.click("button");
    await until(page, 'document.querySelector("button").textContent !== "Greet"');
    expect(await page.textContent("button")).toMatch(/\w/);
    expect(errors).toEqual([]);
  },
);
