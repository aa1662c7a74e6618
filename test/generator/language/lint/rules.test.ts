import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { lint } from "../../../../generator/language/lint/lint.ts";
import { lintRules } from "../../../../generator/language/lint/rules/index.ts";
import { lintSettings } from "../../../../generator/language/lint/settings.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

/** Rule, schema, and the locations of its findings. */
const rows: readonly (readonly [rule: string, source: string, at: readonly string[]])[] = [
  ["naming-types", "struct User_Role\nenum eRole: string\n - a\n".replace("eRole", "E_R"), ["E_R", "User_Role"]],
  ["naming-types", "struct URL\nstruct ERC20\ntype UserID: string\n", []],
  ["naming-fields", "struct T\n - created_at: string\n - ID: string\n - userID: string\n", ["created_at", "ID"]],
  ["naming-fields", "service S\n - P(user_id: string) => (user: string)\n", ["user_id"]],
  ["naming-methods", "service S\n - get_user()\n - getUser()\n - GetUser2()\n", ["get_user", "getUser"]],
  ["naming-enum-values", "enum E: string\n - ACTIVE\n - inactive\n", ["inactive"]],
  ["naming-enum-values", "enum E: string\n - active\n - inActive\n - not_there\n", ["not_there"]],
  ["naming-enum-values", "enum E: string\n - ERC20\n - ERC_721\n - X\n", []],
  ["naming-enum-values", "enum E: string\n - a\n - b_c\nenum F: string\n - A\n - B_C\n", []],
  ["naming-errors", 'error 1 Not_Found "m"\nerror 2 Gone "m"\n', ["Not_Found"]],
  ["missing-docs", "struct A\n# of B\nstruct B\n  - a: string\n", ["A"]],
  ["missing-docs", 'error 1 E "m" # said\n# S\nservice S\n - P()\n  # Q\n  @a\n - Q()\n', ["P"]],
  ["unused-types", "struct A\n - b: []B\nstruct B\nstruct C\nservice S\n - P(a: A)\n", ["C"]],
  ["unused-types", "struct A\ntype K: E\nenum E: string\n - a\nservice S\n - P(a: map<K,int>) => stream (b: any)\n", ["A"]],
  ["unused-types", "struct A\nservice S\n - P(A) => (A)\n", []],
  ["unused-types", "struct A\n", []],
  ["unused-errors", 'error 1 A "m"\nerror 2 B "m"\nservice S\n - P() errors A\n', ["B"]],
  ["unused-errors", 'error 1 A "m"\nerror 2 B "m"\nservice S\n - P() errors A\n - Q()\n', []],
  ["unused-errors", 'error 1 A "m"\nservice S\n @noErrors\n - P()\n', ["A"]],
  ["unused-errors", 'error 1 A "m"\nerror 2 B "m"\nservice S\n - P() errors A\n @noErrors\n - Q()\n', ["B"]],
  ["unused-errors", 'error 1 A "m"\nerror 2 B "m"\nservice S\n - P() errors A\n @noErrors:false\n - Q()\n', []],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n - P() errors A\n - Q()\nservice T\n - R()\n', ["Q", "R"]],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n - P() errors A\n @noErrors\n - Q()\n', []],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n @noErrors\n - P()\n - Q()\n', ["Q"]],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n @noErrors:yes\n - P()\n - Q() errors A\n', ["P"]],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n - P()\n - Q()\n', []],
  ["precision-loss", "struct A\n - a: uint64\n - b: []int\n - c: uint32\n - d: bigint\n", ["uint64", "[]int"]],
  ["precision-loss", "struct A\n - a: uint64\n   + maximum = 9007199254740991\n - b: uint\n   + maximum = 9007199254740992\n", ["uint"]],
  ["precision-loss", "struct A\n - a: int64\n   + maximum = 5\n - b: int64\n   + maximum = 5\n   + minimum = -5\n", ["int64"]],
  ["precision-loss", "type Id: uint64\nstruct A\n - id: Id\nservice S\n - P(n: map<string,int64>)\n", ["uint64", "map<string,int64>"]],
  ["precision-loss", "struct A\n - a: []uint64\n", ["[]uint64"]],
  ["unsafe-pattern", 'type A: string\n + pattern = "^(a+)+$"\ntype B: string\n + pattern = "^a+$"\n', ['"^(a+)+$"']],
  ["deprecated-without-advice", 'service S\n @deprecated\n - P()\n @deprecated:"use P"\n - Q()\n', ["@deprecated"]],
  ["deprecated-without-advice", 'struct A\n - a: string\n   + deprecated = true\n - b: string\n   + deprecated = "use c"\n', ["+ deprecated = true"]],
  ["deprecated-without-advice", 'service S\n @deprecated:"TRUE"\n - P()\n @deprecated:" yes "\n - Q()\n @deprecated:"1"\n - R()\n @deprecated:"yes, use P"\n - T()\n', ['@deprecated:"TRUE"', '@deprecated:" yes "', '@deprecated:"1"']],
  ["deprecated-without-advice", "type A: string\n + deprecated = 1\nstruct B\n - a: string\n   + deprecated = 10\n", ["+ deprecated = 1"]],
  ["missing-errors-clause", 'error 1 A "m"\nservice S\n - P() errors A\n - proxy Q\n', []],
  ["missing-docs", "#\nstruct A\nenum E: uint8\n - A\ntype T: string\n", ["A", "E", "T"]],
  ["unused-types", "struct A\n - b: map<string,B>\nstruct B\ntype C: D\nstruct D\nservice S\n - P(a: []A) => (c: C)\n", []],
  ["unused-types", "struct A\n - a?: A\nservice S\n - P()\n", ["A"]],
  ["unused-errors", 'error 1 A "m"\n', []],
  ["naming-fields", "type Some_type: string\nstruct T\n - a1: string\n - A_: string\n", ["A_"]],
  ["marked-in-url", 'struct A\n - d: string\n - e: string\n  + json = -\n  + secret = true\nservice S\n - P(A) => (A)\n   GET /p/{d}\n', []],
  ["marked-in-url", "struct A\n - d: map<string,[]K>\ntype K: L\ntype L: string\n + secret = true\nservice S\n - P(a: []K)\n   DELETE /p\n - Q(a: L)\n   QUERY /p\n - R(a: A)\n @readonly @cache:\"1s\"\n - T(a: A)\n", ["P", "Q", "T"]],
  ["mixed-enum-values", "enum E: uint8\n - A = 5\n - B\n - C = 7\nenum F: uint8\n - A\nenum G: string\n - A = a\n - B\n", ["B"]],
  ["implicit-enum-values", "enum E: uint8\n - A\n - B\nenum F: uint8\n - A = 0\nenum G: string\n - A\n", ["E"]],
  ["marked-in-url", 'struct A\n - b: []C\nstruct C\n - d: string\n  + secret = true\nservice S\n @readonly @cache:"1s"\n - P(a: A)\n', ["P"]],
  ["marked-in-url", "type K: string\n + pii = true\nservice S\n - P(k: K)\n   GET /p\n - Q(k: K)\n   POST /p\n", ["P"]],
  ["marked-in-url", 'struct A\n - d: string\n  + secret = true\nservice S\n @readonly\n - P(A) => (A)\n @readonly @cache:"1s"\n - Q() => (a: A)\n', []],
  ["marked-in-url", 'struct A\n - a?: A\n - d: string\n  + secret = true\nservice S\n @readonly @cache:"1s"\n - P(A) => (A)\n', ["P"]],
  ["misspelled-annotations", "service S\n @idempotencykey @Auth:a\n - P()\n @pagination:\"a,b,c\" @noError @depricated @resumable @rezume\n - Q()\n", ["idempotencykey", "Auth", "pagination", "noError", "depricated", "resumable", "rezume"]],
  ["misspelled-annotations", "service S\n @idempotencyKey @auth:a @mcp @team\n - P()\n @oauth @authz @external @public @tcp\n - Q()\n", []],
  ["unchecked-format", 'struct A\n - a: string\n   + format = regex\n - b: string\n   + format = uri-reference\n   + pattern = "^/"\n - c: string\n   + format = password\ntype B: string\n + format = iri\n', ["regex", "iri"]],
  ["foreign-annotations", 'service S\n @GET @http_get:"/x" @get:"/x/{id}"\n - P()\n @status:201 @requiresAuth @hidden\n - Q()\n', ["GET", "http_get", "get", "status", "requiresAuth", "hidden"]],
  ["foreign-annotations", "struct A\nservice S\n @get:A @team @oauth @roles:admin @public @note:x\n - P()\n @create:A @internal @auth:a\n - Q()\n", []],
]; // biome-ignore format: a table reads better than a column

describe("each rule reports its findings at the right location", () => {
  test.each(rows)("%s: %j", async (rule, source, at) => {
    const found = await findings(source, { [rule]: "warning" });
    expect(found.map(({ text }) => text).toSorted()).toEqual([...at].toSorted());
    expect(new Set(found.map(({ name }) => name)).size).toBeLessThanOrEqual(1);
  });

  test("with a message and advice", async () => {
    const lines: string[] = [];
    for (const [rule, source] of rows)
      for (const { text, message, advice } of await findings(source, { [rule]: "warning" }))
        lines.push(`${rule}, ${text}: ${message}${advice === undefined ? "" : ` ${advice}`}\n`);
    await expect([...new Set(lines)].join("")).toMatchFileSnapshot("golden/messages.txt");
  });

  test("every rule has an invalid and a valid row", () => {
    const names = lintRules.map(({ name }) => name);
    const broken = new Set<string>(rows.filter(([, , at]) => at.length > 0).map(([rule]) => rule));
    expect(names.filter((name) => !broken.has(name))).toEqual([]);
  });
});

describe("a comment ignores a finding", () => {
  const ignore = (comment: string): string => `${comment}\nstruct User_Role\n`;

  test.each([
    ["above", ignore("#! ridlkit-ignore naming-types: as in the database")],
    ["among others above", ignore("# Docs.\n#! ridlkit-ignore missing-docs, naming-types: old\n# More.")],
    ["on its line", "struct User_Role #! ridlkit-ignore naming-types: old\n"],
    ["at the top of the file", `#! ridlkit-ignore-file naming-types: old\n\n${ignore("")}`],
  ])("%s", async (_, source) => {
    expect(await findings(source, { "naming-types": "error" })).toEqual([]);
  });

  test.each([
    ["of another rule", ignore("#! ridlkit-ignore missing-docs: old")],
    ["that is documentation", ignore("# ridlkit-ignore naming-types: old")],
    ["parted by a blank line", ignore("#! ridlkit-ignore naming-types: old\n")],
    ["at the end of the line above", `type Name: string ${ignore("#! ridlkit-ignore naming-types: old")}`],
  ])("but not one %s", async (_, source) => {
    expect(await findings(source, { "naming-types": "error" })).toHaveLength(1);
  });

  test.each([
    ["right above", "  #! ridlkit-ignore naming-types: old\n  # Docs.\n  User_Role: string\n", 0],
    ["on the line", "  User_Role: string #! ridlkit-ignore naming-types: old\n", 0],
    ["parted by a blank line", "  #! ridlkit-ignore naming-types: old\n\n  User_Role: string\n", 1],
  ])("in YAML, %s", async (_, types, count) => {
    const text = `webrpc: v1\nname: t\nversion: v1\ntypes:\n${types}`;
    const { result } = compile("m.yaml", memoryReader({ "m.yaml": text }));
    if (result === undefined) throw new Error("it is refused");
    expect(await lint(result.scopes, lintSettings({ "naming-types": "error" }))).toHaveLength(count);
  });

  test("for a meta line, the comment is above the field", async () => {
    const source =
      'struct A\n  #! ridlkit-ignore unsafe-pattern: short\n  - a: string\n    + pattern = "^(a+)+$"\n';
    expect(await findings(source, { "unsafe-pattern": "error" })).toEqual([]);
  });

  test("the comment changes neither the IR nor the documentation", () => {
    const irOf = (text: string): unknown =>
      compile("m.ridl", memoryReader({ "m.ridl": header + text })).result?.ir;
    const docs = "# Docs.\nstruct A\n  - a: string\n";
    expect(irOf(`#! ridlkit-ignore naming-types: x\n${docs}`)).toEqual(irOf(docs));
  });

  test("an unknown rule is reported with a suggestion", async () => {
    const source = "#! ridlkit-ignore naming-type: old\nstruct A\n";
    expect(await findings(source, { preset: "recommended" })).toMatchObject([
      { name: "unknown-lint-rule", text: "naming-type", advice: 'Did you mean "naming-types"?' },
    ]);
  });
});

test("findings of imported files are located there", async () => {
  const files = { "lib/a.ridl": "webrpc = v1\nstruct A_B\n" };
  expect(await findings("import lib/a.ridl\n", { "naming-types": "warning" }, files)).toMatchObject([
    { text: "A_B", path: "lib/a.ridl" },
  ]);
});

describe("settings", () => {
  test("a preset gives warnings, and the setting of a single rule overrides it", () => {
    expect(lintSettings("off").size).toBe(0);
    for (const settings of [lintSettings(), lintSettings("default"), lintSettings({})])
      expect([...settings]).toEqual([
        ["unsafe-pattern", "warning"],
        ["misspelled-annotations", "warning"],
        ["foreign-annotations", "warning"],
      ]);
    expect(lintSettings("strict").size).toBe(lintRules.length);
    const settings = lintSettings({ preset: "recommended", "naming-types": "off", "missing-docs": "error" });
    expect([...settings]).toContainEqual(["missing-docs", "error"]);
    expect([...settings]).toContainEqual(["unsafe-pattern", "warning"]);
    expect(settings.has("naming-types")).toBe(false);
    expect(settings.has("unused-types")).toBe(false);
  });
});

interface Found {
  readonly name: string;
  readonly text: string;
  readonly path: string;
  readonly message: string;
  readonly advice: string | undefined;
}

async function findings(
  body: string,
  settings: Parameters<typeof lintSettings>[0],
  files: Files = {},
): Promise<Found[]> {
  const { result, diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": header + body, ...files }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return (await lint(result.scopes, lintSettings(settings))).map(({ name, at, path, message, advice }) => {
    return { name, text: at?.file.text.slice(at.span.start, at.span.end) ?? "", path, message, advice };
  });
}
