/** Each recipe as its users have it: generated, built and started by its own tools, and called from outside. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { isInstalled as hasBrowser } from "../browser/browser.ts";
import { ridlkitProcess } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";
import { type Command, type Recipe, recipes, tsc } from "./recipes.ts";
import { freePort, post, start, untilAnswered } from "./started.ts";

const execute = promisify(execFile);
/** In the folder whose packages they use, as a project is. */
const made = join(stacksFolder, ".made/recipes");
const root = fileURLToPath(new URL("../../", import.meta.url));
const source = (path: string): string => join(stacksFolder, "recipes", path);

afterAll(() => process.env["KEEP"] === "1" || rmSync(made, { recursive: true, force: true }));

describe.skipIf(!isInstalled).each(Object.entries(recipes))("%s", (name, recipe) => {
  test.skipIf(recipe.needsBrowser && !hasBrowser)("works", async () => {
    const folder = await makeProject(name, recipe);
    const env = { ...process.env, PORT: String(await freePort()), NEXT_TELEMETRY_DISABLED: "1", CI: "true" };
    for (const command of [...typeCheck(name, folder), ...(recipe.build ?? [])]) {
      const [program, ...args] = command;
      await execute(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 });
    }
    if (recipe.start === undefined) return;
    await using host = await start(recipe.start, folder, env);
    const api = `http://127.0.0.1:${env.PORT}${recipe.prefix ?? ""}/rpc/Pets`;
    await untilAnswered(`${api}/GetPet`, { id: 1 });
    expect(await call(`${api}/GetPet`, { id: 1 })).toMatchObject([200, { pet: { id: 1, name: "Rex" } }]);
    expect(await call(`${api}/GetPet`, { id: 9 })).toMatchObject([404, { error: "PetNotFound", code: 1 }]);
    expect(await call(`${api}/GetPet`, { id: "x" })).toMatchObject([400, { error: "WebrpcBadRequest" }]);
    expect(await call(`${api}/Nope`, {})).toMatchObject([404, { error: "WebrpcBadRoute" }]);
    const items = await (await post(`${api}/Watch`, {})).text();
    expect(
      items
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).pet.id),
    ).toEqual([1, 2]);
    if (name === "koa") {
      expect((await post(`${api}/Rename`, { id: 1, name: "Max" })).status).toBe(401);
      const allowed = await post(
        `${api}/Rename`,
        { id: 1, name: "Max" },
        { authorization: "x", origin: "http://a" },
      );
      expect(await allowed.json()).toEqual({ pet: { id: 1, name: "Max" } });
      expect(allowed.headers.get("access-control-allow-origin")).toBe("*");
    }
    if (name === "next") {
      const page = await fetch(`http://127.0.0.1:${env.PORT}/pets`);
      expect(await page.text()).toContain("<p>Rex</p>");
      // Next.js removes the last slash of a path, compresses responses, and drops their Content-Encoding.
      const explorer = await fetch(`http://127.0.0.1:${env.PORT}/explorer/`);
      const [, script = ""] = /src="([^"]+)"/.exec(await explorer.text()) ?? [];
      expect(await (await fetch(new URL(script, explorer.url))).text()).toContain("schema.json");
    }
    // No stack of an error. Some runtimes print other notes.
    expect(host.errors()).not.toMatch(/^ +at /m);
  });
});

/** Next.js checks types itself. The types of the others' globals and packages are not installed. */
const unchecked: ReadonlySet<string> = new Set(["next", "bun", "deno", "koa"]);

/** A recipe that has no compiler options gets the strictest ones. */
function typeCheck(name: string, folder: string): readonly Command[] {
  if (unchecked.has(name) || existsSync(join(folder, "tsconfig.json"))) return [];
  const compilerOptions = {
    module: "preserve",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    jsx: "react-jsx",
    isolatedDeclarations: false,
  };
  const include = ["**/main.ts*", "*.test.ts", "*.spec.ts"];
  const config = { extends: join(root, "test/compile/tsconfig.json"), compilerOptions, include };
  writeFileSync(join(folder, "types.json"), JSON.stringify(config));
  return [[...tsc, "-p", "types.json"]];
}

async function makeProject(name: string, recipe: Recipe): Promise<string> {
  const folder = join(made, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...typeOf(recipe) }));
  cpSync(source(name), folder, { recursive: true });
  if (recipe.build?.[0]?.includes("vitest.config.mjs"))
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");
  // As npm installs it.
  link(join(folder, "node_modules/ridlkit"), root);
  const { generation, out = "generated", handlers = "." } = recipe;
  const ending = recipe.ending ?? ".ts";
  const generated = out === "generated" ? `./generated/server${ending}` : "@acme/contract/server";
  const text = readFileSync(source("handlers.ts"), "utf8").replace("./generated/server.ts", generated);
  writeFileSync(join(folder, handlers, "handlers.ts"), text);
  if (out !== "generated") link(join(folder, "node_modules/@acme/contract"), join(folder, dirname(out)));
  const schema = { entry: source(recipe.ownSchema ? `${name}/api.ridl` : "api.ridl"), out, ...generation };
  writeFileSync(join(folder, "ridlkit.config.json"), JSON.stringify({ schemas: [schema] }));
  expect(await ridlkitProcess(["generate", "--quiet"], { cwd: folder })).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  return folder;
}

/** Compilers that write CommonJS do so where the package says nothing. */
function typeOf({ ending }: Recipe): object {
  return ending === ".js" ? {} : { type: "module" };
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

async function call(url: string, body: object): Promise<readonly [number, unknown]> {
  const response = await post(url, body);
  return [response.status, await response.json()];
}
