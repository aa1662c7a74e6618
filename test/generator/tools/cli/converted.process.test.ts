/** Findings that converters of a kept version cover. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, type Outcome, ridlkit } from "../../../support/program.ts";

const config = "schemas:\n  - entry: api.ridl\n    out: out\n    history: history\n";

function schema(version: string, pet: readonly string[], more = ""): string {
  return `webrpc = v1
name = pets
version = ${version}
basepath = /rpc

struct Pet
${pet.map((line) => `  ${line}\n`).join("")}
service Pets
  - Put(pet: Pet) => (pet: Pet)
${more}`;
}

const first = schema("v1.0.0", ["- id: uint64", "- name: string", "- size?: uint8", "  + default = 3"]);

/** Compares an edited schema with v1.0.0, which is kept if `keeps`. */
async function compare(edited: string, keeps: boolean, ...args: readonly string[]): Promise<Outcome> {
  using dir = folder({ "ridlkit.config.yaml": config, "api.ridl": first, "v1.ridl": first });
  if (keeps) await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), edited);
  return await ridlkit(["breaking", "--against", "v1.ridl", ...args], { cwd: dir.path });
}

/** Requests, responses and defaults change, and converters need no person. */
const renamed = schema("v2.0.0", [
  "- id: uint64",
  "- title: string",
  "  + renamedFrom = name",
  "- size?: uint8",
  "  + default = 4",
]);

test("without a kept version, a rename breaks calls, and replays show it", async () => {
  const { code, out, err } = await compare(renamed, false, "--replay", "generated");
  expect(code).toBe(1);
  expect(err).toContain("error[RK750]");
  expect(err).toContain("error[RK785]");
  expect(out).not.toContain("converted");
});

test("with it, the findings are converted, and replays show that no call of old clients fails", async () => {
  const { code, out, err } = await compare(renamed, true, "--replay", "generated");
  expect(err).toContain("Converted for v1.0.0.");
  expect(err).not.toContain("RK785");
  expect(err).not.toContain("Old clients, new server");
  expect(out).toMatch(/converted for v1[.]0[.]0 against v1[.]ridl/);
  expect(code).toBe(0);
});

test("converted findings do not fail with --strict", async () => {
  expect((await compare(renamed, true, "--strict")).code).toBe(0);
});

test("a contract that differs from the kept one of its version is not converted", async () => {
  using dir = folder({ "ridlkit.config.yaml": config, "api.ridl": first, "v1.ridl": first });
  await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), renamed);
  writeFileSync(join(dir.path, "v1.ridl"), first.replace("uint8", "uint16"));
  const { code, err } = await ridlkit(["breaking", "--against", "v1.ridl"], { cwd: dir.path });
  expect(code).toBe(1);
  expect(err).not.toContain("Converted");
});

test("JSON has the note", async () => {
  const { code, out } = await compare(renamed, true, "--format", "json");
  const { ok, diagnostics } = JSON.parse(out) as FindingsJson;
  expect([code, ok]).toEqual([0, true]);
  expect(JSON.stringify(diagnostics)).toContain("Converted for v1.0.0.");
});

test("a renamed method is converted if the schema names the old one", async () => {
  const edited = renamed.replace("  - Put(", "  @renamedFrom:Put\n  - Keep(");
  const { code, out, err } = await compare(edited, true, "--replay", "generated");
  expect(err).toContain('warning[RK742]: Clients call "Pets.Put", which is "Pets.Keep" now.');
  expect(err).not.toContain("RK785");
  expect(out).toMatch(/converted for v1[.]0[.]0 against v1[.]ridl/);
  expect(code).toBe(0);
});

test("keys of a map that clients do not know are converted by hand", async () => {
  const keyed = (version: string, values: string): string =>
    `${schema(version, ["- byKind: map<Kind,uint8>"])}\nenum Kind: string\n${values}`;
  const before = keyed("v1.0.0", "  - CAT\n");
  using dir = folder({ "ridlkit.config.yaml": config, "api.ridl": before, "v1.ridl": before });
  await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), keyed("v2.0.0", "  - CAT\n  - DOG\n"));
  const { code, err } = await ridlkit(["breaking", "--against", "v1.ridl"], { cwd: dir.path });
  expect(err).toContain(
    'warning[RK766]: Clients expect "Pet.byKind" as map<Kind,uint8>, but the server returns map<Kind,uint8> with the key "DOG".',
  );
  expect(err).toContain("Converted for v1.0.0, by your function where no rule converts it.");
  expect(code).toBe(0);
  // The compiler requires the function.
  await ridlkit(["generate"], { cwd: dir.path });
  const converters = readFileSync(join(dir.path, "out/versions/v1.0.0/converters.ts"), "utf8");
  expect(converters).toContain('readonly byKind: (value: newer.Pet) => older.Pet["byKind"] | undefined;');
});

test("a removed method still breaks calls", async () => {
  const { code, err } = await compare(renamed.replace("Put", "Keep"), true);
  expect(code).toBe(1);
  expect(err).toContain("error[RK742]");
});

test("nothing is converted for new clients of the old server", async () => {
  const { code, err } = await compare(renamed, true, "--clients-first");
  expect(code).toBe(1);
  expect(err).not.toContain("Converted");
});

test("--against finds a file, then a kept version, then a Git revision, and reports several meanings", async () => {
  using dir = folder({ "ridlkit.config.yaml": config, "api.ridl": first });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: dir.path,
      stdio: "ignore",
    });
  const compareTo = async (against: string) => {
    const { code, out, err } = await ridlkit(["breaking", "--against", against, "--strict"], {
      cwd: dir.path,
    });
    return { code, out, said: err.split("\n").filter((line) => line.startsWith("ridlkit:")) };
  };
  await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), renamed);
  const converted = { code: 0, out: expect.stringContaining("converted for v1.0.0 against") };
  expect(await compareTo("v1.0.0")).toMatchObject({ ...converted, said: [] });
  expect(await compareTo("1.0.0")).toMatchObject({ ...converted, said: [] });
  expect((await compareTo("v1.0.1")).said[0]).toMatch(
    /neither a file, nor a kept version, nor a Git revision/,
  );
  git("init");
  git("add", ".");
  git("commit", "-m", "x");
  git("tag", "v1.0.0");
  expect(await compareTo("v1.0.0")).toMatchObject({
    ...converted,
    said: [
      'ridlkit: "v1.0.0" is read as the file "history/latest.webrpc.json". For the other meaning, use: --against v1.0.0:api.ridl',
    ],
  });
  writeFileSync(join(dir.path, "v1.0.0"), first);
  expect((await compareTo("v1.0.0")).said[0]).toBe(
    'ridlkit: "v1.0.0" is read as the file "v1.0.0". For the other meaning, use: --against history/latest.webrpc.json',
  );
});

test("a renamed optional field is converted, also with --strict, and the changelog repeats the sentence", async () => {
  using dir = folder({ "ridlkit.config.yaml": config, "api.ridl": first.replace("name:", "name?:") });
  await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(
    join(dir.path, "api.ridl"),
    renamed.replace("title:", "title?:").replace("default = 4", "default = 3"),
  );
  const { code, err } = await ridlkit(["breaking", "--against", "v1.0.0", "--strict"], { cwd: dir.path });
  expect(err).toContain('warning[RK751]: Clients may send "name", but the server expects it as "title".');
  expect(err).toContain("Converted for v1.0.0.");
  expect(code).toBe(0);
  const { out } = await ridlkit(["history", "changelog"], { cwd: dir.path });
  expect(out).toContain(
    "Clients may send `name`, but the server expects it as `title`. (RK751, converted for v1.0.0)",
  );
});
