import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, ridlkit } from "../../../support/program.ts";
import { good } from "../../../support/schemas.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const schemas = [{ entry: "api.ridl" }];

test("style rules are off by default", async () => {
  using dir = folder({ "api.ridl": good });
  expect((await ridlkit(["lint", "api.ridl"], { cwd: dir.path })).err).toBe("");
  const { code, err } = await ridlkit(["lint", "--preset", "strict", "api.ridl"], { cwd: dir.path });
  expect(code).toBe(0);
  expect(err).toContain('warning[RK721]: No method uses the type "Kind".');
});

test("a configuration sets a preset and severities; an error rejects the schema, and so does a warning under --strict", async () => {
  using dir = folder({
    "api.ridl": good,
    "ridlkit.config.json": JSON.stringify({ lint: { "unused-types": "error" }, schemas }),
    "lax.json": JSON.stringify({
      lint: "strict",
      schemas: [{ ...schemas[0], lint: { "unused-types": "warning" } }],
    }),
  });
  expect(await codes(["lint"], dir.path)).toEqual({ code: 1, codes: ["RK721"] });
  expect(await codes(["lint", "--config", "lax.json"], dir.path)).toEqual({ code: 0, codes: ["RK721"] });
  expect(await codes(["lint", "--config", "lax.json", "--strict"], dir.path)).toEqual({
    code: 1,
    codes: ["RK721"],
  });
  expect(await codes(["lint", "--preset", "off"], dir.path)).toEqual({ code: 0, codes: [] });
});

test("a rule, severity or preset that does not exist is refused, with the one that was meant", async () => {
  const lint = { preset: "strikt", "unused-type": "error", "missing-docs": "warn" };
  using dir = folder({ "ridlkit.config.json": JSON.stringify({ lint, schemas }, null, 1) });
  const { code, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect(code).toBe(2);
  expect(err).toContain('lint.preset must be "off", "default", "recommended" or "strict", found "strikt".');
  expect(err).toContain('There is no setting "lint.unused-type".');
  expect(err).toContain('Did you mean "unused-types"?');
  expect(err).toContain('lint.missing-docs must be "off", "warning" or "error", found "warn".');
  expect((await ridlkit(["lint", "--preset", "all", "api.ridl"], { cwd: dir.path })).code).toBe(2);
});

test("the bundled program finds a pattern that explodes without being asked, unless rules are off", async () => {
  using dir = folder({
    "api.ridl": `${good}\ntype Label: string\n  + pattern = "^(a+)+$"\n`,
    "off.json": JSON.stringify({ lint: "off", schemas }),
    "object.json": JSON.stringify({ lint: { "unused-types": "off" }, schemas }),
  });
  const { code, err } = await ridlkit(["lint", "api.ridl"], { cwd: dir.path });
  expect(code).toBe(0);
  expect(err).toContain(
    "warning[RK731]: The time to match this pattern is exponential in the length of the input.",
  );
  expect(await codes(["lint", "--config", "off.json"], dir.path)).toEqual({ code: 0, codes: [] });
  expect(await codes(["lint", "--config", "object.json"], dir.path)).toEqual({ code: 0, codes: ["RK731"] });
  expect(await codes(["lint", "--preset", "off", "api.ridl"], dir.path)).toEqual({ code: 0, codes: [] });
});

test("without a preset a comment that names no rule is left alone", async () => {
  using dir = folder({ "api.ridl": `#! ridlkit-ignore-file no-such-rule: of another tool\n\n${good}` });
  expect(await codes(["lint", "api.ridl"], dir.path)).toEqual({ code: 0, codes: [] });
});

test("the platform's schema is clean under the rules that its configuration sets", async () => {
  const { code, err } = await ridlkit(["lint"], { cwd: root });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

async function codes(
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; codes: string[] }> {
  const { code, out } = await ridlkit([...args, "--format", "json"], { cwd });
  return { code, codes: (JSON.parse(out) as FindingsJson).diagnostics.map((one) => one.code) };
}
