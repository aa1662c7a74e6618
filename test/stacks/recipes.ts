/** The recipes of docs/works-with.md: what each adds to a generated project, and how it is started. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SchemaConfig } from "../../generator/tools/config/config.ts";
import { stacksFolder } from "./packages.ts";

/** A program and its arguments, run in the project. */
export type Command = readonly [string, ...string[]];

export interface Recipe {
  readonly generation: Partial<SchemaConfig>;
  /** Commands that end, one after the other. */
  readonly build?: readonly Command[];
  /** Listens on the port `$PORT` of the environment. Absent: the recipe serves nothing. */
  readonly start?: Command;
  /** Where the API is, before its own base path. */
  readonly prefix?: string;
  /** The folders of the generated code and of the shared handlers. Default: the project's root. */
  readonly out?: string;
  readonly handlers?: string;
  /** Whether the recipe has a schema of its own. */
  readonly ownSchema?: true;
  readonly needsBrowser?: true;
  /** How imports in the shared handlers end. Default: as they stand, with .ts. */
  readonly ending?: "" | ".js";
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const node = process.execPath;
const tsx: Command = [node, join(root, "node_modules/tsx/dist/cli.mjs")];
export const tsc: Command = [node, join(root, "node_modules/typescript-7/bin/tsc")];
const esbuild: Command = [join(root, "node_modules/.bin/esbuild")];

/** A binary of a package, whether or not its install script has run. */
function binary(...paths: readonly string[]): string {
  const found = paths
    .map((path) => join(stacksFolder, "node_modules", path))
    .find((path) => existsSync(path));
  return found ?? paths[0] ?? "";
}

export const bun: string = binary("@oven/bun-linux-x64/bin/bun", "bun/bin/bun.exe");
export const deno: string = binary("@deno/linux-x64-glibc/deno");
const workerd = binary("@cloudflare/workerd-linux-64/bin/workerd");
const next: Command = [node, join(stacksFolder, "node_modules/next/dist/bin/next")];
const vitest: Command = [node, join(root, "node_modules/vitest/vitest.mjs")];
const playwright: Command = [node, join(stacksFolder, "node_modules/@playwright/test/cli.js")];
const vite: Command = [node, join(stacksFolder, "node_modules/vite/bin/vite.js")];

/** Runtimes other than Node's: how each serves a handler of the web's requests, and starts. */
export const runtimes: Readonly<Record<string, { readonly entry: string; readonly start: Command }>> = {
  bun: { entry: "Bun.serve({ port: Number(Bun.env.PORT), fetch: serve });", start: [bun, "dist/main.js"] },
  deno: {
    entry: 'Deno.serve({ port: Number(Deno.env.get("PORT")), onListen() {} }, serve);',
    start: [deno, "run", "--no-lock", "--allow-net", "--allow-env=PORT", "dist/main.js"],
  },
  workerd: {
    entry: "export default { fetch: serve };",
    start: [workerd, "serve", "worker.capnp", "--socket-addr=http=127.0.0.1:$PORT"],
  },
};

export const recipes: Readonly<Record<string, Recipe>> = {
  koa: { generation: { adapters: ["koa"] }, start: [...tsx, "main.ts"], prefix: "/api" },
  node: { generation: { adapters: ["node"] }, start: [...tsx, "main.ts"] },
  express: { generation: { adapters: ["express"] }, start: [...tsx, "main.ts"] },
  fastify: { generation: { adapters: ["fastify"] }, start: [...tsx, "main.ts"] },
  hono: { generation: { adapters: ["hono"] }, start: [...tsx, "main.ts"] },
  nest: {
    generation: { adapters: ["express"], importExtension: ".js" },
    build: [tsc],
    start: [node, "dist/main.js"],
    ending: ".js",
  },
  commonjs: {
    generation: { adapters: ["node"], importExtension: ".js" },
    build: [tsc],
    start: [node, "dist/main.js"],
    ending: ".js",
  },
  monorepo: {
    generation: { adapters: ["node"] },
    start: [...tsx, "packages/app/main.ts"],
    out: "packages/contract/generated",
    handlers: "packages/app",
  },
  bun: { generation: { adapters: ["fetch"] }, start: [bun, "main.ts"] },
  deno: {
    generation: { adapters: ["fetch"] },
    start: [deno, "run", "--no-lock", "--allow-net", "--allow-env=PORT", "main.ts"],
  },
  workers: {
    generation: { adapters: ["fetch"] },
    build: [[...esbuild, "main.ts", "--bundle", "--format=esm", "--outfile=dist/main.js"]],
    start: [workerd, "serve", "worker.capnp", "--socket-addr=http=127.0.0.1:$PORT"],
  },
  next: {
    generation: {
      targets: ["client", "server", "explorer"],
      adapters: ["fetch"],
      importExtension: "none",
    },
    build: [[...next, "build", "--webpack"]],
    start: [...next, "start", "--port", "$PORT", "--hostname", "127.0.0.1"],
    ending: "",
  },
  vite: {
    generation: { targets: ["client"], importExtension: "none" },
    build: [[...vite, "build", "--logLevel", "warn"]],
  },
  tanstack: {
    generation: { targets: ["client"], importExtension: "none" },
    build: [tsc, [...vite, "build", "--logLevel", "warn"]],
  },
  vitest: {
    generation: { adapters: ["fetch"] },
    build: [[...vitest, "run", "--root", ".", "--config", "vitest.config.mjs"]],
  },
  msw: {
    generation: { adapters: ["fetch"] },
    build: [[...vitest, "run", "--root", ".", "--config", "vitest.config.mjs"]],
  },
  opentelemetry: {
    generation: { adapters: ["node"] },
    build: [[...vitest, "run", "--root", ".", "--config", "vitest.config.mjs"]],
    start: [...tsx, "main.ts"],
  },
  pino: {
    generation: { adapters: ["node"] },
    build: [[...vitest, "run", "--root", ".", "--config", "vitest.config.mjs"]],
    start: [...tsx, "main.ts"],
  },
  drizzle: {
    generation: { targets: ["server"], adapters: ["node"] },
    build: [[...tsc, "-p", "."]],
    start: [...tsx, "main.ts"],
    ownSchema: true,
  },
  playwright: {
    generation: { adapters: ["fetch"] },
    build: [[...playwright, "test"]],
    needsBrowser: true,
  },
};
