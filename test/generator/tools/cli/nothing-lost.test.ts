import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, ridlkit } from "../../../support/program.ts";

const main = `webrpc = v1
name = pets
version = v1
basepath = /rpc

import
  - ./types.ridl

service Pets
  - GetPet() => (pet: Pet)
`;
const types = "webrpc = v1\nname = pets\nversion = v1\n\nstruct Pet\n  - id: uint64\n";

describe("convert", () => {
  test.each(["main.ridl", "types.ridl", "./types.ridl"])(
    "does not overwrite %s, a source of the schema",
    async (out) => {
      using dir = folder({ "main.ridl": main, "types.ridl": types });
      const args = ["convert", "main.ridl", "--bundle", "--to", "ridl", "-o", out];
      const { code, err } = await ridlkit(args, { cwd: dir.path });
      expect({ code, err }).toEqual({
        code: 2,
        err: `ridlkit: "${out.replace("./", "")}" is a source of this schema, so it is not overwritten. Choose another --out.\n`,
      });
      expect(readFileSync(join(dir.path, "main.ridl"), "utf8")).toBe(main);
      expect(readFileSync(join(dir.path, "types.ridl"), "utf8")).toBe(types);
    },
  );

  test("knows a source by its absolute path, too", async () => {
    using dir = folder({ "main.ridl": main, "types.ridl": types });
    const args = ["convert", "main.ridl", "--bundle", "-o", join(dir.path, "types.ridl")];
    expect((await ridlkit(args, { cwd: dir.path })).code).toBe(2);
    expect(readFileSync(join(dir.path, "types.ridl"), "utf8")).toBe(types);
  });

  test("still finds links that leave the folder of the schema", async () => {
    using outside = folder({ "types.ridl": types });
    using dir = folder({ "main.ridl": main });
    symlinkSync(join(outside.path, "types.ridl"), join(dir.path, "types.ridl"));
    const args = ["convert", "main.ridl", "--to", "yaml", "--confine-imports"];
    expect((await ridlkit(args, { cwd: dir.path })).code).toBe(1);
    expect((await ridlkit(args.slice(0, -1), { cwd: dir.path })).code).toBe(0);
  });

  test("replaces an earlier output", async () => {
    using dir = folder({ "main.ridl": main, "types.ridl": types, "all.ridl": "old" });
    const args = ["convert", "main.ridl", "--bundle", "-o", "all.ridl"];
    expect((await ridlkit(args, { cwd: dir.path })).code).toBe(0);
    expect(readFileSync(join(dir.path, "all.ridl"), "utf8")).toContain("struct Pet");
  });
});

describe("generate", () => {
  const configured = (services: readonly string[]): string =>
    JSON.stringify({ schemas: [{ entry: "main.ridl", out: "out", services }] });

  test("keeps all files if the configuration selects a service that does not exist", async () => {
    using dir = folder({
      "main.ridl": main,
      "types.ridl": types,
      "ridlkit.config.json": configured(["Pets"]),
    });
    expect((await ridlkit(["generate"], { cwd: dir.path })).code).toBe(0);
    writeFileSync(join(dir.path, "ridlkit.config.json"), configured(["Pet"]));
    for (const command of ["generate", "check"]) {
      const { code, err } = await ridlkit([command], { cwd: dir.path });
      expect(code).toBe(1);
      expect(err).toContain(
        'error[RK811]: The service "Pet" is selected, but the schema does not declare it.',
      );
      expect(err).toContain('Did you mean "Pets"?');
    }
    expect(existsSync(join(dir.path, "out/server.ts"))).toBe(true);
  });

  test("prints in its JSON what it has changed", async () => {
    using dir = folder({ "main.ridl": main, "types.ridl": types });
    const args = ["generate", "main.ridl", "--out", "out", "--target", "json", "--format", "json"];
    const filesOf = ({ out }: { readonly out: string }): unknown => JSON.parse(out).files;
    const json = "out/schema.webrpc.json";
    expect(filesOf(await ridlkit(args, { cwd: dir.path }))).toEqual([{ path: json, state: "added" }]);
    expect(filesOf(await ridlkit(args, { cwd: dir.path }))).toEqual([]);
    writeFileSync(join(dir.path, "types.ridl"), types.replace("uint64", "uint32"));
    expect(filesOf(await ridlkit(args, { cwd: dir.path }))).toEqual([{ path: json, state: "changed" }]);
    const other = args.map((arg) => (arg === "json" ? "types" : arg)).with(-1, "json");
    expect(filesOf(await ridlkit(other, { cwd: dir.path }))).toEqual([
      { path: "out/types.ts", state: "added" },
      { path: json, state: "deleted" },
    ]);
  });

  test("does not take an empty list of targets for all targets", async () => {
    using dir = folder({ "main.ridl": main, "types.ridl": types });
    const { code, err } = await ridlkit(["generate", "main.ridl", "--out", "out", "--target", ""], {
      cwd: dir.path,
    });
    expect(code).toBe(2);
    expect(err).toContain("--target names none. Known: types, errors, client,");
    expect(existsSync(join(dir.path, "out"))).toBe(false);
  });
});

test("format says that a file does not exist, whatever its extension", async () => {
  using dir = folder({});
  for (const path of ["schemas", "api.ridl"]) {
    const { code, err } = await ridlkit(["format", path], { cwd: dir.path });
    expect(code).toBe(1);
    expect(err).toContain(`error[RK201]: Cannot read "${path}": it does not exist.`);
  }
});

test("an empty recording is no success", async () => {
  using dir = folder({ "main.ridl": main, "types.ridl": types, "calls.ndjson": "" });
  const args = ["test", "--recording", "calls.ndjson", "main.ridl"];
  const { code, err } = await ridlkit(args, { cwd: dir.path });
  expect(code).toBe(2);
  expect(err).toContain('"calls.ndjson" contains no calls, so there is nothing to check.');
});

test("the hints of init are in its JSON", async () => {
  using dir = folder({ "package.json": "{ // mine\n}" });
  const { code, out } = await ridlkit(["init", "--format", "json"], { cwd: dir.path });
  expect(code).toBe(0);
  expect(JSON.parse(out).hints[0]).toContain("package.json was not changed");
});

test("a file that imports itself gets the advice to remove the import", async () => {
  using dir = folder({ "self.ridl": "webrpc = v1\nname = a\nversion = v1\nimport\n  - ./self.ridl\n" });
  const { err } = await ridlkit(["lint", "self.ridl"], { cwd: dir.path });
  expect(err).toContain('error[RK204]: The import of "self.ridl" creates a cycle.');
  expect(err).toContain("= Remove this import.");
});
