import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HistoryJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, ridlkit } from "../../../support/program.ts";

const config = `schemas:
  - entry: api.ridl
    out: out
    targets: [types]
    history: schema/history
`;

function schema(version: string, methods: string): string {
  return `webrpc = v1\nname = shop\nversion = ${version}\nbasepath = /rpc\n\nservice Shop\n${methods}`;
}

const first = "  - Price(item: string) => (cents: uint32)\n";
const more = `${first}  - Buy(item: string)\n`;

function project() {
  const dir = folder({ "ridlkit.config.yaml": config, "api.ridl": schema("v1.0.0", first) });
  const run = (...args: readonly string[]) => ridlkit(["history", ...args], { cwd: dir.path });
  const edit = (version: string, methods: string): void =>
    writeFileSync(join(dir.path, "api.ridl"), schema(version, methods));
  const kept = (version = "latest"): string => join(dir.path, `schema/history/${version}.webrpc.json`);
  return { run, edit, kept, path: dir.path, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("versions are kept, listed, and their changes are printed", async () => {
  using at = project();
  expect(await at.run("add")).toEqual({
    code: 0,
    out: "api.ridl: kept v1.0.0 in schema/history/latest.webrpc.json\n",
    err: "",
  });
  const { out: ir } = await ridlkit(["ir", "api.ridl"], { cwd: at.path });
  expect(readFileSync(at.kept(), "utf8")).toBe(ir);

  at.edit("v1.0.0", more);
  expect((await at.run("list")).out).toBe(`api.ridl: v1.0.0, 1 kept version in schema/history
  v1.0.0  1 service, 1 method, 0 types
Since v1.0.0: 1 addition. Next: v1.1.0 or higher.
`);
  at.edit("v1.1.0", more);
  expect(await at.run("add")).toEqual({
    code: 0,
    out: `api.ridl: kept v1.1.0 in schema/history/latest.webrpc.json
Since v1.0.0: 1 addition. Next: v1.1.0 or higher.
`,
    err: "",
  });
  at.edit("v2.0.0", more.replace("item: string)\n", "item: string, count: uint32)\n"));
  expect((await at.run("changelog")).out).toBe(`# Versions of \`shop\`

## v2.0.0 (unreleased)

### Breaking

- \`Shop.Buy(count)\` is required, but clients do not know it. (RK750, converted for v1.1.0)

## v1.1.0

### Added

- method \`Shop.Buy\`

## v1.0.0

The first version.
`);
  const { out } = await at.run("changelog", "--format", "json");
  const { ok, histories } = JSON.parse(out) as { ok: boolean; histories: readonly HistoryJson[] };
  expect(ok).toBe(true);
  expect(histories).toEqual([
    {
      schema: "api.ridl",
      project: "api",
      folder: "schema/history",
      version: "v2.0.0",
      kept: [
        { version: "v1.0.0", path: "schema/history/v1.0.0.webrpc.json" },
        { version: "v1.1.0", path: "schema/history/latest.webrpc.json" },
      ],
      since: { version: "v1.1.0", release: "major", next: "v2.0.0" },
      changelog: [
        {
          version: "v2.0.0",
          released: false,
          since: "v1.1.0",
          breaking: [
            {
              code: "RK750",
              message: '"Shop.Buy(count)" is required, but clients do not know it.',
              converted: true,
            },
          ],
          warnings: [],
          added: [],
          renamed: [],
          deprecated: [],
        },
        {
          version: "v1.1.0",
          released: true,
          since: "v1.0.0",
          breaking: [],
          warnings: [],
          added: [{ kind: "method", name: "Shop.Buy" }],
          renamed: [],
          deprecated: [],
        },
        { version: "v1.0.0", released: true },
      ],
    },
  ]);
});

test("the changelog lists renames, and marks what a server converts for old clients", async () => {
  using at = project();
  at.edit("v1.0.0", `${more}  - Gone()\n`);
  await at.run("add");
  at.edit(
    "v2.0.0",
    `  @renamedFrom:Price\n  - Quote(item: string, currency: string) => (cents: uint32)\n  - Buy(item: string)\n`,
  );
  expect((await at.run("changelog")).out).toBe(`# Versions of \`shop\`

## v2.0.0 (unreleased)

### Breaking

- Clients call \`Shop.Gone\`, which was removed from the server. (RK742)
- Clients call \`Shop.Price\`, which is \`Shop.Quote\` now. (RK742, converted for v1.0.0)
- \`Shop.Quote(currency)\` is required, but clients do not know it. (RK750, converted for v1.0.0)

### Renamed

- \`Shop.Price\` is now \`Shop.Quote\`

## v1.0.0

The first version.
`);
  const { out } = await at.run("changelog", "--format", "json");
  const { histories } = JSON.parse(out) as { histories: readonly HistoryJson[] };
  const [newest] = histories[0]?.changelog ?? [];
  expect(newest?.breaking?.map(({ code, converted }) => [code, converted])).toEqual([
    ["RK742", undefined],
    ["RK742", true],
    ["RK750", true],
  ]);
  expect(newest?.renamed).toEqual([{ from: "Shop.Price", to: "Shop.Quote" }]);
});

test("a kept version never changes", async () => {
  using at = project();
  await at.run("add");
  const before = readFileSync(at.kept(), "utf8");
  expect(await at.run("add")).toEqual({
    code: 0,
    out: "api.ridl: schema/history/latest.webrpc.json is up to date\n",
    err: "",
  });
  at.edit("v1.0.0", more);
  const { code, out, err } = await at.run("add");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain('error[RK536]: The contract differs from its kept version "v1.0.0".');
  expect(err).toContain(
    "Set the version of the schema to v1.1.0 or higher: clients with v1.0.0 rely on its contract.",
  );
  expect(readFileSync(at.kept(), "utf8")).toBe(before);
});

test("a version that is too low for its changes is kept with a warning, and rejected with --strict", async () => {
  using at = project();
  await at.run("add");
  at.edit("v1.0.1", more);
  const message =
    "The version v1.0.1 is too low: there are additions since v1.0.0, so it must be v1.1.0 or higher.";
  expect((await at.run("add", "--strict")).err).toContain(`error[RK537]: ${message}`);
  expect(existsSync(at.kept("v1.0.0"))).toBe(false);
  const { code, err } = await at.run("add");
  expect(code).toBe(0);
  expect(err).toContain(`warning[RK537]: ${message}`);
  expect(existsSync(at.kept("v1.0.0"))).toBe(true);
});

test("invalid input is reported with what to do", async () => {
  using at = project();
  expect(await at.run()).toMatchObject({
    code: 2,
    err: expect.stringContaining('"history" takes add, list or changelog; found nothing.'),
  });
  expect((await at.run("ad")).err).toContain('found "ad". Did you mean "add"?');
  at.edit("june", first);
  const named = await at.run("add");
  expect(named.code).toBe(1);
  expect(named.err).toContain('error[RK531]: The version "june" is not a semantic version.');
  writeFileSync(join(at.path, "ridlkit.config.yaml"), "schemas:\n  - entry: api.ridl\n");
  expect(await at.run("add")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      '"api.ridl" has no folder for its versions: set "history" in the configuration',
    ),
  });
  writeFileSync(join(at.path, "ridlkit.config.yaml"), config.replace("schema/history", "api.ridl/x"));
  at.edit("v1.0.0", first);
  const blocked = await at.run("add");
  expect(blocked.code).toBe(2);
  expect(blocked.err).toContain('error[RK603]: Cannot write "api.ridl/x/latest.webrpc.json"');
});

test("an edited version makes generated files outdated", async () => {
  using at = project();
  const check = async () =>
    (await ridlkit(["check", "--no-diff", "--target", "server"], { cwd: at.path })).code;
  await at.run("add");
  at.edit("v1.1.0", more);
  await ridlkit(["generate", "--target", "server"], { cwd: at.path });
  expect(await check()).toBe(0);
  // The current version is no earlier one, so nothing is converted for it.
  const whole = readFileSync(at.kept(), "utf8");
  await at.run("add");
  expect(await check()).toBe(0);
  writeFileSync(at.kept("v1.0.0"), whole.replace("string", "uint64"));
  expect(await check()).toBe(1);
  writeFileSync(at.kept("v1.0.0"), "{}");
  const broken = await ridlkit(["generate", "--target", "server"], { cwd: at.path });
  expect(broken.code).toBe(1);
  expect(broken.err).toContain("schema/history/v1.0.0.webrpc.json");
});

test("only the latest version is stored as a whole, and the others as what differs", async () => {
  using at = project();
  await at.run("add");
  const first = readFileSync(at.kept(), "utf8");
  at.edit("v1.1.0", more);
  await at.run("add");
  const second = readFileSync(at.kept(), "utf8");
  const stored = readFileSync(at.kept("v1.0.0"), "utf8");
  expect(JSON.parse(stored)).toEqual({
    next: "v1.1.0",
    hash: createHash("sha1").update(first).digest("hex"),
    lines: ["3,1", '+ "version": "v1.0.0",', "25,13"],
  });
  at.edit("v1.2.0", `${more}  - Sell(item: string)\n`);
  // Git may have changed line breaks.
  writeFileSync(at.kept(), second.replaceAll("\n", "\r\n"));
  await at.run("add");
  expect(readFileSync(at.kept("v1.0.0"), "utf8")).toBe(stored);
  const ir = async (version?: string) => await ridlkit(["ir", at.kept(version)], { cwd: at.path });
  expect([(await ir("v1.0.0")).out, (await ir("v1.1.0")).out]).toEqual([first, second]);

  // Git may change line breaks.
  const latest = readFileSync(at.kept(), "utf8");
  writeFileSync(at.kept(), latest.replaceAll("\n", "\r\n"));
  expect((await ir("v1.0.0")).out).toBe(first);
  writeFileSync(at.kept(), latest.replace("item", "thing"));
  const notRestored = (next: string): string =>
    `error[RK539]: The kept version cannot be restored from the next one, "${next}".`;
  const edited = await ir("v1.0.0");
  expect(edited.err).toContain(notRestored("v1.2.0"));
  expect(edited.code).toBe(1);
  writeFileSync(at.kept(), latest);
  rmSync(at.kept("v1.1.0"));
  expect((await at.run("list")).err).toContain(notRestored("v1.1.0"));
  rmSync(at.kept("v1.0.0"));
  expect((await at.run("list")).code).toBe(0);
});

test("a whole contract in the file of its version stays as it is", async () => {
  using at = project();
  await at.run("add");
  renameSync(at.kept(), at.kept("v1.0.0"));
  const whole = readFileSync(at.kept("v1.0.0"), "utf8");
  for (const [version, methods] of [
    ["v1.1.0", more],
    ["v1.2.0", `${more}  - Sell(item: string)\n`],
  ] as const) {
    at.edit(version, methods);
    await at.run("add");
  }
  expect(readFileSync(at.kept("v1.0.0"), "utf8")).toBe(whole);
  expect((await at.run("list")).out).toContain("3 kept versions");
});

test("a version that refers to itself, or back to an older one, is an error", async () => {
  using at = project();
  await at.run("add");
  for (const [version, next] of [
    ["v0.1.0", "v0.1.0"],
    ["v0.2.0", "v0.3.0"],
    ["v0.3.0", "v0.2.0"],
  ] as const) {
    writeFileSync(at.kept(version), JSON.stringify({ next, hash: "", lines: [] }));
    const { err } = await ridlkit(["ir", at.kept("v0.1.0")], { cwd: at.path });
    expect(err).toContain("error[RK539]");
  }
  expect((await ridlkit(["ir", at.kept("v0.2.0")], { cwd: at.path })).err).toContain("error[RK539]");
});

test("a new version changes few lines of a large contract, whose file keeps its name", async () => {
  using at = project();
  const methods = Array.from(
    { length: 40 },
    (_, index) => `  - Call${index}(item: string) => (count: uint32)\n`,
  );
  const large = methods.join("");
  at.edit("v1.0.0", large);
  await at.run("add");
  const linesOf = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n");
  const before = linesOf(at.kept());
  at.edit("v2.0.0", large.replace("Call7(item", "Call7(name"));
  await at.run("add");
  const after = linesOf(at.kept());
  expect(before.length).toBeGreaterThan(500);
  expect(after.filter((line, index) => line !== before[index])).toEqual([
    ' "version": "v2.0.0",',
    expect.stringContaining('"name"'),
  ]);
  expect(linesOf(at.kept("v1.0.0")).length).toBeLessThan(20);
});

test("two entries of one schema share its history and its diagnostics", async () => {
  const twice = `${config}  - entry: api.ridl\n    name: client\n    out: client\n    targets: [client]\n    history: schema/history\n`;
  using dir = folder({ "ridlkit.config.yaml": twice, "api.ridl": schema("v1.0.0", first) });
  const add = await ridlkit(["history", "add"], { cwd: dir.path });
  expect(add).toEqual({
    code: 0,
    out: "api.ridl: kept v1.0.0 in schema/history/latest.webrpc.json\n",
    err: "",
  });
  const list = await ridlkit(["history", "list"], { cwd: dir.path });
  expect(list.out.match(/1 kept version/g)).toHaveLength(1);
  const lint = await ridlkit(["lint"], { cwd: dir.path });
  expect(lint.out.match(/api[.]ridl/g)).toHaveLength(1);
});

test("values that look like code add no imports to conversions", async () => {
  const enumOf = (value: string): string => `\nenum Side: string\n  - one\n  - two = "${value}"\n`;
  const sell = "  - Sell(side: Side) => (side: Side)\n";
  const servers = config.replace("[types]", "[server]");
  using dir = folder({ "ridlkit.config.yaml": servers, "api.ridl": schema("v1.0.0", sell) + enumOf("v.1") });
  await ridlkit(["history", "add"], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), schema("v2.0.0", sell) + enumOf("v.2"));
  expect(await ridlkit(["generate"], { cwd: dir.path })).toMatchObject({ code: 0 });
  const text = readFileSync(join(dir.path, "out/versions/v1.0.0/converters.ts"), "utf8");
  expect(text).toContain('"v.1"');
  expect(text).not.toContain("import * as v");
});
