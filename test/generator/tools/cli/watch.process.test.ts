import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, start } from "../../../support/program.ts";

const schema = "webrpc = v1\nname = pets\n\nimport\n  - pet.ridl\n";
const pet = "webrpc = v1\n\nstruct Pet\n  - id: uint64\n";
const config = (targets: readonly string[]): string =>
  JSON.stringify({ schemas: [{ entry: "schema/pets.ridl", out: "generated", targets }] });

let dir: Folder;
let child: ChildProcess | undefined;
let out: string;
let err: string;

beforeEach(() => {
  dir = folder({
    "schema/pets.ridl": schema,
    "schema/pet.ridl": pet,
    "ridlkit.config.json": config(["types"]),
  });
  out = "";
  err = "";
  child = start(["generate", "--watch"], { cwd: dir.path, timeoutMs: 290_000 });
  child.stdout?.on("data", (text: Buffer) => {
    out += text.toString();
  });
  child.stderr?.on("data", (text: Buffer) => {
    err += text.toString();
  });
});

afterEach(async () => {
  if (child?.exitCode === null) {
    const ended = new Promise((done) => child?.once("close", done));
    child.kill("SIGKILL");
    await ended;
  }
  dir[Symbol.dispose]();
});

const patient = { timeout: 120_000 };

test("after each save the files are those of the schema, whatever went wrong before", async () => {
  await expect.poll(() => generated("types.ts"), patient).toContain("id: number");
  write("schema/pet.ridl", `${pet}  - name: string\n`);
  await expect.poll(() => generated("types.ts"), patient).toContain("name: string");
  write("schema/pet.ridl", `${pet}  - name: strin\n`);
  await expect.poll(() => err, patient).toContain('"strin"');
  write("ridlkit.config.json", "{");
  await expect.poll(() => err, patient).toContain("ridlkit.config.json");
  write("ridlkit.config.json", config(["types", "json"]));
  write("schema/pet.ridl", `${pet}  - age: uint8\n`);
  await expect.poll(() => generated("schema.webrpc.json"), patient).toContain("age");
  await expect.poll(() => generated("types.ts"), patient).toContain("age: number");
  const code = new Promise((done) => child?.once("close", done));
  child?.kill("SIGTERM");
  expect(await code).toBe(0);
  expect(out).toContain("generated: ");
});

function write(path: string, text: string): void {
  writeFileSync(join(dir.path, path), text);
}

function generated(name: string): string {
  try {
    return readFileSync(join(dir.path, "generated", name), "utf8");
  } catch {
    return "";
  }
}
