import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Folder, folder, type Outcome, ridlkit, ridlkitProcess } from "../../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

struct Pet
  - id: uint64

service Pets
  - GetPet(id: uint64) => (pet: Pet)
  - ListPets(page: uint32) => (pets: []Pet)
`;
const config = '{ "schemas": [{ "entry": "pets.ridl", "out": "generated", "handlers": "handlers" }] }';

let dir: Folder;

beforeEach(() => {
  dir = folder({ "pets.ridl": schema, "ridlkit.config.json": config });
});

afterEach(() => dir[Symbol.dispose]());

const scaffold = (...args: string[]): Promise<Outcome> => ridlkit(["scaffold", ...args], { cwd: dir.path });
const path = (name: string): string => join(dir.path, name);
const read = (name: string): string => readFileSync(path(name), "utf8");
const edit = (name: string, from: string, to: string): void =>
  writeFileSync(path(name), read(name).replace(from, to));
const files = (): string[] =>
  readdirSync(path("handlers"), { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path(`handlers/${name}`)).isFile())
    .sort();

describe("scaffold", () => {
  test("writes a file a method and one that gathers them, once", async () => {
    expect(await scaffold()).toEqual({
      code: 0,
      out: "handlers: 3 added\n  to implement: Pets.GetPet\n  to implement: Pets.ListPets\n",
      err: "",
    });
    expect(files()).toEqual([".ridlkit-handlers.json", "Pets/GetPet.ts", "Pets/ListPets.ts", "handlers.ts"]);
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: up to date\n" });
  });

  test("a handler that was there before is gathered with the others, under the name that it has", async () => {
    const mine = `export default async () => ({ pet: { id: 1 } });\n`;
    writeNew("handlers/Pets/GetPet.ts", mine);
    expect(await scaffold()).toMatchObject({
      code: 0,
      out: "handlers: 2 added\n  to implement: Pets.ListPets\n",
    });
    expect(read("handlers/Pets/GetPet.ts")).toBe(mine);
    expect(read("handlers/handlers.ts")).toContain('import { default as getPet } from "./Pets/GetPet.ts";');
    expect(read("handlers/handlers.ts")).toContain("    GetPet: getPet,\n    ListPets: listPets,\n");
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: up to date\n" });
  });

  test("a handler that was written before its method is scaffolded is gathered, unless it is imported", async () => {
    await scaffold();
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - DropPet(id: uint64)\n  - ListPets");
    writeNew("handlers/Pets/AddPet.ts", "export async function addPet() {\n  return {};\n}\n");
    writeNew("handlers/Pets/DropPet.ts", "export const dropPet = async () => ({});\n");
    writeNew(
      "handlers/own.ts",
      'import { dropPet } from "./Pets/DropPet.ts";\n\nexport const own = [dropPet];\n',
    );
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: 1 changed\n" });
    expect(read("handlers/handlers.ts")).toContain('import { addPet } from "./Pets/AddPet.ts";');
    expect(read("handlers/handlers.ts")).not.toContain("dropPet");
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: up to date\n" });
  });

  test("a handler whose file is gone, and that is still imported, gets one again", async () => {
    await scaffold();
    const registry = read("handlers/handlers.ts");
    rmSync(path("handlers/Pets/GetPet.ts"));
    expect((await scaffold()).out).toBe("handlers: 1 added\n  to implement: Pets.GetPet\n");
    expect(read("handlers/handlers.ts")).toBe(registry);
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: up to date\n" });
  });

  test("a stream has a handler too, and one of requests, which nothing serves, has none", async () => {
    appendFileSync(
      path("pets.ridl"),
      "  - Watch(id: uint64) => stream (pet: Pet)\n  - stream Send(name: string)\n",
    );
    expect((await scaffold()).out).toContain("  to implement: Pets.Watch\n");
    expect(read("handlers/handlers.ts")).not.toContain("Send");
  });

  test("with names, only these get a file, and an unknown name is reported", async () => {
    expect(await scaffold("Pets.GetPet")).toMatchObject({ code: 0 });
    expect(files()).toEqual([".ridlkit-handlers.json", "Pets/GetPet.ts", "handlers.ts"]);
    expect(await scaffold("Pets.GetPets")).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "Pets.GetPet"?'),
    });
  });

  test("a dry run shows a patch that does what the run would, and writes nothing", async () => {
    await scaffold();
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - ListPets");
    const before = files();
    const { out } = await scaffold("--dry-run");
    expect(out).toContain('+import { addPet } from "./Pets/AddPet.ts";');
    expect(out).toContain("+    AddPet: addPet,");
    expect(files()).toEqual(before);
    expect(read("handlers/handlers.ts")).not.toContain("addPet");
  });

  test("a renamed method is followed: its name, its file, its types; the author's lines stay", async () => {
    await scaffold();
    writeFileSync(
      path("handlers/Pets/GetPet.ts"),
      `import type { PetsHandlers } from "../../generated/server.ts";
import type { GetPetRequest } from "../../generated/types.ts";

// GetPetRequest of old, kept as a word.
export const getPet: PetsHandlers["GetPet"] = async (_ctx, req) => find(req);

const find = ({ id }: GetPetRequest) => ({ pet: { id } });
`,
    );
    edit("pets.ridl", "  - GetPet(", "  @renamedFrom:GetPet\n  - FindPet(");
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: 1 changed, 1 moved\n" });
    expect(files()).toEqual([".ridlkit-handlers.json", "Pets/FindPet.ts", "Pets/ListPets.ts", "handlers.ts"]);
    expect(
      read("handlers/Pets/FindPet.ts"),
    ).toBe(`import type { PetsHandlers } from "../../generated/server.ts";
import type { FindPetRequest } from "../../generated/types.ts";

// GetPetRequest of old, kept as a word.
export const getPet: PetsHandlers["FindPet"] = async (_ctx, req) => find(req);

const find = ({ id }: FindPetRequest) => ({ pet: { id } });
`);
    expect(read("handlers/handlers.ts")).toContain('import { getPet } from "./Pets/FindPet.ts";');
    expect(read("handlers/handlers.ts")).toContain("    FindPet: getPet,");
  });

  test("the handler of a removed method is reported each time, and stays", async () => {
    await scaffold();
    const before = read("handlers/Pets/GetPet.ts");
    edit("pets.ridl", "  - GetPet(id: uint64) => (pet: Pet)\n", "");
    for (let run = 0; run < 2; run++) {
      const { code, err } = await scaffold();
      expect(code).toBe(0);
      expect(err).toContain("handlers/Pets/GetPet.ts:3:36");
      expect(err).toContain("@renamedFrom:GetPet");
    }
    expect(read("handlers/Pets/GetPet.ts")).toBe(before);
  });

  test("a moved output folder is followed", async () => {
    await scaffold();
    edit("ridlkit.config.json", '"generated"', '"src/api"');
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: 3 changed\n" });
    expect(read("handlers/Pets/GetPet.ts")).toContain('"../../src/api/server.ts"');
  });

  test("of 66 handlers in wrappers none is touched when one is added", async () => {
    const names = Array.from({ length: 66 }, (_, index) => `Get${index}`);
    writeFileSync(
      path("pets.ridl"),
      `${schema.split("service")[0]}service Pets\n${names.map((name) => `  - ${name}(id: uint64)`).join("\n")}\n`,
    );
    const lines = names.map((name) => `    ${name}: withAuth(limited(10, async () => ({ /* ${name} */ }))),`);
    const text = `import { createServer } from "../generated/server.ts";
import { limited, withAuth } from "./wrappers.ts";

export const server = createServer({
  Pets: {
${lines.join("\n")}
  },
});
`;
    writeNew("handlers/server.ts", text);
    expect(await scaffold()).toMatchObject({ code: 0, out: "handlers: up to date\n" });
    appendFileSync(path("pets.ridl"), "  - GetLast()\n");
    expect(await scaffold()).toMatchObject({ code: 0 });
    const added = read("handlers/server.ts");
    expect(added).toContain(`${lines.join("\n")}\n    GetLast: getLast,\n  },`);
    expect(text.split("\n").filter((line) => !added.split("\n").includes(line))).toEqual([]);
  });
});

describe("scaffold loses nothing", () => {
  test("where a file cannot be read as TypeScript nothing is written", async () => {
    await scaffold();
    writeNew("handlers/other.ts", "export const broken = (\n");
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - ListPets");
    const before = files();
    const { code, err } = await scaffold();
    expect(code).toBe(1);
    expect(err).toContain("handlers/other.ts:1:24");
    expect(files()).toEqual(before);
  });

  test("a file that is read-only stops the run before anything is written", async () => {
    await scaffold();
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - ListPets");
    chmodSync(path("handlers/handlers.ts"), 0o444);
    const before = files();
    const { code, err } = await scaffold();
    expect(code).toBe(2);
    expect(err).toContain('Cannot write "handlers/handlers.ts": it is read-only');
    expect(files()).toEqual(before);
  });

  test("a file that is saved between reading and writing stops the run, and has all that was saved", async () => {
    await scaffold();
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - ListPets");
    const [before, after] = [files(), `${read("handlers/handlers.ts")}// saved meanwhile\n`];
    const { code, err } = await ridlkitProcess(["scaffold"], {
      cwd: dir.path,
      node: ["--import", savingAfterRead("handlers/handlers.ts", after)],
    });
    expect(code).toBe(2);
    expect(err).toContain('Cannot write "handlers/handlers.ts": it was changed in the meantime');
    expect(read("handlers/handlers.ts")).toBe(after);
    expect(files()).toEqual(before);
    expect(await scaffold()).toMatchObject({ code: 0 });
    expect(read("handlers/handlers.ts")).toContain("// saved meanwhile\n");
  });

  test("a link stays a link, and what it leads to is written", async () => {
    await scaffold();
    renameSync(path("handlers/handlers.ts"), path("real.ts"));
    symlinkSync("../real.ts", path("handlers/linked.ts"));
    edit("pets.ridl", "  - ListPets", "  - AddPet(pet: Pet)\n  - ListPets");
    expect((await scaffold()).code).toBe(0);
    expect(existsSync(path("handlers/Pets/AddPet.ts"))).toBe(true);
  });

  test("two files with one handler are reported, and both stay", async () => {
    await scaffold();
    writeNew("handlers/Pets/copy.ts", read("handlers/Pets/GetPet.ts"));
    const { code, err } = await scaffold();
    expect(code).toBe(0);
    expect(err).toContain('Two files have a handler for "Pets.GetPet".');
  });

  test("what stands where a new file should is left, and counts as the handler", async () => {
    writeNew("handlers/Pets/GetPet.ts", "export const mine = 1;\n");
    await scaffold();
    expect(read("handlers/Pets/GetPet.ts")).toBe("export const mine = 1;\n");
  });

  test("without a folder for handlers it says where to name one", async () => {
    edit("ridlkit.config.json", ', "handlers": "handlers"', "");
    expect(await scaffold()).toMatchObject({
      code: 2,
      err: expect.stringContaining('"handlers" in the configuration'),
    });
  });
});

test.each([".ridlkit-handlers.json merge=union\n", ""])(
  "branches that both added methods merge into one record, with %j in .gitattributes",
  async (attributes) => {
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
        cwd: dir.path,
        encoding: "utf8",
        stdio: "pipe",
      });
    const commit = (message: string): void => {
      git("add", "-A");
      git("commit", "-qm", message);
    };
    const addBehind = async (line: string, added: string): Promise<void> => {
      edit("pets.ridl", line, `${line}\n${added}`);
      expect((await scaffold()).code).toBe(0);
      commit(added);
    };
    writeNew(".gitattributes", attributes);
    await scaffold();
    git("init", "-q", "-b", "main");
    commit("start");
    git("checkout", "-qb", "other");
    await addBehind("service Pets", "  - AddPet(name: string) => (id: uint64)");
    git("checkout", "-q", "main");
    await addBehind(
      "  - ListPets(page: uint32) => (pets: []Pet)",
      "  - AskPet(text: string) => (text: string)",
    );
    // Both have put their handler behind the last one.
    expect(() => git("merge", "-q", "other")).toThrow();
    const conflicts = git("diff", "--name-only", "--diff-filter=U").trim().split("\n");
    const wanted = ["handlers/.ridlkit-handlers.json", "handlers/handlers.ts"];
    expect(conflicts).toEqual(attributes === "" ? wanted : wanted.slice(1));
    git("checkout", "-q", "--ours", "handlers/handlers.ts");
    expect(await scaffold()).toMatchObject({ code: 0, err: "" });
    for (const name of ["AddPet", "AskPet"]) {
      expect(read("handlers/handlers.ts")).toContain(`/${name}.ts"`);
      expect(read("handlers/.ridlkit-handlers.json")).toContain(`"method":"${name}"`);
    }
    expect(await scaffold()).toMatchObject({ out: "handlers: up to date\n" });
  },
);

test("the platform's own handlers are in line with its schema", async () => {
  const { code, out, err } = await ridlkit(["scaffold", "--dry-run", "--format", "json"], {
    cwd: process.cwd(),
  });
  expect({ code, err, ...JSON.parse(out) }).toMatchObject({ code: 0, err: "", files: [], diagnostics: [] });
});

function writeNew(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
}

/** Stands for an editor that saves a file as soon as it has been read. */
function savingAfterRead(name: string, text: string): string {
  const code = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
const { readFileSync } = fs;
fs.readFileSync = (path, ...rest) => {
  const content = readFileSync(path, ...rest);
  if (!String(path).endsWith(${JSON.stringify(name)})) return content;
  fs.readFileSync = readFileSync;
  syncBuiltinESMExports();
  fs.writeFileSync(path, ${JSON.stringify(text)});
  return content;
};
syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
