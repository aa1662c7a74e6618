import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder, type Outcome, ridlkit } from "../../../support/program.ts";

const importing = (path: string): string =>
  `webrpc = v1\nname = shop\nversion = v1\nbasepath = /rpc\n\nimport ${path}\n\nservice Shop\n  - Get() => (order: Order)\n`;
const order = "webrpc = v1\nname = order\nversion = v1\n\nstruct Order\n  - id: uint64\n";
const config = (settings: object): string =>
  JSON.stringify({ ...settings, schemas: [{ entry: "api.ridl", out: "generated", targets: ["types"] }] });

/** A project in `shop`, with other folders beside it. */
function project(path: string, settings: object = { confineImports: true }): Folder {
  const made = folder({
    "shop/ridlkit.config.json": config(settings),
    "shop/api.ridl": importing(path),
    "shop/inside.ridl": order,
    "shop/lib/inside.ridl": order,
    "shop/..odd/inside.ridl": order,
    "shop/lib/leads-out.ridl": "webrpc = v1\nname = lib\nversion = v1\n\nimport ../../order.ridl\n",
    "order.ridl": order,
    "shop-two/order.ridl": order,
  });
  symlinkSync("../order.ridl", join(made.path, "shop/link.ridl"));
  symlinkSync("../shop-two", join(made.path, "shop/folder"));
  symlinkSync("inside.ridl", join(made.path, "shop/link-inside.ridl"));
  symlinkSync("shop", join(made.path, "linked-shop"));
  return made;
}

const lint = (dir: Folder, ...args: string[]): Promise<Outcome> =>
  ridlkit(["lint", ...args], { cwd: join(dir.path, "shop") });

test.each([
  "../order.ridl",
  "lib/../../order.ridl",
  "../shop-two/order.ridl",
  "link.ridl",
  "folder/order.ridl",
])("%s leads out of the project", async (path) => {
  using dir = project(path);
  const { code, err } = await lint(dir);
  expect(code).toBe(1);
  expect(err).toContain(`error[RK211]: The import of "${path}" leads out of the project.\n --> api.ridl:6:8`);
  expect((await lint(dir, "--no-confine-imports")).code).toBe(0);
});

test.each([
  "inside.ridl",
  "lib/inside.ridl",
  "lib/../inside.ridl",
  "..odd/inside.ridl",
  "link-inside.ridl",
  "../shop/inside.ridl",
])("%s stays in it", async (path) => {
  using dir = project(path);
  expect(await lint(dir)).toMatchObject({ code: 0, err: "" });
});

test("an imported file may not lead out either, and a file that is outside is not looked for", async () => {
  using dir = project("lib/leads-out.ridl");
  expect((await lint(dir)).err).toContain("lib/leads-out.ridl:5:8");
  using absent = project("../ordr.ridl");
  const { err } = await lint(absent);
  expect(err).toContain("RK211");
  expect(err).not.toContain("RK201");
  expect(err).not.toContain("order.ridl");
});

test("without the setting imports may lead anywhere; the flag confines a FILE to the working directory", async () => {
  using dir = project("../order.ridl", {});
  expect((await lint(dir)).code).toBe(0);
  expect((await lint(dir, "--confine-imports")).err).toContain("RK211");
  expect((await lint(dir, "--confine-imports", "api.ridl")).err).toContain("RK211");
  const above = await ridlkit(["lint", "--confine-imports", "shop/api.ridl"], { cwd: dir.path });
  expect(above).toMatchObject({ code: 0 });
});

test("a project that is reached by a link is the same folder", async () => {
  using dir = project("lib/inside.ridl");
  const there = await ridlkit(["lint"], { cwd: join(dir.path, "linked-shop") });
  expect(there).toMatchObject({ code: 0, err: "" });
});

test("every verb refuses it, also where all was generated before", async () => {
  using dir = project("../order.ridl", {});
  const cwd = join(dir.path, "shop");
  expect(await ridlkit(["generate"], { cwd })).toMatchObject({ code: 0 });
  for (const verb of [["generate"], ["check"], ["ir"], ["convert", "--to", "yaml", "api.ridl"]]) {
    const { code, err } = await ridlkit([...verb, "--confine-imports"], { cwd });
    expect([verb, code], err).toEqual([verb, 1]);
    if (verb[0] !== "check") expect(err).toContain("RK211");
  }
});

test("the setting is true or false", async () => {
  using wrong = project("inside.ridl", { confineImports: "yes" });
  expect((await lint(wrong)).err).toContain("confineImports must be true or false");
});
