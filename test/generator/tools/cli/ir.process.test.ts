import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, program, ridlkit, ridlkitProcess, start } from "../../../support/program.ts";
import { bad, doubtful, good } from "../../../support/schemas.ts";

interface Ir {
  readonly version: string;
  readonly types: readonly { readonly name: string }[] | null;
  readonly services: readonly { readonly methods: readonly { readonly name: string }[] | null }[] | null;
}

async function irOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ir> {
  using dir = folder({ "good.ridl": good });
  const { code, out, err } = await ridlkit(["ir", "good.ridl", ...args], { cwd: dir.path, env });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Ir;
}

const methodNames = ({ services }: Ir) =>
  services?.flatMap(({ methods }) => methods?.map(({ name }) => name) ?? []);

test("the IR goes to standard output, and --hash is the SHA-1 of it", async () => {
  using dir = folder({ "good.ridl": good });
  const { code, out, err } = await ridlkit(["ir", "good.ridl"], { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect((JSON.parse(out) as Ir).types?.map(({ name }) => name)).toEqual(["Kind", "Pet"].toSorted());
  const hash = createHash("sha1").update(out).digest("hex");
  expect(await ridlkit(["ir", "--hash", "good.ridl"], { cwd: dir.path })).toEqual({
    code: 0,
    out: `${hash}\n`,
    err: "",
  });
  const json = await ridlkit(["ir", "--hash", "--format=json", "good.ridl"], { cwd: dir.path });
  expect(JSON.parse(json.out)).toEqual({ hash });
});

test("an IR file gives the same IR again", async () => {
  using dir = folder({ "good.ridl": good });
  const { out } = await ridlkit(["ir", "good.ridl"], { cwd: dir.path });
  using second = folder({ "good.json": out });
  expect((await ridlkit(["ir", "good.json"], { cwd: second.path })).out).toBe(out);
});

test("a rejected schema leaves standard output empty", async () => {
  using dir = folder({ "bad.ridl": bad });
  const text = await ridlkit(["ir", "bad.ridl"], { cwd: dir.path });
  expect([text.code, text.out]).toEqual([1, ""]);
  expect(text.err).toContain('error[RK308]: There is no type "Kin".\n --> bad.ridl:8:11\n');
  const json = await ridlkit(["ir", "--format", "json", "bad.ridl"], { cwd: dir.path });
  expect([json.code, json.out]).toEqual([1, ""]);
  expect(JSON.parse(json.err)).toMatchObject({ ok: false, diagnostics: [{ code: "RK308" }] });
});

test("warnings go to standard error and keep the IR; --strict refuses it", async () => {
  using dir = folder({ "doubtful.ridl": doubtful });
  const lax = await ridlkit(["ir", "doubtful.ridl"], { cwd: dir.path });
  expect([lax.code, JSON.parse(lax.out)]).toEqual([0, expect.objectContaining({ name: "pets" })]);
  expect(lax.err).toContain("warning[RK305]");
  expect((await ridlkit(["ir", "doubtful.ridl", "--quiet"], { cwd: dir.path })).err).toBe("");
  const strict = await ridlkit(["ir", "doubtful.ridl", "--strict"], { cwd: dir.path });
  expect([strict.code, strict.out]).toEqual([1, ""]);
});

test.each([
  [[], ["FindPet", "ListPets"]],
  [["--match", "@internal"], ["FindPet"]],
  [["-match=@internal"], ["FindPet"]],
  [["--ignore", "@internal"], ["ListPets"]],
  [["--ignore=@internal", "--match="], ["ListPets"]],
  [
    ["--service", "Pets"],
    ["FindPet", "ListPets"],
  ],
  [["--service="], ["FindPet", "ListPets"]],
])("%j keeps %j", async (args, names) => {
  expect(methodNames(await irOf(args))).toEqual(names);
});

test.each([["--methodTreeShake"], ["-method-tree-shake"], ["--method-tree-shake=true"]])(
  "%s drops the types that no method needs",
  async (flag) => {
    expect((await irOf(["--service=Pets", flag])).types?.map(({ name }) => name)).toEqual(["Pet"]);
  },
);

test.each([
  [[], {}, "v1.0.0"],
  [[], { WEBRPC_SCHEMA_VERSION: "v7" }, "v7"],
  [[], { WEBRPC_SCHEMA_VERSION: "" }, "v1.0.0"],
  [["--schema-version=v8"], { WEBRPC_SCHEMA_VERSION: "v7" }, "v8"],
  [["--schema-version="], { WEBRPC_SCHEMA_VERSION: "v7" }, "v7"],
])("%j with %j gives version %s", async (args, env, version) => {
  expect((await irOf(args, env)).version).toBe(version);
});

test("a service that is not there is an error", async () => {
  using dir = folder({ "good.ridl": good });
  const { code, out, err } = await ridlkit(["ir", "good.ridl", "--service", "Pet"], { cwd: dir.path });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain('error[RK811]: The service "Pet" is selected, but the schema does not declare it.');
  expect(err).toContain('Did you mean "Pets"?');
  const far = await ridlkit(["ir", "good.ridl", "--service", "Billing"], { cwd: dir.path });
  expect(far.err).toContain("The services are Pets");
});

test("misspelled annotations of filters are warnings; others may not be in use yet", async () => {
  using dir = folder({ "good.ridl": good });
  const errOf = async (...args: readonly string[]) =>
    (await ridlkit(["ir", "good.ridl", ...args], { cwd: dir.path })).err;
  const misspelled = await errOf("--ignore", "@interal");
  expect(misspelled).toContain("warning[RK812]");
  expect(misspelled).toContain('Did you mean "@internal"?');
  expect(await errOf("--ignore", "@internal,@partners")).toBe("");
});

test("aliases that tree shaking drops are named", async () => {
  const text = `${good}\ntype Id: uint64\ntype Unused: uint64\nservice Keys\n  - Get(id: Id)\n`;
  using dir = folder({ "good.ridl": text });
  const { code, err } = await ridlkit(["ir", "good.ridl", "--service", "Keys", "--method-tree-shake"], {
    cwd: dir.path,
  });
  expect([code, err]).toEqual([
    0,
    "ridlkit: --method-tree-shake drops aliases that are in use, as webrpc does: Id\n",
  ]);
});

const manyTypes = Array.from({ length: 8_000 }, (_, index) => `struct T${index}\n  - id: uint64\n`).join(
  "\n",
);

test("a large IR arrives whole through a slow pipe", async () => {
  using dir = folder({ "large.ridl": `${good}\n${manyTypes}` });
  const child = start(["ir", "large.ridl"], { cwd: dir.path });
  child.stderr?.resume();
  await new Promise((done) => setTimeout(done, 1_000));
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  const code = await new Promise((done) => child.on("close", done));
  expect(code).toBe(0);
  expect((JSON.parse(out) as Ir).types).toHaveLength(8_002);
});

test("a reader that closes the pipe after the start of the IR gets no error", async () => {
  using dir = folder({ "large.ridl": `${good}\n${manyTypes}` });
  const child = start(["ir", "large.ridl"], { cwd: dir.path });
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  child.stdout?.once("data", () => child.stdout?.destroy());
  const code = await new Promise((done) => child.on("close", done));
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test("a full disk is not taken for success", () => {
  using dir = folder({ "good.ridl": good });
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [program, "ir", "good.ridl"], {
    cwd: dir.path,
    env: {},
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "ridlkit: Cannot write to standard output: ENOSPC: no space left on device, write.\n",
  });
});

test("--expand writes derived structs as structs, which the explorer shows", async () => {
  const derived = "type NewPet: Pet\n  + omit = id\ntype PetPatch: NewPet\n  + partial = true\n";
  using dir = folder({ "good.ridl": `${good}\n${derived}` });
  const kindsOf = (text: string) =>
    (JSON.parse(text) as { types: { name: string; kind: string }[] }).types.map(
      ({ name, kind }) => `${kind} ${name}`,
    );
  const plain = await ridlkit(["ir", "good.ridl"], { cwd: dir.path });
  expect(kindsOf(plain.out)).toEqual(["alias NewPet", "alias PetPatch", "enum Kind", "struct Pet"]);
  const { out } = await ridlkit(["ir", "--expand", "good.ridl"], { cwd: dir.path });
  expect(kindsOf(out)).toEqual(["struct NewPet", "struct PetPatch", "enum Kind", "struct Pet"]);
  const converted = await ridlkit(["convert", "--expand", "--to=ir", "good.ridl"], { cwd: dir.path });
  expect(converted.out).toBe(out);
  await ridlkitProcess(["generate", "--target=explorer", "--out=api", "good.ridl"], { cwd: dir.path });
  const shown: unknown = JSON.parse(readFileSync(join(dir.path, "api/explorer/schema.json"), "utf8"));
  expect(shown).toEqual(JSON.parse(out));
});
