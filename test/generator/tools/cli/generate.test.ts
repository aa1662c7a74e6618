import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ridlkit } from "../../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

struct Pet
  - id: uint64

error 1 NotFound "not found"

service Pets
  - GetPet(id: uint64) => (pet: Pet) errors NotFound
`;

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "ridlkit-generate-"));
  writeFileSync(join(cwd, "pets.ridl"), schema);
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const generate = (...args: string[]) =>
  ridlkit(["generate", "pets.ridl", "--out", "out", "--target", "types,json", ...args], { cwd });

function tree(): Record<string, string> {
  const paths = readdirSync(join(cwd, "out"), { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(cwd, "out", path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(cwd, "out", path), "utf8")]));
}

describe("generate", () => {
  test("writes a folder, and with nothing to do writes nothing", async () => {
    expect(await generate()).toMatchObject({ code: 0, out: "out: 2 added\n" });
    expect(Object.keys(tree())).toEqual([".ridlkit.manifest", "schema.webrpc.json", "types.ts"]);
    const before = statSync(join(cwd, "out/types.ts")).mtimeMs;
    expect(await generate()).toMatchObject({ code: 0, out: "out: up to date\n" });
    expect(statSync(join(cwd, "out/types.ts")).mtimeMs).toBe(before);
  });

  test.each([
    ["uint64", "minimum", "9007199254740991", "9007199254740992"],
    ["int64", "minimum", "9007199254740991", "1152921504606846976"],
    ["int64", "maximum", "-9007199254740991", "-9007199254740992"],
  ])("a %s that is a number meets %s = %s, and not %s", async (type, key, last, outside) => {
    const run = (limit: string, ...args: readonly string[]) => {
      const limited = schema.replace("- id: uint64", `- id: ${type}\n    + ${key} = ${limit}`);
      writeFileSync(join(cwd, "pets.ridl"), limited);
      return generate(...args);
    };
    expect((await run(last)).code).toBe(0);
    expect((await run(outside, "--int64", "bigint")).code).toBe(0);
    const refused = await run(outside);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("error[RK405]");
    expect(refused.err).toContain('Set "int64" to "bigint"');
    for (const int64 of ["number", "bigint"]) {
      const project = { entry: "pets.ridl", out: "out", targets: ["types"], int64 };
      writeFileSync(join(cwd, "ridlkit.config.json"), JSON.stringify({ schemas: [project] }));
      const { code, err } = await ridlkit(["lint"], { cwd });
      expect([code, err.includes("error[RK405]")]).toEqual(int64 === "number" ? [1, true] : [0, false]);
    }
    expect((await ridlkit(["lint", "pets.ridl"], { cwd })).code).toBe(0);
    expect((await ridlkit(["mock", "pets.ridl"], { cwd })).err).toContain("error[RK405]");
  });

  test("a server checks its requests, whatever the other targets", async () => {
    const args = ["pets.ridl", "--out", "out", "--target", "client,server", "--quiet"];
    expect((await ridlkit(["generate", ...args], { cwd })).code).toBe(0);
    expect(Object.keys(tree())).toContain("validators.ts");
    expect(readFileSync(join(cwd, "out/server.ts"), "utf8")).toContain(
      "\n  validators: { requests, responses },\n",
    );
  });

  test("writes routes for each target", async () => {
    writeFileSync(
      join(cwd, "pets.ridl"),
      schema.replace("errors NotFound", "errors NotFound\n    GET /pets/{id}"),
    );
    const args = ["pets.ridl", "--out", "out", "--target", "types,client,server,validators,openapi"];
    expect(await ridlkit(["generate", ...args], { cwd })).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(cwd, "out/server.ts"), "utf8")).toContain('path: "/rpc/pets/{id}"');
    expect(readFileSync(join(cwd, "out/client.ts"), "utf8")).toContain('path: "/rpc/pets/{id}"');
    expect(readFileSync(join(cwd, "out/openapi/openapi.yaml"), "utf8")).toContain(
      '"/rpc/pets/{id}":\n    get:',
    );
    expect((await ridlkit(["check", ...args], { cwd })).code).toBe(0);
  });

  test("a package that generated code imports and that is not installed is reported with its command", async () => {
    const upload = schema.replace("GetPet(id: uint64)", "GetPet(id: uint64, picture: file)");
    writeFileSync(join(cwd, "pets.ridl"), upload);
    const run = (out: string, adapter: string) =>
      ridlkit(["generate", "pets.ridl", "--out", out, "--adapter", adapter], { cwd });
    expect((await run("a", "koa")).out).not.toContain("npm install");
    writeFileSync(join(cwd, "package.json"), "{}");
    const reported = (await run("b", "koa")).out;
    expect(reported).toMatch(/\n.* Run: npm install @fastify\/busboy ridlkit-runtime@\d+[.]\d+[.]\d+\n$/);
    expect((await run("b", "koa")).out).toBe(reported.replace(/.*\n/, "b: up to date\n"));
    const version = /ridlkit-runtime@(.*)\n/.exec(reported)?.[1];
    expect((await run("c", "hono")).out).toContain(
      `npm install @remix-run/multipart-parser ridlkit-runtime@${version}\n`,
    );
    mkdirSync(join(cwd, "node_modules/ridlkit-runtime"), { recursive: true });
    writeFileSync(join(cwd, "node_modules/ridlkit-runtime/package.json"), JSON.stringify({ version }));
    mkdirSync(join(cwd, "node_modules/@fastify/busboy"), { recursive: true });
    expect((await run("d", "koa")).out).not.toContain("npm install");
  });

  test("an output folder that is also the folder of the handlers is reported", async () => {
    const config = { schemas: [{ entry: "pets.ridl", out: "handlers", handlers: "./handlers" }] };
    writeFileSync(join(cwd, "ridlkit.config.json"), JSON.stringify(config));
    const { code, err } = await ridlkit(["generate"], { cwd });
    expect([code, err]).toEqual([
      0,
      'ridlkit: "handlers" contains both generated files and handlers. Set another "out".\n',
    ]);
  });

  test("the same schema gives the same bytes in another folder", async () => {
    await generate();
    const first = tree();
    rmSync(join(cwd, "out"), { recursive: true });
    await generate();
    expect(tree()).toEqual(first);
  });

  test("after an edit of the schema only what differs is written, and what is no longer made goes", async () => {
    await generate();
    writeFileSync(
      join(cwd, "pets.ridl"),
      schema.replace("id: uint64\n\n", "id: uint64\n  - name: string\n\n"),
    );
    expect(await generate()).toMatchObject({ code: 0, out: "out: 2 changed\n" });
    expect(tree()["types.ts"]).toContain("name: string;");
    const only = await ridlkit(["generate", "pets.ridl", "--out", "out", "--target", "json"], { cwd });
    expect(only).toMatchObject({ code: 0, out: "out: 1 deleted, 1 unchanged\n" });
  });

  test("one method is six files, and copies are of the modules that it needs", async () => {
    const written = async (text: string, ...options: readonly string[]) => {
      writeFileSync(join(cwd, "pets.ridl"), text);
      const args = ["generate", "pets.ridl", "--out", "out", ...options];
      expect(await ridlkit(args, { cwd })).toMatchObject({ code: 0 });
      const { ".ridlkit.manifest": _manifest, ...files } = tree();
      return files;
    };
    const method = (line: string): string => `${schema}  - ${line}\n`;
    const own = await written(schema);
    expect(Object.keys(own)).toHaveLength(6);
    expect(Object.values(own).join("").split("\n").length).toBeLessThan(500);
    const copied = await written(schema, "--runtime", "copy");
    const modulesOf = (files: Readonly<Record<string, string>>): readonly string[] =>
      Object.keys(files).flatMap((path) => /^runtime\/(.*)[.]ts$/.exec(path)?.[1] ?? []);
    expect(modulesOf(copied)).not.toContain("server-streams");
    for (const [line, module] of [
      ["Watch() => stream (pet: Pet)", "server-streams"],
      ["Picture() => (picture: file)", "server-files"],
      ["Store(picture: file)", "uploads-on-disk"],
    ] as const) {
      const edited = await written(method(line), "--runtime", "copy");
      expect(modulesOf(edited)).toContain(module);
      for (const path of Object.keys(copied).filter((each) => each.startsWith("runtime/")))
        expect(edited[path]).toBe(copied[path]);
    }
  });

  test("reports the first copies of the runtime, because other files may import the package", async () => {
    const copying = ["--target", "client", "--runtime", "copy"];
    await generate("--target", "client");
    const switched = await generate(...copying);
    expect(switched.out).toContain(
      "\nout has copies of the runtime now. Run npx ridlkit doctor to find files that still import ridlkit-runtime.\n",
    );
    writeFileSync(join(cwd, "pets.ridl"), `${schema}  - Watch() => stream (pet: Pet)\n`);
    const edited = await generate(...copying);
    rmSync(join(cwd, "out"), { recursive: true });
    for (const { out } of [edited, await generate(...copying)]) expect(out).toMatch(/^out: .*added.*\n$/);
  });

  test("a generated file that was edited by hand is overwritten", async () => {
    await generate();
    const before = tree();
    writeFileSync(join(cwd, "out/types.ts"), "// mine\n");
    writeFileSync(join(cwd, "out/schema.webrpc.json"), "{}\n");
    expect(await generate()).toMatchObject({ code: 0, out: "out: 2 changed\n" });
    expect(tree()).toEqual(before);
  });

  test("without a manifest, files with the header are overwritten, and others are reported", async () => {
    await generate();
    const before = tree();
    rmSync(join(cwd, "out/.ridlkit.manifest"));
    writeFileSync(join(cwd, "pets.ridl"), schema.replace("uint64\n\n", "uint32\n\n"));
    expect((await generate()).err).toContain('error[RK602]: "out/schema.webrpc.json" was not generated');
    expect(tree()["types.ts"]).toBe(before["types.ts"]);
    rmSync(join(cwd, "out/schema.webrpc.json"));
    expect(await generate()).toMatchObject({ code: 0, out: "out: 1 added, 1 changed\n" });
  });

  test("a foreign file is neither written over nor deleted", async () => {
    mkdirSync(join(cwd, "out"));
    writeFileSync(join(cwd, "out/types.ts"), "// mine\n");
    writeFileSync(join(cwd, "out/notes.md"), "mine\n");
    const refused = await generate();
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("RK602") });
    expect(Object.keys(tree())).toEqual(["notes.md", "types.ts"]);
    rmSync(join(cwd, "out/types.ts"));
    await generate();
    expect(tree()["notes.md"]).toBe("mine\n");
  });

  test("a folder that cannot be written leaves nothing behind", async () => {
    writeFileSync(join(cwd, "out"), "a file\n");
    const refused = await generate();
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('error[RK603]: Cannot write "out":'),
    });
    expect(refused.err).not.toContain("    at ");
    expect(readdirSync(cwd).sort()).toEqual(["out", "pets.ridl"]);
  });

  test("a schema with faults writes nothing", async () => {
    writeFileSync(join(cwd, "pets.ridl"), schema.replace("pet: Pet", "pet: Pte"));
    expect(await generate()).toMatchObject({ code: 1, err: expect.stringContaining('Did you mean "Pet"?') });
    expect(readdirSync(cwd)).toEqual(["pets.ridl"]);
  });

  test("two schemas for one folder, no folder, and a misspelled target are wrong usage", async () => {
    const twice = {
      schemas: [
        { entry: "pets.ridl", out: "out" },
        { name: "two", entry: "pets.ridl", out: "./out" },
      ],
    };
    writeFileSync(join(cwd, "ridlkit.config.json"), JSON.stringify(twice));
    expect(await ridlkit(["generate"], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining("have the same output folder"),
    });
    rmSync(join(cwd, "ridlkit.config.json"));
    expect(await ridlkit(["generate", "pets.ridl"], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining("--out"),
    });
    expect(await generate("--target", "clinet")).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "client"?'),
    });
  });

  test("the target explorer without the built page writes nothing, and names what to do", async () => {
    // The tests run the sources, which have no built page.
    expect(await generate("--target", "types,explorer")).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /explorer\/index\.html" does not exist\. In a clone of ridlkit, run "npm run build"/,
      ),
    });
    expect(readdirSync(cwd)).toEqual(["pets.ridl"]);
  });
});
