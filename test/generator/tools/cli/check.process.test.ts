/** What `ridlkit check` says of generated files. Real processes, real files. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { type Folder, folder, ridlkit, ridlkitProcess } from "../../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

# A pet.
struct Pet
  - id: uint64

service Pets
  - GetPet(id: uint64) => (pet: Pet)
`;
const config = {
  schemas: [{ name: "pets", entry: "schema/pets.ridl", out: "generated", templates: "own" }],
};

let dir: Folder;

beforeEach(async () => {
  dir = folder({
    "schema/pets.ridl": schema,
    "ridlkit.config.json": JSON.stringify(config),
    "own/notes/notes.md.hbs": "{{schemaName}}\n",
  });
  expect(await run("generate")).toMatchObject({ code: 0, err: "" });
});

afterEach(() => dir[Symbol.dispose]());

test("what was generated is up to date", async () => {
  expect(await run("check")).toEqual({
    code: 0,
    out: expect.stringMatching(/^generated: up to date, \d+ files\n$/),
    err: "",
  });
});

test.each(["generate", "check"])(
  "%s reports a missing folder of templates, even if all is up to date",
  async (name) => {
    write(
      "ridlkit.config.json",
      JSON.stringify({ schemas: [{ ...config.schemas[0], templates: undefined }] }),
    );
    await run("generate");
    expect(await run("check")).toMatchObject({ code: 0 });
    expect(await run(name, "--templates", "nowhere")).toMatchObject({
      code: 1,
      err: expect.stringContaining("error[RK607]: A custom template cannot be used: it does not exist."),
    });
  },
);

describe("each reason is told apart, with files, difference and command", () => {
  test.each<[string, string, () => void, string[], string[]]>([
    ["one flipped byte", "edited-output", flipByte, ["edited generated/types.ts"], []],
    [
      "a file that is gone",
      "missing-output",
      () => remove("generated/types.ts"),
      ["missing generated/types.ts"],
      [],
    ],
    [
      "a touched comment in the schema",
      "stale-output",
      () => write("schema/pets.ridl", schema.replace("A pet.", "A pet!")),
      ["stale generated/types.ts"],
      ["stale"],
    ],
    [
      "a template that changed",
      "template-output",
      () => write("own/notes/notes.md.hbs", "{{schemaVersion}}\n"),
      ["template generated/notes/notes.md"],
      ["template"],
    ],
    [
      "other options",
      "configuration-output",
      () =>
        write(
          "ridlkit.config.json",
          JSON.stringify({ schemas: [{ ...config.schemas[0], targets: ["json"] }] }),
        ),
      ["orphaned generated/types.ts"],
      ["configuration"],
    ],
    [
      "a file that a merge brought back",
      "orphaned-output",
      () => cpSync(at("generated/types.ts"), at("generated/old.ts")),
      ["orphaned generated/old.ts"],
      [],
    ],
  ])("%s", async (_case, name, change, files, causes) => {
    change();
    const { code, document } = await json("--diff");
    expect(code).toBe(1);
    expect(document.diagnostics.map((each) => each.name)).toEqual([name]);
    expect(document.folders?.[0]).toMatchObject({ path: "generated", ok: false, causes });
    expect(document.files?.map(({ path, state }) => `${state} ${path}`)).toEqual(
      expect.arrayContaining(files),
    );
    expect(document.command).toBe("npx ridlkit generate");
  });
});

test("the difference can be applied, and then only the manifest is old", async () => {
  write("schema/pets.ridl", schema.replace("uint64", "uint32"));
  const { out } = await run("check", "--diff");
  const patch = out.slice(out.indexOf("--- "));
  execFileSync("git", ["apply"], { cwd: dir.path, input: patch });
  const { code, document } = await json();
  expect([code, document.files]).toEqual([1, []]);
  expect(await run("generate")).toMatchObject({
    out: expect.stringMatching(/^generated: \d+ unchanged\n$/),
  });
  expect((await run("check")).code).toBe(0);
});

test("the reported command mends the folder, also after an edit of a file", async () => {
  flipByte();
  const { err } = await run("check");
  const [, command = ""] = /then run: npx ridlkit (.+)$/m.exec(err) ?? [];
  expect((await run(...command.split(" "))).code).toBe(0);
  expect((await run("check")).code).toBe(0);
});

test("without its manifest, a folder with an edited file gets advice that works", async () => {
  flipByte();
  rmSync(at("generated/.ridlkit.manifest"));
  const { err } = await run("check");
  expect(err).toContain(
    "The manifest is missing. Restore .ridlkit.manifest from Git, or overwrite all files with:",
  );
  const refused = await run("generate");
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('error[RK608]: "generated/types.ts" was generated by ridlkit'),
  ]);
  const [, command = ""] = /with: npx ridlkit (.+)$/m.exec(err) ?? [];
  expect((await run(...command.split(" "))).code).toBe(0);
  expect((await run("check")).code).toBe(0);
});

test("an install older than the generated files gets the advice to upgrade", async () => {
  const inFolder = { cwd: dir.path };
  await ridlkitProcess(["generate"], inFolder);
  const manifest = readFileSync(at("generated/.ridlkit.manifest"), "utf8");
  write("generated/.ridlkit.manifest", manifest.replace(/^tool .*$/m, "tool 99.1.0 abc6"));
  const { err } = await ridlkitProcess(["check"], inFolder);
  expect(err).toMatch(
    /error\[RK694\]: "generated" was generated by ridlkit 99[.]1[.]0, but this is ridlkit [\d.]+[.]\n/,
  );
  expect(err).toContain("Upgrade ridlkit: npm install --save-dev ridlkit@99.1.0");
});

test("the command names the folder and the words that were given", async () => {
  const args = ["schema/pets.ridl", "--out", "other folder", "--target", "types,json"];
  const { err } = await run("check", ...args);
  expect(err).toContain("npx ridlkit generate schema/pets.ridl --out 'other folder' --target types,json");
});

test("an invalid schema is reported with the verdict", async () => {
  write("schema/pets.ridl", `${schema}  - Get(\n`);
  const { code, document } = await json();
  expect(code).toBe(1);
  expect((await run("check")).out).toBe("generated: stale\n");
  expect(document.diagnostics.map(({ name }) => name)).toContain("stale-output");
  expect(document.diagnostics.length).toBeGreaterThan(1);
});

test("without a manifest nothing is taken for left over", async () => {
  remove("generated/.ridlkit.manifest");
  const { document } = await json();
  expect(document.diagnostics.map(({ name }) => name)).toEqual(["unwritten-output"]);
});

test("a folder without generated files has one line, and no diff", async () => {
  remove("generated");
  const { out, err } = await run("check");
  expect(out).toBe("generated: not generated yet\n");
  expect(err).toContain('"generated" has no generated files yet');
  const { code, document } = await json("--diff");
  expect([code, document.files]).toEqual([1, []]);
});

test("with --no-diff nothing is generated, and edited files are still named", async () => {
  flipByte();
  write("schema/pets.ridl", `${schema}  - Get(\n`);
  const { document } = await json("--no-diff");
  expect(document.diagnostics.map(({ name }) => name)).toEqual(["stale-output", "edited-output"]);
  expect(document.files).toEqual([{ path: "generated/types.ts", state: "edited" }]);
});

test("line ends of Windows, in the schema as in the files, change nothing", async () => {
  for (const path of ["schema/pets.ridl", "generated/types.ts", "generated/.ridlkit.manifest"])
    write(path, readFileSync(at(path), "utf8").replaceAll("\n", "\r\n"));
  expect((await run("check")).code).toBe(0);
});

test("from another folder, by --cwd or by --config, the answer is the same", async () => {
  mkdirSync(at("deep"));
  expect((await ridlkit(["check", "--cwd", ".."], { cwd: at("deep") })).code).toBe(0);
  const byConfig = ["check", "--config", `${dir.path.split("/").at(-1)}/ridlkit.config.json`];
  expect((await ridlkit(byConfig, { cwd: dirname(dir.path) })).code).toBe(0);
});

test("branches that both edited the schema merge without a conflict in the manifest", async () => {
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: dir.path,
      stdio: "pipe",
    });
  };
  const edit = async (from: string, to: string): Promise<void> => {
    write("schema/pets.ridl", readFileSync(at("schema/pets.ridl"), "utf8").replace(from, to));
    expect((await run("generate")).code).toBe(0);
    git("commit", "-qam", to);
  };
  write(".gitattributes", ".ridlkit.manifest merge=union\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "start");
  git("checkout", "-qb", "other");
  await edit("# A pet.", "# A dear pet.");
  git("checkout", "-q", "main");
  await edit("GetPet(id: uint64) =>", "GetPet(id: uint64, old: bool) =>");
  try {
    git("merge", "-q", "other");
  } catch {
    // Generated files may be in conflict, as may be what Git put together without one: both are made anew.
  }
  const conflicts = execFileSync("git", ["diff", "--name-only", "--diff-filter=U"], {
    cwd: dir.path,
    encoding: "utf8",
  });
  expect(conflicts).not.toContain(".ridlkit.manifest");
  expect((await json()).document.folders?.[0]?.causes).toContain("unfinished");
  expect((await run("generate")).code).toBe(0);
  expect((await run("check")).code).toBe(0);
});

function at(path: string): string {
  return join(dir.path, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function remove(path: string): void {
  rmSync(at(path), { recursive: true });
}

function flipByte(): void {
  const bytes = readFileSync(at("generated/types.ts"));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(at("generated/types.ts"), bytes);
}

function run(...args: string[]): ReturnType<typeof ridlkit> {
  return ridlkit(args, { cwd: dir.path });
}

async function json(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly document: FindingsJson }> {
  const { code, out } = await run("check", "--format", "json", ...args);
  return { code, document: JSON.parse(out) as FindingsJson };
}
