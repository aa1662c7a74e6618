/** The project that `ridlkit init --stack vite` writes, in a real browser: its dev server, its mock, and a call from the page; and the page of the tutorial. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { isInstalled as hasBrowser, openPage, until } from "../browser/browser.ts";
import { tsc } from "../compile/project.ts";
import { blocksOf } from "../support/docs.ts";
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
    await using _vite = await startVite(folder, port);
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

test.runIf(isInstalled && hasBrowser)(
  "the page of the tutorial greets a name, and shows the error of the schema without one",
  async () => {
    const tutorial = blocksOf("docs/tutorial.md");
    const textOf = (file: string): string => tutorial.find((block) => block.file === file)?.text ?? "";
    const folder = join(made, "tutorial");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const run = async (...args: readonly string[]): Promise<void> => {
      expect(await ridlkit(args, { cwd: folder })).toMatchObject({ code: 0 });
    };
    await run("init", "--stack", "koa", "--schema", "ridl");
    for (const file of ["schema/hello.ridl", "handlers/Hello/Greet.ts"])
      writeFileSync(join(folder, file), textOf(file));
    await run("init", "web", "--stack", "vite");
    rmSync(join(folder, "web/schema"), { recursive: true });
    const [serverPort, port] = [await freePort(), await freePort()];
    edit(join(folder, "web/ridlkit.config.json"), '"entry": "schema/', '"entry": "../schema/');
    edit(join(folder, "web/vite.config.ts"), "4010", String(serverPort));
    writeFileSync(join(folder, "web/src/main.tsx"), textOf("web/src/main.tsx"));
    await run("generate", "--cwd", "web");
    const types = [tsc, "--noEmit"];
    execFileSync(process.execPath, types, { cwd: join(folder, "web"), stdio: "inherit" });
    const serve = [process.execPath, program, "dev", "--port", String(serverPort)] as const;
    await using _server = await start(serve, folder, process.env);
    await using _vite = await startVite(join(folder, "web"), port);
    await untilAnswered(`http://127.0.0.1:${port}/rpc/Hello/Greet`, { name: "Ann" });
    await using opened = await openPage(`http://127.0.0.1:${port}/`);
    const { page } = opened;
    await page.waitForSelector("button");
    await page.click("button");
    await until(page, 'document.querySelector("output").textContent === "Please enter your name."');
    await page.fill("input", "Ann");
    await page.click("button");
    await until(page, 'document.querySelector("output").textContent === "Hello, Ann!"');
  },
);

function startVite(folder: string, port: number): ReturnType<typeof start> {
  const flags = ["--port", String(port), "--strictPort", "--host", "127.0.0.1"];
  return start([process.execPath, vite, ...flags], folder, process.env);
}

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
}
