import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { maxSourceBytes } from "../../../../generator/language/source/reader.ts";
import { fileReader } from "../../../../generator/tools/cli/files/reader.ts";
import { folder } from "../../../support/program.ts";

test("bytes come as they are, paths from the directory", () => {
  using dir = folder({ "a/b.ridl": "é\n", "empty.ridl": "" });
  const reader = fileReader(dir.path);
  expect(reader.read("a/b.ridl")).toEqual({ kind: "bytes", bytes: Buffer.from("é\n") });
  expect(reader.read("empty.ridl")).toEqual({ kind: "bytes", bytes: Buffer.alloc(0) });
  expect(reader.read(join(dir.path, "a/b.ridl")).kind).toBe("bytes");
});

test("what cannot be read has a plain reason", () => {
  using dir = folder({ "file.ridl": "x" });
  mkdirSync(join(dir.path, "directory"));
  symlinkSync("loop", join(dir.path, "loop"));
  execFileSync("mkfifo", [join(dir.path, "pipe")]);
  const reader = fileReader(dir.path);
  const rows: readonly (readonly [string, string])[] = [
    ["missing.ridl", "it does not exist"],
    ["directory", "it is a directory"],
    ["file.ridl/x", "a part of its path is not a directory"],
    ["loop", "its symbolic links form a cycle"],
    ["pipe", "it is not a regular file"],
    ["/dev/zero", "it is not a regular file"],
    ["x".repeat(300), "its name is too long"],
    ["a\0b", "its path contains a NUL character"],
  ];
  for (const [path, reason] of rows)
    expect([path, reader.read(path)]).toEqual([path, { kind: "unreadable", reason }]);
});

test("a file without permission says so", () => {
  using dir = folder({ "secret.ridl": "x" });
  chmodSync(dir.path, 0o755);
  chmodSync(join(dir.path, "secret.ridl"), 0);
  const read = asNobody(() => fileReader(dir.path).read("secret.ridl"));
  expect(read).toEqual({ kind: "unreadable", reason: "permission was denied" });
});

/** Root may read everything, so as root we are somebody else for a moment. */
function asNobody<Value>(act: () => Value): Value {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

test("the limit is exact, and what is over it is not read", () => {
  using dir = folder({ "big.ridl": "" });
  const path = join(dir.path, "big.ridl");
  truncateSync(path, maxSourceBytes);
  const read = fileReader(dir.path).read(path);
  expect(read.kind === "bytes" && read.bytes.length).toBe(maxSourceBytes);
  appendFileSync(path, "x");
  expect(fileReader(dir.path).read(path)).toEqual({ kind: "too-large", bytes: maxSourceBytes + 1 });
});

test("a file that does not know its size is read to its end", () => {
  const read = fileReader("/").read("proc/self/status");
  expect(read.kind === "bytes" && Buffer.from(read.bytes).toString()).toContain("VmPeak");
});
