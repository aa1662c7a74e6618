import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folder, ridlkit, ridlkitProcess } from "../../../support/program.ts";
import { bad, good } from "../../../support/schemas.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const messy = "webrpc = v1\nstruct A\n-a:int #c\n";
const canonical = "webrpc = v1\n\nstruct A\n  - a: int # c\n";

describe("ridlkit format", () => {
  test("writes what changes and nothing else, and leaves no file behind", async () => {
    using dir = folder({ "a.ridl": messy, "b/b.ridl": good, "b/c.txt": messy, "node_modules/x.ridl": messy });
    const before = statSync(join(dir.path, "b/b.ridl")).mtimeMs;
    expect(await ridlkit(["format"], { cwd: dir.path })).toEqual({
      code: 0,
      out: "a.ridl: formatted\n",
      err: "",
    });
    expect(read(dir.path, "a.ridl")).toBe(canonical);
    expect(read(dir.path, "node_modules/x.ridl")).toBe(messy);
    expect(statSync(join(dir.path, "b/b.ridl")).mtimeMs).toBe(before);
    expect(readdirSync(dir.path).toSorted()).toEqual(["a.ridl", "b", "node_modules"]);
  });

  test("--check lists what is not formatted, says how to mend it, and writes nothing", async () => {
    using dir = folder({ "a.ridl": messy, "b.ridl": good });
    const { code, out, err } = await ridlkit(["format", "--check", "a.ridl", "b.ridl"], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain('error[RK700]: "a.ridl" is not formatted.');
    expect(err).toContain("Run ridlkit format");
    expect(err).not.toContain("b.ridl");
    expect(read(dir.path, "a.ridl")).toBe(messy);
  });

  test("--check finds the platform's schema formatted", async () => {
    expect(await ridlkit(["format", "--check", "schema"], { cwd: root })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  test("--diff shows what git can apply", async () => {
    using dir = folder({ "a.ridl": messy });
    const { code, out } = await ridlkit(["format", "--diff"], { cwd: dir.path });
    expect(code).toBe(0);
    expect(read(dir.path, "a.ridl")).toBe(messy);
    execFileSync("git", ["apply"], { cwd: dir.path, input: out });
    expect(read(dir.path, "a.ridl")).toBe(canonical);
  });

  test('"-" reads standard input and writes to standard output', async () => {
    expect(await ridlkitProcess(["format", "-"], { input: messy })).toEqual({
      code: 0,
      out: canonical,
      err: "",
    });
    expect(await ridlkitProcess(["format", "-"], { input: canonical })).toEqual({
      code: 0,
      out: canonical,
      err: "",
    });
    expect(await ridlkitProcess(["format", "--check", "-"], { input: messy })).toMatchObject({
      code: 1,
      out: "",
    });
  });

  test("a text with faults is not printed, and they are shown", async () => {
    const { code, out, err } = await ridlkitProcess(["format", "-"], { input: "struct A\n  - a int\n" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("error[RK101]");
    expect(err).toContain("--> -:2:");
  });

  test("a file with faults stays, and the others are formatted", async () => {
    using dir = folder({ "a.ridl": "struct  A\n - a : int\n", "b.ridl": messy });
    const { code, out, err } = await ridlkit(["format"], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 1, out: "b.ridl: formatted\n" });
    expect(err).toContain("a.ridl:2:");
    expect(read(dir.path, "a.ridl")).toBe("struct  A\n - a : int\n");
  });

  test("a file is formatted for itself: what it names need not exist", async () => {
    const text = `import nowhere.ridl\n\n${bad}`;
    expect(await ridlkitProcess(["format", "-"], { input: text })).toMatchObject({ code: 0, err: "" });
  });

  test("words that have no meaning are not lost", async () => {
    const { code, err } = await ridlkitProcess(["format", "-"], { input: "service S\n- P() NotFound\n" });
    expect(code).toBe(1);
    expect(err).toContain('error[RK120]: "NotFound" after the method has no meaning');
    expect(err).toContain("--> -:2:7");
  });

  test("line breaks stay what they are, and a byte order mark goes", async () => {
    const input = `\uFEFF${messy.replaceAll("\n", "\r\n")}`;
    expect((await ridlkitProcess(["format", "-"], { input })).out).toBe(canonical.replaceAll("\n", "\r\n"));
  });

  test("links, modes and files without permission to write stay as they are", async () => {
    using dir = folder({ "lib/a.ridl": messy, "locked.ridl": messy });
    symlinkSync("lib/a.ridl", join(dir.path, "link.ridl"));
    chmodSync(join(dir.path, "lib/a.ridl"), 0o640);
    chmodSync(join(dir.path, "locked.ridl"), 0o440);
    await ridlkit(["format", "link.ridl"], { cwd: dir.path });
    expect(read(dir.path, "lib/a.ridl")).toBe(canonical);
    expect(statSync(join(dir.path, "lib/a.ridl")).mode & 0o777).toBe(0o640);
    // To root everything is permitted.
    if (process.getuid?.() === 0) return;
    chmodSync(join(dir.path, "lib"), 0o300);
    const { code, err } = await ridlkit(["format", "lib"], { cwd: dir.path });
    chmodSync(join(dir.path, "lib"), 0o700);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("error[RK201]") });
    expect(await ridlkit(["format", "locked.ridl"], { cwd: dir.path })).toMatchObject({ code: 2 });
    expect(read(dir.path, "locked.ridl")).toBe(messy);
  });

  test("what is no RIDL in UTF-8 is refused", async () => {
    using dir = folder({ "a.yaml": "a: b\n", "empty/x.txt": "" });
    expect((await ridlkit(["format", "a.yaml"], { cwd: dir.path })).err).toContain("error[RK703]");
    expect((await ridlkit(["format", "gone.ridl"], { cwd: dir.path })).err).toContain("error[RK201]");
    expect(await ridlkit(["format", "empty"], { cwd: dir.path })).toMatchObject({ code: 2 });
    expect((await ridlkitProcess(["format", "-"], { input: "struct A\0\n" })).err).toContain("error[RK203]");
  });

  test("--format json says what became of each file", async () => {
    using dir = folder({ "a.ridl": messy, "b.ridl": good, "c.ridl": "struct" });
    const { code, out, err } = await ridlkit(["format", "--format", "json"], { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const files = [
      { path: "a.ridl", state: "changed" },
      { path: "b.ridl", state: "same" },
      { path: "c.ridl", state: "invalid" },
    ];
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      files,
      diagnostics: [{ code: "RK101", path: "c.ridl" }],
    });
  });
});

function read(path: string, name: string): string {
  return readFileSync(join(path, name), "utf8");
}
