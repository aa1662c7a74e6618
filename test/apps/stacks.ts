/** The code of the apps is generated, compiled, bundled and served. Folders are those of the stacks, such as `gallery/orval`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { tsc } from "../compile/project.ts";
import { ridlkit } from "../support/program.ts";
import { type App, appsFolder } from "./rows.ts";

/** The packages of `package.json`, which .ci/run installs: `npm ci --prefix test/apps`. */
export const isInstalled: boolean = existsSync(join(appsFolder, "node_modules"));

if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/apps was not run");
if (!isInstalled)
  console.log("Apps on several stacks are left out: npm ci --prefix test/apps installs their packages.");

/** Writes `api` in the folder of a stack. */
export async function generate(folder: string): Promise<void> {
  const cwd = join(appsFolder, folder);
  if (existsSync(join(cwd, "ridlkit.config.json"))) {
    const { code, err } = await ridlkit(["generate", "--quiet"], { cwd });
    if (code !== 0) throw new Error(err);
  } else if (existsSync(join(cwd, "orval.config.ts"))) {
    const orval = join(appsFolder, "node_modules/orval/dist/bin/orval.js");
    execFileSync(process.execPath, [orval], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  }
}

/** Fails on each compile error of an app, and on each `@ts-expect-error` without one. */
export function compile({ folder }: App): void {
  const project = join(appsFolder, folder);
  execFileSync(process.execPath, [tsc, "-p", project], { stdio: ["ignore", "inherit", "inherit"] });
}

/** The script of the page, minified. `alias` replaces packages. */
export async function bundlePage(folder: string, alias: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: appsFolder,
    entryPoints: [`${folder}/main.tsx`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    alias,
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

export interface Host extends AsyncDisposable {
  readonly url: string;
  /** Requests to the API so far. */
  readonly calls: () => number;
  /** Keeps requests waiting until the returned function is called. */
  readonly hold: () => () => void;
  /** Responds to the next request like a gateway without a server behind it. */
  readonly failNext: () => void;
  /** Cuts all connections and accepts none. */
  readonly stop: () => Promise<void>;
  /** Starts another server with the same data, at the same address. */
  readonly start: () => Promise<void>;
}

interface AppServer<Data> {
  readonly prefix: string;
  readonly listener: (data: Data) => RequestListener;
}

/** Serves the page and the API of an app. */
export async function serve<Data>(folder: string, data: Data, script = ""): Promise<Host> {
  const { prefix, listener } = await importOf<AppServer<Data>>(`${folder}/server.ts`);
  let calls = 0;
  let held: Promise<void> | undefined;
  let isFailing = false;
  let server: Server;
  let port = 0;

  async function start(): Promise<void> {
    const api = listener(data);
    server = createServer(async (request, response) => {
      const path = request.url ?? "/";
      if (!path.startsWith(prefix)) {
        const isScript = path === "/main.js";
        response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
        return void response.end(isScript ? script : page);
      }
      calls++;
      await held;
      // The caller has given up.
      if (response.destroyed) return;
      if (!isFailing) return api(request, response);
      isFailing = false;
      response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
    });
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    ({ port } = server.address() as AddressInfo);
  }

  async function stop(): Promise<void> {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}/`,
    calls: () => calls,
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = undefined;
        release();
      };
    },
    failNext: () => {
      isFailing = true;
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Imports a file of an app, which the tests do not compile. */
export function importOf<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(join(appsFolder, file)).href);
}

const page =
  '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/main.js"></script>';
