import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { type Folder, folder, type Outcome, ridlkit } from "../../../support/program.ts";

const types = "webrpc = v1\nstruct Pet\n  - name: string\n";
const before = `webrpc = v1
name = pets
version = v1
basepath = /rpc
import
  - types.ridl
service Pets
  - FindPet(name: string) => (pet: Pet)
  - DropPet(name: string)
`;
const now = before.replace("  - DropPet(name: string)\n", "");

describe("with a repository", () => {
  let dir: Folder;
  const git = (...args: string[]): void => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    execFileSync("git", [...who, ...args], { cwd: dir.path, stdio: "ignore" });
  };
  const breaking = (...args: string[]): Promise<Outcome> =>
    ridlkit(["breaking", ...args], { cwd: dir.path, env: { PATH: process.env["PATH"] ?? "" } });

  beforeAll(() => {
    dir = folder({ "api.ridl": before, "types.ridl": types });
    git("init", "-b", "main");
    git("add", ".");
    git("commit", "-m", "first");
    writeFileSync(join(dir.path, "api.ridl"), now);
  });
  afterAll(() => dir[Symbol.dispose]());

  test("a revision is read with what it imports, and places in it carry its name", async () => {
    const { code, out, err } = await breaking("--against", "main", "api.ridl");
    expect({ code, out }).toEqual({ code: 1, out: "api.ridl: 1 breaking change against main\n" });
    expect(err).toContain("error[RK742]");
    expect(err).toContain("--> api.ridl:7:1");
    expect(err).toContain("--> main:api.ridl:9:3");
  });

  test("warnings about the current schema itself are not reported", async () => {
    const endless = "webrpc = v1\nname = a\nversion = v1\nbasepath = /\nstruct Loop\n  - next: Loop\n";
    writeFileSync(join(dir.path, "endless.ridl"), endless);
    expect(await breaking("--against", "endless.ridl", "endless.ridl")).toMatchObject({ code: 0, err: "" });
  });

  test("a schema that was moved is found at its earlier path, and one that was added is new", async () => {
    writeFileSync(join(dir.path, "added.ridl"), now);
    git("mv", "api.ridl", "moved.ridl");
    const moved = await breaking("--against", "main", "moved.ridl", "added.ridl");
    git("mv", "moved.ridl", "api.ridl");
    rmSync(join(dir.path, "added.ridl"));
    expect([moved.code, moved.out]).toEqual([
      1,
      "moved.ridl: 1 breaking change against main\nadded.ridl: new, not in main\n",
    ]);
    expect(moved.err).toContain("--> main:api.ridl:9:3");
  });

  test("JSON, SARIF and GitHub say the same", async () => {
    const json = await breaking("--against", "main", "api.ridl", "--format", "json");
    const { ok, diagnostics } = JSON.parse(json.out) as FindingsJson;
    expect([ok, diagnostics.map(({ name }) => name)]).toEqual([false, ["method-removed"]]);
    const sarif = await breaking("--against", "main", "api.ridl", "--format", "sarif");
    expect(sarif.out).toContain('"ruleId": "RK742"');
    const github = await breaking("--against", "main", "api.ridl", "--format", "github");
    expect(github.out).toMatch(/^::error file=api.ridl/);
  });

  test("a comment says that a change is meant", async () => {
    const text = now.replace(
      "service Pets",
      "#! ridlkit-ignore method-removed: nobody called it\nservice Pets",
    );
    writeFileSync(join(dir.path, "meant.ridl"), text);
    const { code, err } = await breaking("--against", "main:api.ridl", "meant.ridl");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lint = await ridlkit(["lint", "--preset", "recommended", "meant.ridl"], { cwd: dir.path });
    expect(lint.err).not.toContain("RK790");
  });

  test("a comment that names no rule is reported, because it ignores nothing", async () => {
    const text = now.replace("service Pets", "#! ridlkit-ignore method-gone: old name\nservice Pets");
    writeFileSync(join(dir.path, "renamed.ridl"), text);
    const { code, err } = await breaking("--against", "main:api.ridl", "renamed.ridl");
    expect(code).toBe(1);
    expect(err).toContain('"method-gone"');
    expect(err).toContain("RK790");
  });

  test("a version that cannot be read is reported in one sentence, with exit code 2", async () => {
    const said = async (...args: string[]): Promise<string> => {
      const { code, err } = await breaking(...args);
      expect(code).toBe(2);
      return err.split("\n")[0] ?? "";
    };
    expect(await said("api.ridl")).toContain("Missing --against VERSION");
    expect(await said("--against", "none", "api.ridl")).toContain(
      '"none" is neither a file, nor a kept version, nor a Git revision.',
    );
    mkdirSync(join(dir.path, "versions"), { recursive: true });
    expect(await said("--against", "versions", "api.ridl")).toContain(
      '"versions" is a folder; name a schema in it',
    );
    expect(await said("--against", "main:old.ridl", "api.ridl")).toContain(
      'main does not contain "old.ridl".',
    );
    expect(await said("--against", "http://127.0.0.1:1/api.ridl", "api.ridl")).toContain("cannot be read");
    expect(await said("--against=--help", "api.ridl")).toContain(
      "neither a file, nor a kept version, nor a Git revision",
    );
  });

  test("places of the earlier version are in it, also those of what has only moved", async () => {
    const pet = "struct Pet\n  - name: string\n";
    const header = "webrpc = v1\nname = pets\nversion = v1\nbasepath = /rpc\n";
    writeFileSync(join(dir.path, "old.ridl"), `${header}${pet}service Pets\n  - Add(Pet) => (Pet)\n`);
    writeFileSync(join(dir.path, "new.ridl"), `${header}\n\n${pet}service Pets\n  - Add() => (ok: bool)\n`);
    const { err } = await breaking("--against", "old.ridl", "new.ridl");
    expect(err).toContain("--> old.ridl:6:3\n   |\n 6 |   - name: string\n");
    expect(err).not.toContain("--> new.ridl:8:3");
  });

  test("an earlier version with faults is shown with them", async () => {
    writeFileSync(join(dir.path, "bad.ridl"), before.replace("pet: Pet", "pet: Pott"));
    const { code, out, err } = await breaking("--against", "bad.ridl", "api.ridl");
    expect({ code, out }).toEqual({ code: 1, out: "api.ridl: invalid\n" });
    expect(err).toContain("bad.ridl:8:36");
    rmSync(join(dir.path, "bad.ridl"));
  });
});

test("without a repository, the error names the missing repository", async () => {
  using dir = folder({ "api.ridl": before, "types.ridl": types });
  const env = { PATH: process.env["PATH"] ?? "", GIT_CEILING_DIRECTORIES: join(dir.path, "..") };
  const { err } = await ridlkit(["breaking", "--against", "main", "api.ridl"], { cwd: dir.path, env });
  expect(err).toContain("The working directory is not in a Git repository.");
  const bare = await ridlkit(["breaking", "--against", "main", "api.ridl"], { cwd: dir.path, env: {} });
  expect(bare.err).toMatch(/Git is not installed|not in a Git repository/);
});

test("an address is read with what it imports", async () => {
  const files: Readonly<Record<string, string>> = { "/v1/api.ridl": before, "/v1/types.ridl": types };
  const server = createServer((req, res) => {
    const text = files[req.url ?? ""];
    res.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    using dir = folder({ "api.ridl": now, "types.ridl": types });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/api.ridl`;
    const { code, err } = await ridlkit(["breaking", "--against", address, "api.ridl"], { cwd: dir.path });
    expect(code).toBe(1);
    expect(err).toContain(`${address}:9:3`);
  } finally {
    server.close();
  }
});
