import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../../../support/program.ts";

const run = promisify(execFile);
const tsc = join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc");

const schema = `webrpc = v1
name = shop
version = v1.2.0
basepath = /rpc

error 100 SoldOut "sold out" HTTP 409

enum Side: uint8
  - listing = 1

struct Shop
  - city: string

# Sells things.
service Shop
  # Buys | sells an item.
  - Buy(item: string, count?: uint8) => (order: uint32, side: Side) errors SoldOut
  - Where() => (shop: Shop)
  - Watch() => stream (order: uint32)
`;

const program = `
const shop = new Shop(process.argv[2] ?? "");
shop.buy({ item: "lamp" }).then(({ order, side }) => {
  console.log(order, side, SideNumber.listing);
  return shop.buy({ item: "none" });
}).catch((err: unknown) => console.log(err instanceof RpcError && err.name));
`;

/** Removes the only type of the program. */
const plain = program.replace(": unknown", "");

test("the package is installed, imported and required, and its types compile", async () => {
  using dir = folder({ "shop.ridl": schema });
  const made = await ridlkit(["sdk", "shop.ridl", "--name", "@acme/shop"], { cwd: dir.path });
  expect(made).toMatchObject({ code: 0, err: "" });
  const at = (path: string): string => join(dir.path, path);
  const readme = readFileSync(at("sdk/README.md"), "utf8");
  expect(readme).toContain("| `shop.buy({ item: … })` | Buys \\| sells an item. | `SoldOut` |");
  const packed = await run("npm", ["pack", "--json", "./sdk"], { cwd: dir.path });
  const [{ filename, version, files }] = JSON.parse(packed.stdout) as [
    { filename: string; version: string; files: readonly { path: string }[] },
  ];
  expect(version).toBe("1.2.0");
  expect(files.filter(({ path }) => !path.startsWith("dist/")).map(({ path }) => path)).toEqual([
    "README.md",
    "package.json",
  ]);
  writeFileSync(at("package.json"), '{ "private": true }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: dir.path });
  const imports = `import { RpcError, Shop } from "@acme/shop";\nimport { SideNumber } from "@acme/shop/types";\n`;
  const requires = imports.replaceAll(/import (.*) from (.*);/g, "const $1 = require($2);");
  // The service and the struct have one name.
  const typed = `import type { SoldOutError } from "@acme/shop/errors";
import type { Shop as Place } from "@acme/shop/types";
declare const process: { argv: string[] };
export const where: Place = { city: "Rome" };
export type Failure = SoldOutError;`;
  const texts = {
    "use.mjs": `${imports}${plain}`,
    "use.cjs": `${requires}${plain}`,
    "use.mts": `${imports}${typed}${program}`,
    "use.cts": `${imports}${typed}${program}`,
    "use.ts": `${imports}${typed}${program}`,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(at(name), text);
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  await run(process.execPath, [tsc, ...flags, "use.mts", "use.cts"], { cwd: dir.path });
  const older = ["--moduleResolution", "node10", "--ignoreDeprecations", "6.0", "--module", "commonjs"];
  await run(process.execPath, [tsc, ...flags, ...older, "use.ts"], { cwd: dir.path });
  const server = createServer(async (req, res) => {
    const isSold = Buffer.concat(await req.toArray()).includes("none");
    const soldOut = { error: "SoldOut", code: 100, msg: "sold out", status: 409 };
    res.writeHead(isSold ? 409 : 200, { "content-type": "application/json" });
    res.end(JSON.stringify(isSold ? soldOut : { order: 7, side: "listing" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const name of ["use.mjs", "use.cjs"]) {
      const { stdout } = await run(process.execPath, [at(name), url]);
      expect(stdout).toBe("7 listing 1\nSoldOut\n");
    }
  } finally {
    server.close();
  }
});

test("a later run keeps what was added to package.json, and follows the schema", async () => {
  using dir = folder({ "shop.ridl": schema });
  const make = () =>
    ridlkit(["sdk", "shop.ridl", "--name", "shop-client", "--out", "client"], { cwd: dir.path });
  await make();
  expect((await make()).out).toBe("client: up to date\n");
  const manifest = join(dir.path, "client/package.json");
  const made = JSON.parse(readFileSync(manifest, "utf8")) as {
    exports: object;
    typesVersions: { "*": object };
  };
  const exports = { ...made.exports, "./helpers": "./helpers.js" };
  const typesVersions = { "*": { ...made.typesVersions["*"], helpers: ["./helpers.d.ts"] } };
  const added = {
    ...made,
    exports,
    typesVersions,
    files: ["dist", "helpers.js"],
    license: "MIT",
    author: "Ada",
  };
  writeFileSync(manifest, JSON.stringify(added));
  writeFileSync(join(dir.path, "shop.ridl"), schema.replace("v1.2.0", "v1.3.0"));
  expect((await make()).code).toBe(0);
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({
    ...added,
    version: "1.3.0",
  });
});

test.each([
  [[], "The name of the package is missing"],
  [["--name", "Acme Shop"], '"Acme Shop" is not a valid name of an npm package'],
  [["--name", "x".repeat(215)], "is not a valid name of an npm package"],
  [["--name", "node_modules"], 'npm reserves the name "node_modules"'],
  [["--name", "shop", "--package-version", "next"], '"next" is not a version of an npm package'],
])("wrong arguments %j are refused", async (args, message) => {
  using dir = folder({ "shop.ridl": schema });
  const { code, err } = await ridlkit(["sdk", "shop.ridl", ...args], { cwd: dir.path });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("a name may have 214 characters", async () => {
  using dir = folder({ "shop.ridl": schema });
  const { code } = await ridlkit(["sdk", "shop.ridl", "--name", "x".repeat(214)], { cwd: dir.path });
  expect(code).toBe(0);
});

test("a package.json that was written by hand is not overwritten", async () => {
  const own = '{ "name": "mine" }';
  using dir = folder({ "shop.ridl": schema, "sdk/package.json": own });
  const { code } = await ridlkit(["sdk", "shop.ridl", "--name", "shop"], { cwd: dir.path });
  expect(code).not.toBe(0);
  expect(readFileSync(join(dir.path, "sdk/package.json"), "utf8")).toBe(own);
});
