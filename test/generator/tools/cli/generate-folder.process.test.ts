/** What a run leaves behind if the output folder is unusable or the run is interrupted. */
import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Outcome,
  type ProcessOptions,
  program,
  ridlkit,
  ridlkitProcess,
} from "../../../support/program.ts";

const schema = (type: string): string => `webrpc = v1
name = pets
version = v1
basepath = /rpc

struct Pet
  - id: ${type}

service Pets
  - GetPet(id: ${type}) => (pet: Pet)
`;

/** Has an additional service, so that files are added and removed. */
const larger = `${schema("int8").replace("- id: int8", "- id: int8\n  - name: string")}
service Shops
  - GetShop(id: uint64) => (name: string)
`;

/** Mounting needs root, and more rights than most containers have. */
const canMount: boolean = mayMount();

const killer = fileURLToPath(new URL("../../../support/kill-at.cjs", import.meta.url));

let cwd: string;

function addToManifest(file: string): void {
  appendFileSync(join(cwd, "out/.ridlkit.manifest"), `${file}\n`);
}

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "ridlkit-write-"));
  writeSchema("uint64");
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

describe("an output folder that cannot be used", () => {
  test("a file in its place", async () => {
    writeFileSync(join(cwd, "out"), "mine\n");
    expect(await generate()).toMatchObject({ code: 2, err: refusal("RK603", "out") });
    expect(readdirSync(cwd).sort()).toEqual(["out", "pets.ridl"]);
  });

  test("a file in place of a folder above it", async () => {
    writeFileSync(join(cwd, "a"), "mine\n");
    expect(await generate("--out", "a/b/c")).toMatchObject({ code: 2, err: refusal("RK603", "a/b/c") });
  });

  test("a folder in place of a file, and a file in place of a folder", async () => {
    mkdirSync(join(cwd, "out/types.ts"), { recursive: true });
    writeFileSync(join(cwd, "out/json-schema"), "mine\n");
    const refused = await generate();
    expect(refused).toMatchObject({ code: 1, err: refusal("RK605", '"out/types.ts" is a folder') });
    expect(refused.err).toContain('"out/json-schema" is not a folder');
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["json-schema", "types.ts"]);
  });

  test("a link in place of a file or a folder is not followed", async () => {
    mkdirSync(join(cwd, "elsewhere"));
    mkdirSync(join(cwd, "out"));
    writeFileSync(join(cwd, "secret"), "mine\n");
    symlinkSync("../secret", join(cwd, "out/types.ts"));
    symlinkSync("../elsewhere", join(cwd, "out/json-schema"));
    const refused = await generate();
    expect(refused).toMatchObject({ code: 1, err: refusal("RK605", '"out/types.ts" is a symbolic link') });
    expect(refused.err).toContain('"out/json-schema" is a symbolic link');
    expect(readFileSync(join(cwd, "secret"), "utf8")).toBe("mine\n");
    expect(readdirSync(join(cwd, "elsewhere"))).toEqual([]);
  });

  test("a pipe in place of a file is not read", async () => {
    mkdirSync(join(cwd, "out"));
    execFileSync("mkfifo", [join(cwd, "out/types.ts")]);
    // Reading a pipe would block this process, too.
    expect(await startGenerate()).toMatchObject({
      code: 1,
      err: refusal("RK605", '"out/types.ts" is not a regular file'),
    });
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission", async () => {
    mkdirSync(join(cwd, "out"));
    chmodSync(join(cwd, "out"), 0o555);
    expect(await generate()).toMatchObject({ code: 2, err: refusal("RK603", "permission") });
  });

  test.skipIf(process.getuid?.() === 0)("a folder of copies without permission", async () => {
    await generate("--runtime", "copy");
    const before = contents();
    chmodSync(join(cwd, "out/runtime"), 0o555);
    writeFileSync(join(cwd, "pets.ridl"), larger.replace("uint64) => (name", "file) => (name"));
    const refused = await generate("--runtime", "copy", "--out", "out");
    chmodSync(join(cwd, "out/runtime"), 0o755);
    expect(refused).toMatchObject({ code: 2, err: refusal("RK603", "permission") });
    expect(contents()).toEqual(before);
  });
});

test("the output folder may be a link, and outside of the project", async () => {
  mkdirSync(join(cwd, "project"));
  mkdirSync(join(cwd, "real"));
  symlinkSync("../real", join(cwd, "project/out"));
  writeFileSync(join(cwd, "project/pets.ridl"), schema("uint64"));
  const run = (out: string) =>
    ridlkit(["generate", "pets.ridl", "--out", out, "--target", "types"], { cwd: join(cwd, "project") });
  expect(await run("out")).toMatchObject({ code: 0 });
  expect(await run("../beside")).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, "real")).sort()).toEqual([".ridlkit.manifest", "types.ts"]);
  expect(readdirSync(join(cwd, "beside")).sort()).toEqual([".ridlkit.manifest", "types.ts"]);
});

test("a runtime that is missing is reported when nothing changes, too", async () => {
  writeFileSync(
    join(cwd, "package.json"),
    '{ "devDependencies": { "ridlkit": "file:../ridlkit-0.1.0.tgz" } }',
  );
  await generate();
  const advice = "Run: npm install file:../ridlkit-runtime-0.1.0.tgz";
  expect(await generate()).toMatchObject({ code: 0, out: expect.stringContaining(advice) });
  expect(await ridlkit(["check", "pets.ridl", "--out", "out"], { cwd })).toMatchObject({
    code: 0,
    out: expect.stringContaining(advice),
  });
});

test("a manifest that names files outside of its folder deletes none", async () => {
  await generate();
  writeFileSync(join(cwd, "victim"), "mine\n");
  addToManifest("../victim");
  writeSchema("uint32");
  await generate();
  expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("mine\n");
});

test("a file that is no longer generated is deleted", async () => {
  await generate();
  addToManifest("gone.ts");
  writeFileSync(join(cwd, "out/gone.ts"), "// Code generated by ridlkit from a.ridl. DO NOT EDIT.\n");
  writeSchema("uint32");
  expect(await generate()).toMatchObject({ code: 0, out: expect.stringContaining(" deleted") });
  expect(tree()).not.toContain("gone.ts");
  expect(await generate()).toMatchObject({ code: 0, out: "out: up to date\n" });
});

test("a manifest that was lost is written again, and so are the files", async () => {
  const args = ["--runtime", "copy", "--target", "types,client,server,json,openapi"];
  await generate(...args);
  const before = contents();
  rmSync(join(cwd, "out/.ridlkit.manifest"));
  expect(await generate(...args)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^out: list of files repaired, \d+ unchanged\n$/),
  });
  expect(contents()).toEqual(before);
  rmSync(join(cwd, "out/.ridlkit.manifest"));
  writeFileSync(join(cwd, "pets.ridl"), larger);
  expect(await generate("--target", "types,validators")).toMatchObject({ code: 0 });
});

test("a manifest with the lines of two branches lists the files of both", async () => {
  await generate();
  const ours = readFileSync(join(cwd, "out/.ridlkit.manifest"), "utf8");
  writeFileSync(join(cwd, "pets.ridl"), larger);
  await generate();
  const theirs = readFileSync(join(cwd, "out/.ridlkit.manifest"), "utf8");
  writeFileSync(
    join(cwd, "out/.ridlkit.manifest"),
    `<<<<<<< ours\n${ours}=======\n${theirs}>>>>>>> theirs\n`,
  );
  writeSchema("uint32");
  expect(await generate()).toMatchObject({ code: 0 });
  expect(await generate()).toMatchObject({ code: 0, out: "out: up to date\n" });
});

describe("two schemas and one path", () => {
  const config = (first: string, second: string): void => {
    const schemas = [first, second].map((out, index) => ({ name: `s${index}`, entry: "pets.ridl", out }));
    writeFileSync(join(cwd, "ridlkit.config.json"), JSON.stringify({ schemas }));
  };

  test.each([
    ["the same folder, spelled in two ways", "out", "./out/", 2],
    ["a folder and a link to it", "out", "link", 1],
  ])("%s", async (_case, first, second, code) => {
    mkdirSync(join(cwd, "out"));
    symlinkSync("out", join(cwd, "link"));
    config(first, second);
    const refused = await ridlkit(["generate"], { cwd });
    expect(refused.code).toBe(code);
    expect(refused.err).toMatch(/have the same output folder|would be generated for/);
    expect(readdirSync(join(cwd, "out"))).toEqual([]);
  });

  test("nested folders are allowed if their files differ", async () => {
    config("out", "out/inner");
    expect(await ridlkit(["generate"], { cwd })).toMatchObject({ code: 0 });
    expect(await ridlkit(["generate"], { cwd })).toMatchObject({
      code: 0,
      out: "out: up to date\nout/inner: up to date\n",
    });
  });
});

describe("a full disk", () => {
  const leavesAll = async (out: string, run: () => Promise<Outcome>, reason: string): Promise<void> => {
    expect(await generate("--out", out, "--target", "types")).toMatchObject({ code: 0 });
    const before = contents(out);
    writeSchema("uint32");
    expect(await run()).toMatchObject({ code: 2, err: refusal("RK603", reason) });
    expect(contents(out)).toEqual(before);
  };

  test("a file size limit is reported and changes nothing", async () => {
    const command = `ulimit -f 8; exec "${process.execPath}" "${program}" generate pets.ridl --out out --runtime copy`;
    const bounded = (): Promise<Outcome> =>
      new Promise((done) => {
        execFile("bash", ["-c", command], { cwd }, (error, out, err) =>
          done({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
        );
      });
    await leavesAll("out", bounded, "file too large|EFBIG|too large");
  });

  test.skipIf(!canMount)("a full disk leaves all as it was, and says so", async () => {
    using _disk = smallDisk(cwd);
    await leavesAll("disk/out", () => generate("--out", "disk/out", "--runtime", "copy"), "the disk is full");
  });

  test.skipIf(!canMount)("a read-only disk is reported", async () => {
    using _disk = smallDisk(cwd);
    execFileSync("mount", ["-o", "remount,ro", join(cwd, "disk")]);
    expect(await generate("--out", "disk/out")).toMatchObject({
      code: 2,
      err: refusal("RK603", "read-only"),
    });
  });
});

test("a run killed at any of 10 points leaves complete files, and the next run repairs the folder", async () => {
  const texts = [schema("uint32"), larger];
  const write = (version: number): void => writeFileSync(join(cwd, "pets.ridl"), texts[version] ?? "");
  /** How often a run that leads to a version changes the folder. */
  const changesTo: number[] = [];
  write(0);
  await startGenerate();
  cpSync(join(cwd, "out"), join(cwd, "clean-0"), { recursive: true });
  rmSync(join(cwd, "out"), { recursive: true });
  write(1);
  await startGenerate();
  cpSync(join(cwd, "out"), join(cwd, "clean-1"), { recursive: true });
  const versions = [contents("clean-0"), contents("clean-1")];
  for (const version of [0, 1]) {
    write(version);
    const counted = await startGenerate({ node: ["-r", killer] });
    changesTo.push(Number(/changes ([0-9]+)/.exec(counted.err)?.[1]));
  }
  expect(Math.min(...changesTo)).toBeGreaterThan(15);
  for (let point = 0; point < 10; point++) {
    const [from, to] = point % 2 === 0 ? [1, 0] : [0, 1];
    write(to);
    const changes = changesTo[to] ?? 0;
    const env = { KILL_AT: String(1 + Math.round((point * (changes - 2)) / 9)) };
    const killed = await startGenerate({ node: ["-r", killer], env });
    expect(killed.code, `killed at ${env.KILL_AT} of ${changes}`).toBe(null);
    for (const [path, text] of Object.entries(contents()).filter(([path]) => /^[^.].*[.]ts$/.test(path))) {
      expect(versions.map((version) => version[path])).toContain(text);
    }
    // The schema changes back before the next run. Half-written files are still known as generated.
    const next = point % 3 === 0 ? from : to;
    write(next);
    expect(await startGenerate()).toMatchObject({ code: 0 });
    expect(contents()).toEqual(versions[next]);
    if (next === from) {
      rmSync(join(cwd, "out"), { recursive: true });
      cpSync(join(cwd, `clean-${to}`), join(cwd, "out"), { recursive: true });
    }
  }
});

test("two concurrent runs end with the complete folder of one of them", async () => {
  const versions = await Promise.all([cleanRun(schema("uint32")), cleanRun(schema("uint64"))]);
  mkdirSync(join(cwd, "other"));
  writeFileSync(join(cwd, "other/pets.ridl"), schema("uint32"));
  await generate();
  for (let round = 0; round < 4; round++) {
    const outcomes = await Promise.all([
      startGenerate(),
      ridlkit(["generate", "other/pets.ridl", "--out", "out"], { cwd }),
      startGenerate(),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    const found = Object.fromEntries(
      tree().map((path) => [path, readFileSync(join(cwd, "out", path), "utf8")]),
    );
    expect(versions.map((version) => version["types.ts"])).toContain(found["types.ts"]);
    expect(Object.keys(found).filter((path) => /lock|tmp/.test(path))).toEqual([]);
    expect(await generate()).toMatchObject({ code: 0 });
  }
});

test("a lock of an ended process is taken over", async () => {
  await generate();
  writeFileSync(join(cwd, "out/.ridlkit.lock"), "2147483646");
  writeSchema("uint32");
  expect(await generate()).toMatchObject({ code: 0 });
  expect(tree()).not.toContain(".ridlkit.lock");
});

function generate(...args: string[]): Promise<Outcome> {
  const out = args.includes("--out") ? [] : ["--out", "out"];
  return ridlkit(["generate", "pets.ridl", ...out, ...args], { cwd });
}

/** Generates in a process of its own: for kills, and for locks, which belong to a process. */
function startGenerate(options: ProcessOptions = {}): Promise<Outcome> {
  return ridlkitProcess(["generate", "pets.ridl", "--out", "out"], { cwd, ...options });
}

function writeSchema(type: string): void {
  writeFileSync(join(cwd, "pets.ridl"), schema(type));
}

/** Returns the files that a schema generates in a new folder. */
async function cleanRun(text: string): Promise<Readonly<Record<string, string>>> {
  const made = mkdtempSync(join(cwd, "clean-"));
  writeFileSync(join(made, "pets.ridl"), text);
  await ridlkit(["generate", "pets.ridl", "--out", "out"], { cwd: made });
  const files = tree("out", made);
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(made, "out", path), "utf8")]));
}

function contents(folder = "out"): Readonly<Record<string, string>> {
  const paths = tree(folder);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(cwd, folder, path), "utf8")]));
}

function tree(folder = "out", root = cwd): string[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => !statSync(join(root, folder, path)).isDirectory()).sort();
}

/** Expects a message with these words, without a stack. */
function refusal(code: string, words: string): unknown {
  return expect.stringMatching(new RegExp(`^error\\[${code}\\]: (?![^]*\\n    at )[^\\n]*(${words})`, "m"));
}

/** A disk of 64 KiB at `disk/`. */
function smallDisk(root: string): Disposable {
  const path = join(root, "disk");
  mkdirSync(path);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "ridlkit", path], { stdio: "ignore" });
  return { [Symbol.dispose]: () => void execFileSync("umount", [path]) };
}

function mayMount(): boolean {
  const root = mkdtempSync(join(tmpdir(), "ridlkit-mount-"));
  try {
    using _disk = smallDisk(root);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
