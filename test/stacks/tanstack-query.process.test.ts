/** Queries, mutations, infinite lists and streams of a generated client in three frameworks of TanStack Query, in a real browser. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { isInstalled as hasBrowser, openPage, until } from "../browser/browser.ts";
import { ridlkit } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";

/** In the folder whose packages the pages use. */
const made = join(stacksFolder, ".made/tanstack-query");
const tsc = fileURLToPath(new URL("../../node_modules/typescript-7/bin/tsc", import.meta.url));

afterAll(() => rmSync(made, { recursive: true, force: true }));

test.runIf(isInstalled)("React, Vue and Solid show responses, errors, pages and streams", async () => {
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  cpSync(join(stacksFolder, "fixtures/tanstack-query"), made, { recursive: true });
  const targets = "client,server";
  const args = [
    "generate",
    "schema.ridl",
    "--out",
    "api",
    "--target",
    targets,
    "--adapter",
    "node",
    "--quiet",
  ];
  expect(await ridlkit(args, { cwd: made })).toEqual({ code: 0, out: "", err: "" });
  execFileSync(process.execPath, [tsc], { cwd: made, stdio: ["ignore", "inherit", "inherit"] });
  if (!hasBrowser) return;
  const { outputFiles } = await build({
    absWorkingDir: made,
    entryPoints: ["main.ts"],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["browser"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  await using host = await serve(outputFiles[0]?.text ?? "");
  await using opened = await openPage(host.url);
  const { page } = opened;
  for (const name of ["React", "Vue", "Solid"]) {
    const id = name.toLowerCase();
    const shows = (text: string) =>
      until(page, `document.querySelector("#${id} p")?.textContent === ${JSON.stringify(text)}`);
    await shows("Rex PetNotFound Rex Rex+Tom");
    await page.click(`#${id} button[name=more]`);
    await shows("Rex PetNotFound Rex+Tom Rex+Tom");
    await page.click(`#${id} button[name=rename]`);
    await shows(`${name} PetNotFound Rex+Tom Rex+Tom`);
    host.reset();
  }
});

interface Host extends AsyncDisposable {
  readonly url: string;
  readonly reset: () => void;
}

/** Serves the page, and the generated server. */
async function serve(script: string): Promise<Host> {
  const { listener, reset } = (await import(pathToFileURL(join(made, "host.ts")).href)) as {
    readonly listener: RequestListener;
    readonly reset: () => void;
  };
  reset();
  const server = createServer((request, response) => {
    if (request.method === "POST") return listener(request, response);
    return sendPage(request.url ?? "", response, script);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    reset,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function sendPage(path: string, response: ServerResponse, script: string): void {
  const isScript = path === "/main.js";
  response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
  response.end(
    isScript ? script : '<!doctype html><title>Pets</title><script type="module" src="/main.js"></script>',
  );
}
