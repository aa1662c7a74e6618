/** The exported page on a web host of its own, below a path, that calls a server of another origin. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { listen } from "../support/adapters.ts";
import { root } from "../support/docs.ts";
import { folder, ridlkitProcess, start } from "../support/program.ts";
import { isInstalled, openPage, until } from "./browser.ts";

test.runIf(isInstalled)("an exported page calls its server, and no other host", async () => {
  const mock = start(["mock", "test/fixtures/shop/schema.ridl", "--port", "0", "--format", "json"], {
    cwd: root,
    timeoutMs: 290_000,
  });
  try {
    let server = "";
    for await (const line of createInterface({ input: mock.stdout as NodeJS.ReadableStream })) {
      server = (JSON.parse(line) as { url: string }).url;
      break;
    }
    using dir = folder({
      "shop.ridl": readFileSync(join(root, "test/fixtures/shop/schema.ridl"), "utf8"),
      "ridlkit.config.json": JSON.stringify({
        schemas: [
          { entry: "shop.ridl", out: "site", targets: ["explorer"], openapi: { servers: [{ url: server }] } },
        ],
      }),
    });
    expect(await ridlkitProcess(["generate"], { cwd: dir.path })).toMatchObject({ code: 0 });
    await using host = await listen(
      createServer(({ url = "" }, res) => {
        const name = url.replace("/docs/api/", "") || "index.html";
        try {
          const body = readFileSync(join(dir.path, "site/explorer", name));
          res.writeHead(200, { "Content-Type": types[extname(name)] ?? "text/plain" }).end(body);
        } catch {
          res.writeHead(404).end();
        }
      }),
    );
    await using opened = await openPage("about:blank");
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await page.goto(`${host.url}/docs/api/#/method/Shop/Ping`);
    await page.waitForSelector("h1");
    await page.click("button.primary");
    await until(page, "/^200/.test(document.querySelector('.answer [role=status]')?.textContent)");
    expect(await page.textContent("#code-panel pre")).toContain(`'${server}/v2/rpc/Shop/Ping'`);
    expect(complaints).toEqual([]);
    expect([...new Set(asked)].sort()).toEqual([host.url, server].sort());
    // The policy of the page allows no other host.
    const isBlocked = await page.evaluate(
      `fetch("${server.replace("127.0.0.1", "localhost")}").then(() => false, () => true)`,
    );
    expect(isBlocked).toBe(true);
  } finally {
    const ended = once(mock, "close");
    mock.kill("SIGKILL");
    await ended;
  }
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
