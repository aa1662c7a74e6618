/** Pinned targets and `-silent` in the drop-in command line. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../support/program.ts";

/** Without a basepath, which causes a warning. */
const schema = "webrpc = v1\nname = t\nversion = v1\n\nservice S\n  - M()\n";

async function outcomeOf(target: string, ...flags: readonly string[]) {
  using made = folder({ "t.ridl": schema });
  const outcome = await ridlkit(["-schema=t.ridl", `-target=${target}`, "-out=t.out", ...flags], {
    cwd: made.path,
  });
  return { ...outcome, isWritten: existsSync(join(made.path, "t.out")) };
}

test.each([
  "typescript@v0.28.0",
  "github.com/webrpc/gen-typescript@v0.28.0",
  "github.com/webrpc/gen-typescript",
  "openapi@v0.18.0",
])("-target=%s is printed locally, with a note that nothing is downloaded", async (target) => {
  const { code, err, isWritten } = await outcomeOf(target);
  expect({ code, isWritten }).toEqual({ code: 0, isWritten: true });
  expect(err).toContain(`"${target}" is not fetched`);
});

test("a target without a version has no note", async () => {
  expect((await outcomeOf("typescript")).err).not.toContain("fetched");
});

test("values of meta keys that webrpc ignores are warnings here, and errors elsewhere", async () => {
  const text = `${schema}\nstruct T\n  - a: int\n    + maximum = ten\n    + min = 3\n`;
  using made = folder({ "t.ridl": text });
  const dropIn = await ridlkit(["-schema=t.ridl", "-target=json", "-out=t.json"], { cwd: made.path });
  expect(dropIn.code).toBe(0);
  expect(dropIn.err).toContain("warning[RK402]");
  expect(dropIn.err).toContain("warning[RK401]");
  const generate = await ridlkit(["generate", "t.ridl", "--out", "out"], { cwd: made.path });
  expect(generate.code).toBe(1);
  expect(generate.err).toContain("error[RK402]");
  expect(existsSync(join(made.path, "out"))).toBe(false);
});

test.each([
  ["typescript@v0.28.0", false],
  ["github.com/webrpc/gen-typescript@v0.31.0", false],
  ["typescript@v0.46.0", true],
  ["typescript", true],
])("-target=%s serves the web's requests: %s", async (target, isServed) => {
  using made = folder({ "t.ridl": schema });
  await ridlkit(["-schema=t.ridl", `-target=${target}`, "-server", "-out=t.ts"], { cwd: made.path });
  expect(readFileSync(join(made.path, "t.ts"), "utf8").includes("): Promise<Response | null>")).toBe(
    isServed,
  );
});

test.each([
  ["typescript@v0.30.0", "Get() => (a: file)", "transfers a file"],
  ["typescript", "Put(a: file) => stream (b: int)", "streams the response to a file"],
])("-target=%s refuses %s", async (target, method, reason) => {
  using made = folder({ "t.ridl": `${schema}  - ${method}\n` });
  const outcome = await ridlkit(["-schema=t.ridl", `-target=${target}`, "-out=t.ts"], { cwd: made.path });
  expect(outcome.code).toBe(1);
  expect(outcome.err).toContain(reason);
});

test.each(["golang@v0.34.0", "github.com/other/gen-typescript@v1", "./templates"])(
  "-target=%s is refused",
  async (target) => {
    expect(await outcomeOf(target)).toMatchObject({ code: 1, isWritten: false });
  },
);

test.each([
  { flag: "-silent", summary: false, note: false, warning: true },
  { flag: "--silent=true", summary: false, note: false, warning: true },
  { flag: "-silent=false", summary: true, note: true, warning: true },
  { flag: "-quiet", summary: false, note: false, warning: false },
  { flag: "--quiet", summary: false, note: false, warning: false },
  { flag: "-quiet=false", summary: true, note: true, warning: true },
])("$flag: summary $summary, note $note, warning $warning", async ({ flag, summary, note, warning }) => {
  const { code, out, err } = await outcomeOf("typescript@v0.28.0", flag);
  expect(code).toBe(0);
  expect(out !== "").toBe(summary);
  expect(err.includes("is not fetched")).toBe(note);
  expect(err.includes("RK305")).toBe(warning);
});

test.each(["-silent=maybe", "-quiet=maybe", "-methodTreeShake=maybe"])("%s is refused", async (flag) => {
  const { code, err } = await outcomeOf("typescript", flag);
  expect(code).toBe(1);
  expect(err).toContain("takes true or false");
});
