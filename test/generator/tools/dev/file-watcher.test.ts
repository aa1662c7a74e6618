import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileWatcher } from "../../../../generator/tools/dev/file-watcher.ts";
import { type Folder, folder } from "../../../support/program.ts";

let dir: Folder;
let file: string;

beforeEach(() => {
  dir = folder({ "pets.ridl": "webrpc = v1\n" });
  file = join(dir.path, "pets.ridl");
});

afterEach(() => dir[Symbol.dispose]());

const never = new AbortController().signal;

test("a change is handed out once", async () => {
  await using changes = await FileWatcher.of([file], () => false);
  const stop = new AbortController();
  writeFileSync(file, "webrpc = v1\nname = pets\n");
  expect(await changes.next(stop.signal)).toEqual(new Set([file]));
  const next = changes.next(stop.signal);
  stop.abort();
  expect(await next).toBeUndefined();
});

test.each([
  "pets.ridl~",
  "#pets.ridl#",
  "4913",
  ".pets.ridl.swp",
  "pets.ridl.swx",
  "pets.ridl___jb_tmp___",
  "pets.ridl.tmp",
  "pets.ridl.tmp.4711.1699",
  "sedAb12Cd",
])("a temporary file named %s is no change", async (name) => {
  await using changes = await FileWatcher.of([dir.path], () => false);
  writeFileSync(join(dir.path, name), "");
  writeFileSync(file, "webrpc = v1\nname = pets\n");
  expect(await changes.next(never)).toEqual(new Set([file]));
});

test.each(["template.ridl", "tmp.ridl", "sediment", "4914"])("a file named %s is a change", async (name) => {
  await using changes = await FileWatcher.of([dir.path], () => false);
  writeFileSync(join(dir.path, name), "");
  expect(await changes.next(never)).toEqual(new Set([join(dir.path, name)]));
});

test("a file that came and went is no change, and one that went is", async () => {
  await using changes = await FileWatcher.of([dir.path], () => false);
  const passing = join(dir.path, "passing");
  writeFileSync(passing, "");
  rmSync(passing);
  rmSync(file);
  const changed = new Set<string>();
  while (!changed.has(file)) for (const path of (await changes.next(never)) ?? []) changed.add(path);
  expect(changed).toEqual(new Set([file]));
});

test("a folder below one that is skipped elsewhere is watched", async () => {
  const inner = join(dir.path, "dist", ".work");
  mkdirSync(inner, { recursive: true });
  await using changes = await FileWatcher.of([inner], () => false);
  writeFileSync(join(inner, "new.ts"), "");
  expect(await changes.next(never)).toEqual(new Set([join(inner, "new.ts")]));
});

test("a file that was deleted or written after it was read, but before it was watched, is a change", async () => {
  const since = Date.now();
  const [deleted, written, older] = ["deleted.ts", "written.ts", "older.ts"].map((name) =>
    join(dir.path, name),
  );
  for (const path of [written, older]) writeFileSync(path ?? "", "");
  utimesSync(written ?? "", since / 1_000 + 1, since / 1_000 + 1);
  utimesSync(older ?? "", since / 1_000 - 1, since / 1_000 - 1);
  await using changes = await FileWatcher.of([file], () => false);
  changes.add([deleted ?? "", written ?? "", older ?? ""], since);
  expect(await changes.next(never)).toEqual(new Set([deleted, written]));
});

test("a new file that changes while its change is handled is a change again", async () => {
  await using changes = await FileWatcher.of([dir.path], () => false);
  const path = join(dir.path, "new.ts");
  writeFileSync(path, "a");
  expect(await changes.next(never)).toEqual(new Set([path]));
  writeFileSync(path, "longer");
  changes.add([path]);
  expect(await changes.next(never)).toEqual(new Set([path]));
});
