import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Changes } from "../../../generator/dev/changes.ts";
import { type Folder, folder } from "../../support/program.ts";

let dir: Folder;
let file: string;

beforeEach(() => {
  dir = folder({ "pets.ridl": "webrpc = v1\n" });
  file = join(dir.path, "pets.ridl");
});

afterEach(() => dir[Symbol.dispose]());

const never = new AbortController().signal;
/** Longer than any test may take. */
const aDayMs = 86_400_000;

test("changes are over once there is none for a while", async () => {
  await using changes = await Changes.of([file], () => false);
  expect(await changes.areOver(1, never)).toBe(true);
});

test("one that comes is told at once, and again until it is taken", async () => {
  await using changes = await Changes.of([file], () => false);
  const areOver = changes.areOver(aDayMs, never);
  writeFileSync(file, "webrpc = v1\nname = pets\n");
  expect(await areOver).toBe(false);
  expect(await changes.areOver(aDayMs, never)).toBe(false);
  expect(await changes.next(never)).toEqual(new Set([file]));
  expect(await changes.areOver(1, never)).toBe(true);
});

test("whoever is told to stop waits for none", async () => {
  await using changes = await Changes.of([file], () => false);
  const stop = new AbortController();
  const areOver = changes.areOver(aDayMs, stop.signal);
  stop.abort();
  expect(await areOver).toBe(true);
  expect(await changes.next(stop.signal)).toBeUndefined();
});
