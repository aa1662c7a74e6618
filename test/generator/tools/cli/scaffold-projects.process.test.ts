/** Handlers of configurations with several schemas, of streams, and with the type of `ctx.context`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tsc } from "../../../compile/project.ts";
import { root } from "../../../support/docs.ts";
import { type Folder, folder, type Outcome, ridlkit } from "../../../support/program.ts";

const schemaOf = (service: string, methods = "  - Get(id: uint64) => (name: string)\n"): string =>
  `webrpc = v1\nname = ${service.toLowerCase()}\nversion = v1\nbasepath = /rpc\n\nservice ${service}\n${methods}`;

let dir: Folder;

beforeEach(() => {
  dir = folder({});
});

afterEach(() => dir[Symbol.dispose]());

const run = (...args: string[]): Promise<Outcome> => ridlkit(args, { cwd: dir.path });
const path = (name: string): string => join(dir.path, name);
const read = (name: string): string => readFileSync(path(name), "utf8");
const write = (name: string, text: string): void => {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
};
const configure = (...schemas: readonly object[]): void =>
  write("ridlkit.config.json", JSON.stringify({ schemas }));

const shop = { entry: "shop.ridl", out: "generated/shop", handlers: "handlers/shop" };
const admin = { entry: "admin.ridl", out: "generated/admin", handlers: "handlers/admin" };

describe("several schemas", () => {
  test.each([
    ["with other services", "Admin"],
    ["with the same services", "Shop"],
  ])("one that is added later gets its own handlers and gathering file, %s", async (_case, service) => {
    write("shop.ridl", schemaOf("Shop"));
    write("admin.ridl", schemaOf(service));
    configure(shop);
    await run("scaffold");
    const before = read("handlers/shop/handlers.ts");
    configure(shop, admin);
    const added = `handlers/shop: up to date\nhandlers/admin: 2 added\n  to implement: ${service}.Get\n`;
    expect(await run("scaffold")).toEqual({ code: 0, out: added, err: "" });
    expect(read("handlers/shop/handlers.ts")).toBe(before);
    expect(read("handlers/admin/handlers.ts")).toContain('from "../../generated/admin/server.ts"');
    expect((await run("scaffold")).out).toBe("handlers/shop: up to date\nhandlers/admin: up to date\n");
  });

  test("with --project only its own handlers are written, and those of the others stay", async () => {
    write("shop.ridl", schemaOf("Shop"));
    write("admin.ridl", schemaOf("Shop", "  - Get(id: uint64) => (name: string)\n  - Add(name: string)\n"));
    configure(shop, admin);
    await run("scaffold", "--project", "shop");
    expect((await run("scaffold", "--project", "admin")).out).toBe(
      "handlers/admin: 3 added\n  to implement: Shop.Get\n  to implement: Shop.Add\n",
    );
    expect(read("handlers/shop/handlers.ts")).not.toContain("Add");
  });

  test("output folders may lie in each other, and be imported by an alias", async () => {
    write("shop.ridl", schemaOf("Shop"));
    write("admin.ridl", schemaOf("Shop"));
    const outer = { ...shop, out: "generated" };
    configure(outer);
    await run("scaffold");
    write(
      "handlers/shop/handlers.ts",
      read("handlers/shop/handlers.ts").replace("../../generated/server", "@/generated/server"),
    );
    configure(outer, admin);
    expect((await run("scaffold")).out).toBe(
      "handlers/shop: up to date\nhandlers/admin: 2 added\n  to implement: Shop.Get\n",
    );
    expect((await run("scaffold")).out).toBe("handlers/shop: up to date\nhandlers/admin: up to date\n");
  });

  test("in one folder of handlers they are refused, and nothing is written", async () => {
    write("shop.ridl", schemaOf("Shop"));
    write("admin.ridl", schemaOf("Admin"));
    configure(shop, { ...admin, handlers: "./handlers/shop/" });
    const refused = {
      code: 2,
      err: expect.stringContaining('"shop.ridl" and "admin.ridl" share the handler folder "handlers/shop"'),
    };
    expect(await run("scaffold")).toMatchObject(refused);
    expect(existsSync(path("handlers"))).toBe(false);
    configure(shop, admin);
    expect(await run("scaffold", "--handlers", "handlers/shop")).toMatchObject(refused);
    expect(await run("scaffold", "--handlers", "handlers/shop", "--project", "shop")).toMatchObject({
      code: 0,
    });
  });
});

test("the handler of a stream is a generator, which compiles and fails as a stream does", async () => {
  write(
    "shop.ridl",
    schemaOf(
      "Shop",
      "  - Get(id: uint64) => (name: string)\n  - Watch(id: uint64) => stream (name: string)\n",
    ),
  );
  configure({ ...shop, adapters: ["node"] });
  await run("scaffold");
  await run("generate");
  expect(read("handlers/shop/Shop/Get.ts")).toContain('["Get"] = async (_ctx, _req) => {\n');
  expect(read("handlers/shop/Shop/Watch.ts")).toContain('["Watch"] = async function* (_ctx, _req) {\n');
  write(
    "try.ts",
    `import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Shop } from "./generated/shop/client.ts";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/shop/server.ts";
import { watch } from "./handlers/shop/Shop/Watch.ts";
import { handlers } from "./handlers/shop/handlers.ts";

console.log(watch.constructor.name);
const host = createHttpServer(nodeListener(createServer(handlers))).listen(0, "127.0.0.1", async () => {
  const { port } = host.address() as AddressInfo;
  try {
    for await (const next of new Shop(\`http://127.0.0.1:\${port}\`).watch({ id: 1 })) console.log(next);
  } catch (err) {
    console.log((err as Error).name);
  }
  host.close();
  host.closeAllConnections();
});
`,
  );
  expect(compile()).toBe("");
  expect(tsx("try.ts")).toBe("AsyncGeneratorFunction\nWebrpcInternalError\n");
});

describe("the type of ctx.context", () => {
  const context = { type: "Caller", from: "./server/caller.ts" };
  const methods = "  - Get(id: uint64) => (name: string)\n  - Watch(id: uint64) => stream (name: string)\n";

  beforeEach(() => {
    write("shop.ridl", schemaOf("Shop", methods));
    write("server/caller.ts", "export interface Caller {\n  readonly user: string;\n}\n");
  });

  test("stands in new handlers and where they are gathered, and the server cannot be made without it", async () => {
    configure({ ...shop, context });
    await run("scaffold");
    await run("generate");
    expect(
      read("handlers/shop/Shop/Get.ts"),
    ).toBe(`import type { ShopHandlers } from "../../../generated/shop/server.ts";
import type { Caller } from "../../../server/caller.ts";

export const get: ShopHandlers<Caller>["Get"] = async (_ctx, _req) => {
  throw new Error("Shop.Get is not implemented yet.");
};
`);
    expect(read("handlers/shop/handlers.ts")).toContain("export const handlers: Handlers<Caller> = {\n");
    const made =
      'import { createServer } from "./generated/shop/server.ts";\nimport { handlers } from "./handlers/shop/handlers.ts";\n';
    write("server.ts", `${made}createServer(handlers, { context: () => ({ user: "Ann" }) });\n`);
    write("without-context.ts", `${made}createServer(handlers);\n`);
    expect(compile()).toMatch(/^without-context[.]ts\(3,1\): error TS2554.*\n(?: .*\n)*$/);
    expect((await run("scaffold")).out).toBe("handlers/shop: up to date\n");
  });

  test("comes into stubs and the gathering file of before, and handlers with code stay as they are", async () => {
    configure(shop);
    await run("scaffold");
    await run("generate");
    const own = read("handlers/shop/Shop/Get.ts").replace(/throw .*/, 'return { name: "Rex" };');
    write("handlers/shop/Shop/Get.ts", own);
    configure({ ...shop, context });
    expect((await run("scaffold")).out).toBe("handlers/shop: 2 changed\n");
    expect(read("handlers/shop/Shop/Get.ts")).toBe(own);
    expect(read("handlers/shop/Shop/Watch.ts")).toContain(
      'export const watch: ShopHandlers<Caller>["Watch"]',
    );
    expect(read("handlers/shop/handlers.ts")).toContain("export const handlers: Handlers<Caller> = {\n");
    expect(compile()).toBe("");
    expect((await run("scaffold")).out).toBe("handlers/shop: up to date\n");
    // What one writes by hand and what comes with the first run are the same.
    const [stub, gathering] = [read("handlers/shop/Shop/Watch.ts"), read("handlers/shop/handlers.ts")];
    rmSync(path("handlers"), { recursive: true });
    await run("scaffold");
    expect(read("handlers/shop/Shop/Watch.ts")).toBe(stub);
    expect(read("handlers/shop/handlers.ts").split("\n").sort()).toEqual(gathering.split("\n").sort());
  });

  test("is named where it is imported already, under another name where that is taken, and never where another stands", async () => {
    configure(shop);
    await run("scaffold");
    const gathering = read("handlers/shop/handlers.ts");
    const imported = `import type { Caller } from "../../server/caller.js";\n${gathering}`;
    write("handlers/shop/handlers.ts", imported);
    configure({ ...shop, context });
    await run("scaffold");
    expect(read("handlers/shop/handlers.ts")).toBe(imported.replace(": Handlers =", ": Handlers<Caller> ="));
    write("handlers/shop/handlers.ts", `${gathering}\nconst Caller = 1;\n`);
    await run("scaffold");
    expect(read("handlers/shop/handlers.ts")).toContain(
      'import type { Caller as Caller2 } from "../../server/caller.ts";',
    );
    expect(read("handlers/shop/handlers.ts")).toContain(": Handlers<Caller2> = {");
    const other = gathering.replace(": Handlers =", ": Handlers<Other> =");
    write("handlers/shop/handlers.ts", other);
    await run("scaffold");
    expect(read("handlers/shop/handlers.ts")).toBe(other);
  });

  test("of a package is imported by its name", async () => {
    configure({ ...shop, context: { type: "Caller", from: "@acme/auth" } });
    await run("scaffold");
    expect(read("handlers/shop/Shop/Get.ts")).toContain('import type { Caller } from "@acme/auth";\n');
    expect((await run("scaffold")).out).toBe("handlers/shop: up to date\n");
  });

  test.each([
    [{ type: "Caller" }, "RK804", "schemas[0].context.from"],
    [{ type: "Caller", from: "server/caller.ts" }, "RK803", "schemas[0].context.from"],
    [{ type: "Caller", from: "" }, "RK803", "schemas[0].context.from"],
    [{ type: "Map<string>", from: "./a.ts" }, "RK803", "schemas[0].context.type"],
    [{ type: "class", from: "./a.ts" }, "RK803", "schemas[0].context.type"],
    [{ typ: "Caller", type: "Caller", from: "./a.ts" }, "RK802", 'Did you mean "type"?'],
    ["Caller", "RK803", "schemas[0].context"],
  ])("%j is refused", async (wrong, code, message) => {
    configure({ ...shop, context: wrong });
    const { code: exit, err } = await run("scaffold");
    expect(exit).toBe(2);
    expect(err).toContain(`error[${code}]`);
    expect(err).toContain(message);
  });
});

/** What the compiler reports with its strictest flags. */
function compile(): string {
  if (!existsSync(path("node_modules"))) symlinkSync(join(root, "node_modules"), path("node_modules"));
  write("package.json", '{ "type": "module" }');
  write(
    "tsconfig.json",
    JSON.stringify({
      extends: join(root, "test/compile/tsconfig.json"),
      compilerOptions: { types: ["node"] },
      include: ["*.ts", "handlers", "server"],
    }),
  );
  try {
    execFileSync(process.execPath, [tsc, "-p", "."], { cwd: dir.path, encoding: "utf8" });
    return "";
  } catch (err) {
    return String((err as { readonly stdout?: string }).stdout ?? err);
  }
}

function tsx(file: string): string {
  const loader = pathToFileURL(join(root, "node_modules/tsx/dist/esm/index.mjs")).href;
  return execFileSync(process.execPath, ["--import", loader, file], { cwd: dir.path, encoding: "utf8" });
}
