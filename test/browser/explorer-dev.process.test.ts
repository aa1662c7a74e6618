/** The page of `ridlkit dev`: it shows the true errors of the schema and the handlers as they happen. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { folder, installRuntime, start } from "../support/program.ts";
import { isInstalled, openPage, until, violations } from "./browser.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

service Pets
  - GetPet(id: uint64) => (name: string)
`;

test.runIf(isInstalled)("errors of the schema and of handlers are shown as they happen", async () => {
  using dir = folder({
    "pets.ridl": schema,
    "ridlkit.config.json": JSON.stringify({
      schemas: [{ entry: "pets.ridl", out: "generated", handlers: "handlers" }],
    }),
    "package.json": '{ "type": "module" }',
  });
  installRuntime(dir.path);
  const write = (path: string, text: string): void => writeFileSync(join(dir.path, path), text);
  const dev = start(["dev", "--scaffold", "--port", "0", "--format", "json"], {
    cwd: dir.path,
    timeoutMs: 290_000,
  });
  try {
    const lines = createInterface({ input: dev.stdout as NodeJS.ReadableStream });
    const events = lines[Symbol.asyncIterator]();
    const { explorer } = JSON.parse(String((await events.next()).value)) as { explorer: string };
    await using opened = await openPage(`${explorer.replace(/[/]$/, "")}/explorer/#/method/Pets/GetPet`);
    const { page } = opened;
    await page.waitForSelector("h1");
    const title = "document.querySelector('.problem strong')?.textContent";
    expect(await page.evaluate(title)).toBeUndefined();

    // The handler is not written yet.
    await page.click("button.primary");
    await until(page, `${title} === "Pets.GetPet failed"`);
    expect(await page.textContent(".problem pre")).toContain("handlers/Pets/GetPet.ts:");
    expect(await page.evaluate("document.querySelector('.problem a').href")).toMatch(
      /^vscode:[/][/]file[/].*[/]handlers[/]Pets[/]GetPet[.]ts:\d+:\d+$/,
    );
    expect(await violations(page)).toEqual([]);

    write("pets.ridl", `${schema}  - AddPet(pet: Pot) => ()\n`);
    await until(page, `${title} === "The schema or the configuration has errors"`);
    await until(page, "document.querySelector('.problem pre').textContent.includes('pets.ridl:8:')");

    write("handlers/Pets/GetPet.ts", 'export const getPet = () => ({ name: "Rex" });\n');
    write("pets.ridl", schema.replace("id: uint64", "id: uint64, age?: uint8"));
    await until(page, `${title} === undefined`);
    // Without a click or the focus.
    await until(page, "document.getElementById('/age') !== null");
    await page.click("button.primary");
    await until(page, "document.querySelector('.answer pre')?.textContent.includes('Rex')");
  } finally {
    const ended = once(dev, "close");
    dev.kill("SIGKILL");
    await ended;
  }
});
