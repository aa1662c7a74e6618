import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Change } from "../../../../generator/codegen/write/diff.ts";
import { hashOf } from "../../../../generator/codegen/write/manifest.ts";
import { fileMatchesHash } from "../../../../generator/tools/cli/generate/file-hash.ts";
import { FolderLock } from "../../../../generator/tools/cli/generate/folder-lock.ts";
import { missingPackages } from "../../../../generator/tools/cli/generate/missing-packages.ts";
import { OutputFolder } from "../../../../generator/tools/cli/generate/output-folder.ts";
import { schemaSource } from "../../../../generator/tools/cli/generate/watch.ts";
import { folder } from "../../../support/program.ts";

const add = (path: string): Change => ({ kind: "add", path, text: path });

/** All files of a folder, and its empty folders with a slash. */
function tree(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => [join(entry.parentPath, entry.name).slice(path.length + 1), entry.isDirectory()] as const)
    .filter(([name, isFolder]) => !isFolder || readdirSync(join(path, name)).length === 0)
    .map(([name, isFolder]) => (isFolder ? `${name}/` : name))
    .sort();
}

test.each<[string, string, object]>([
  ["nothing", "gone.ts", { kind: "nothing" }],
  ["nothing, in no folder", "gone/a.ts", { kind: "nothing" }],
  ["a file", "a.ts", { kind: "text", text: "a" }],
  ["a file in a folder", "in/b.ts", { kind: "text", text: "b" }],
  ["a folder", "in", { kind: "other", path: "in", what: "a folder" }],
  ["a link", "link.ts", { kind: "other", path: "link.ts", what: "a symbolic link" }],
  ["a path through a link", "linked/b.ts", { kind: "other", path: "linked", what: "a symbolic link" }],
  ["a path through a file", "a.ts/b.ts", { kind: "other", path: "a.ts", what: "not a folder" }],
])("a path leads to %s", (_case, path, expected) => {
  using dir = folder({ "a.ts": "a", "in/b.ts": "b" });
  symlinkSync("a.ts", join(dir.path, "link.ts"));
  symlinkSync("in", join(dir.path, "linked"));
  expect(new OutputFolder(dir.path).contentAt(path)).toEqual(expected);
});

test("files are listed in order, without those of packages, links and folders with a manifest", () => {
  using dir = folder({
    "b.ts": "",
    "a/c.ts": "",
    ".ridlkit.manifest": "",
    "node_modules/d.ts": "",
    "a/node_modules/d.ts": "",
    "nested/.ridlkit.manifest": "",
    "nested/e.ts": "",
  });
  symlinkSync("b.ts", join(dir.path, "link.ts"));
  expect(new OutputFolder(dir.path).list()).toEqual([".ridlkit.manifest", "a/c.ts", "b.ts"]);
  expect(new OutputFolder(join(dir.path, "gone")).list()).toEqual([]);
});

test("what is deleted takes its empty folders along, and no others", () => {
  using dir = folder({ "a/b/c.ts": "", "a/d.ts": "", "e/f/g.ts": "" });
  const changes: Change[] = [
    { kind: "delete", path: "a/b/c.ts" },
    { kind: "delete", path: "e/f/g.ts" },
    { kind: "delete", path: "gone.ts" },
    { kind: "same", path: "a/d.ts" },
  ];
  const update = { changes, manifest: "new", journal: "journal" };
  expect(new OutputFolder(dir.path).apply(update)).toBeUndefined();
  expect(tree(dir.path)).toEqual([".ridlkit.manifest", "a/d.ts"]);
  expect(readFileSync(join(dir.path, ".ridlkit.manifest"), "utf8")).toBe("new");
});

test("a run with nothing to do writes nothing", () => {
  using dir = folder({ ".ridlkit.manifest": "same" });
  const path = join(dir.path, ".ridlkit.manifest");
  utimesSync(path, 1, 1);
  const output = new OutputFolder(dir.path);
  const changes: Change[] = [{ kind: "same", path: "a.ts" }];
  expect(output.apply({ changes, manifest: "same", journal: "journal" })).toBeUndefined();
  expect(existsSync(path) && tree(dir.path)).toEqual([".ridlkit.manifest"]);
  expect(output.apply({ changes, manifest: "other", journal: "journal" })).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe("other");
});

test.each<[string, string | undefined]>([
  ["a manifest", "before"],
  ["no manifest", undefined],
])("a file that cannot be staged leaves all as it was: %s", (_case, before) => {
  using dir = folder({ "in-the-way": "", ...(before === undefined ? {} : { ".ridlkit.manifest": before }) });
  const was = tree(dir.path);
  const changes = [add("new/deep/a.ts"), add("in-the-way/b.ts")];
  const fault = new OutputFolder(dir.path).apply({ changes, manifest: "after", journal: "journal" });
  expect(fault).toMatchObject({ path: join(dir.path, "in-the-way/b.ts"), reason: expect.any(String) });
  expect(tree(dir.path)).toEqual(was);
  if (before !== undefined) expect(readFileSync(join(dir.path, ".ridlkit.manifest"), "utf8")).toBe(before);
});

test("once a file was replaced, the journal stays", () => {
  using dir = folder({ ".ridlkit.manifest": "before", "b.ts/inner": "" });
  const changes = [add("a.ts"), add("b.ts"), add("c.ts")];
  const fault = new OutputFolder(dir.path).apply({ changes, manifest: "after", journal: "journal" });
  expect(fault?.path).toBe(join(dir.path, "b.ts"));
  expect(tree(dir.path)).toEqual([".ridlkit.manifest", "a.ts", "b.ts/inner"]);
  expect(readFileSync(join(dir.path, ".ridlkit.manifest"), "utf8")).toBe("journal");
});

test("the real path of a folder that is not there yet", () => {
  using dir = folder({ "real/a": "" });
  symlinkSync("real", join(dir.path, "link"));
  const real = new OutputFolder(join(dir.path, "real")).realRoot();
  expect(new OutputFolder(join(dir.path, "link")).realRoot()).toBe(real);
  expect(new OutputFolder(join(dir.path, "link/x/y")).realRoot()).toBe(join(real, "x/y"));
});

const dead = 2 ** 22 + 1;

test.each<[string, string, number]>([
  ["a dead process", String(dead), 0],
  ["this process, which died with the same ID before", String(process.pid), 0],
  ["a process that died before it wrote its ID", "", 2_000],
  ["no process", "0", 2_000],
  ["text", "abc", 2_000],
])("a lock of %s is taken over", async (_case, content, ageMs) => {
  using dir = folder({ "out/.ridlkit.lock": content });
  const path = join(dir.path, "out/.ridlkit.lock");
  const seconds = (Date.now() - ageMs) / 1_000;
  utimesSync(path, seconds, seconds);
  const lock = await FolderLock.acquire(join(dir.path, "out"));
  expect(lock).toBeInstanceOf(FolderLock);
  expect(readFileSync(path, "utf8")).toBe(String(process.pid));
  expect(FolderLock.isHeld(join(dir.path, "out"))).toBe(true);
  if (lock instanceof FolderLock) lock.release();
  // The folder was there before.
  expect(tree(dir.path)).toEqual(["out/"]);
});

test("a folder that was created for a lock goes with it, unless a file was written", async () => {
  using dir = folder({});
  const release = async (root: string, write: boolean): Promise<void> => {
    const lock = await FolderLock.acquire(join(dir.path, root));
    if (!(lock instanceof FolderLock)) throw new Error(lock.reason);
    if (write) writeFileSync(join(dir.path, root, "a.ts"), "");
    lock.release();
  };
  await release("a/b/c", false);
  expect(tree(dir.path)).toEqual([]);
  await release("a/b/c", true);
  expect(tree(dir.path)).toEqual(["a/b/c/a.ts"]);
});

test("a lock below a file is refused with a reason", async () => {
  using dir = folder({ file: "" });
  const root = join(dir.path, "file/out");
  expect(await FolderLock.acquire(root)).toMatchObject({ path: root, reason: expect.any(String) });
});

test.each([
  ["a short file", 3],
  ["a file of exactly a chunk", 131_072],
  ["a file of a chunk and a byte", 131_073],
  ["an empty file", 0],
])("%s has its hash", (_case, length) => {
  const text = "a".repeat(length);
  using dir = folder({ "a.ts": text });
  const path = join(dir.path, "a.ts");
  expect(fileMatchesHash(path, hashOf(text))).toBe(true);
  expect(fileMatchesHash(path, hashOf(`${text}b`))).toBe(false);
  expect(fileMatchesHash(`${path}x`, hashOf(text))).toBeUndefined();
});

test("line ends of Windows do not change a file's hash", () => {
  using dir = folder({ "a.ts": "a\r\nb\r\n" });
  expect(fileMatchesHash(join(dir.path, "a.ts"), hashOf("a\nb\n"))).toBe(true);
  expect(fileMatchesHash(join(dir.path, "a.ts"), hashOf("a\nb"))).toBe(false);
});

test.each<[string, string, readonly string[]]>([
  ["a package", 'import { a } from "koa";', ["koa"]],
  ["a part of a scoped package", 'import { a } from "@fastify/busboy/part";', ["@fastify/busboy"]],
  ["a scoped package", 'import { a } from "@fastify/busboy";', ["@fastify/busboy"]],
  ["types", 'import type { A } from "koa";', []],
  ["a file", 'import { a } from "./koa.ts";', []],
  ["a module of Node.js", 'import { a } from "node:http";', []],
  ["a package that is there", 'import { a } from "here";', []],
  ["two, sorted", 'import { b } from "b";\nimport { a } from "a";\nimport { c } from "a";', ["a", "b"]],
])("packages that are missing: %s", (_case, text, expected) => {
  using dir = folder({ "package.json": "{}", "node_modules/here/index.js": "", "out/x": "" });
  const root = join(dir.path, "out");
  expect(missingPackages(new Map([["a.ts", text]]), root, "1.0.0")).toEqual(expected);
  expect(missingPackages(new Map([["a.md", text]]), root, "1.0.0")).toEqual([]);
});

test.each([
  ["without a package.json", {}],
  ["in a project with Plug'n'Play that Yarn did not start", { "package.json": "{}", ".pnp.cjs": "" }],
])("%s, no package is missing", (_case, files) => {
  using dir = folder(files);
  const text = 'import { a } from "koa";\nimport type { A } from "ridlkit-runtime/client";';
  expect(missingPackages(new Map([["a.ts", text]]), dir.path, "1.0.0")).toEqual([]);
});

test.each([
  ["none", undefined, ["ridlkit-runtime@1.0.0"]],
  ["this version", "1.0.0", []],
  ["another version", "1.0.1", ["ridlkit-runtime@1.0.0"]],
])("the runtime is missing unless this version is installed: %s", (_case, version, expected) => {
  using dir = folder({
    "package.json": "{}",
    "packages/app/package.json": "{}",
    ...(version === undefined
      ? {}
      : { "node_modules/ridlkit-runtime/package.json": JSON.stringify({ version }) }),
  });
  const text = 'import type { Schema } from "ridlkit-runtime/client";';
  expect(missingPackages(new Map([["a.ts", text]]), join(dir.path, "packages/app/out"), "1.0.0")).toEqual(
    expected,
  );
});

test.each([
  ["api.ridl", "/p/api.ridl"],
  ["./api.ridl", "/p/api.ridl"],
  ["schema/api.ridl", "/p/schema"],
  ["../schema/api.ridl", "/schema"],
])("for the schema %s, %s is watched", (path, expected) => {
  expect(schemaSource(path, "/p")).toBe(expected);
});
