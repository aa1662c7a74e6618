/** What servers of a kept version convert is what `ridlkit breaking` calls converted. */
import { describe, expect, test } from "vitest";
import { createPlan } from "../../../../generator/codegen/generate.ts";
import { planSteps } from "../../../../generator/codegen/plan/versions/steps.ts";
import { type CompiledSchema, compile } from "../../../../generator/language/compile.ts";
import { breaking } from "../../../../generator/language/diagnostics/catalog/breaking.ts";
import { findBreaks } from "../../../../generator/verify/breaking/compare.ts";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { type ReplayFinding, replay } from "../../../../generator/verify/replay/replay.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { randomHistory } from "../../codegen/versions/random-edits.ts";
import { printSchema } from "../../codegen/versions/random-history.ts";
import { contract } from "./changes/change.ts";
import { changes } from "./changes/index.ts";

function compiled(text: string, version = "v1.0.0"): CompiledSchema {
  const changed = text.replace("version = v1.0.0", `version = ${version}`);
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": changed }));
  if (result === undefined) throw new Error("the table holds a contract with a fault");
  return result;
}

function verdictOf(old: CompiledSchema, now: CompiledSchema) {
  const found = findBreaks({ before: old.model, now: now.model, first: "servers" });
  const others = found.filter(({ isConvertible }) => isConvertible !== true);
  return {
    // An exported name that stands for another method breaks only code that is compiled again.
    isBroken: others.some(
      ({ severity, code }) => severity === "error" && code !== breaking["name-reused"].code,
    ),
    /** Warnings: some calls may fail. */
    mayBreak: others.length > 0,
    isConverted: found.length > others.length,
  };
}

/** Whether the compiler requires a function of a person. */
function needsFunction(old: CompiledSchema, now: CompiledSchema): boolean {
  return planSteps(createPlan(now.model, now.ir, { history: [old] })).some(({ isCustom }) => isCustom);
}

const rows = changes.map(
  ({ name, before, now }) => [name, compiled(before), compiled(now, "v2.0.0")] as const,
);

describe("calls of old clients fail if a finding is an error that is not converted", () => {
  test.each(rows.filter(([, old, now]) => !needsFunction(old, now)))("%s", async (_name, old, now) => {
    const callers = await loadInMemory(old);
    const server = await loadInMemory({ ...now, history: [old] });
    const found = await replay(callers, server, { seed: 1, count: 40, converts: true });
    const breaks = found.filter(({ verdict }) => verdict === "breaks").map(({ message }) => message);
    const { isBroken, mayBreak } = verdictOf(old, now);
    if (isBroken) expect(breaks).not.toEqual([]);
    if (!mayBreak) expect(breaks).toEqual([]);
  });
});

describe("a change for which the compiler requires a function breaks no calls", () => {
  test.each(rows.filter(([, old, now]) => needsFunction(old, now)))("%s", (_name, old, now) => {
    expect(verdictOf(old, now)).toMatchObject({ isBroken: false, mayBreak: false });
  });
});

/** `npm run fuzz -- versions` tries more histories. */
const count = Number(process.env["VERSION_HISTORIES"] ?? 2);
const firstSeed = Number(process.env["VERSION_SEED"] ?? 1);

describe("calls of old clients break after no random change without an error or a warning", () => {
  test.each(Array.from({ length: count }, (_, index) => firstSeed + index))("seed %i", async (seed) => {
    const { schemas, edits } = randomHistory(seed);
    const versions = schemas.map((schema) => printSchema(schema, "v1.0.0"));
    for (const [index, { name }] of edits.entries()) {
      const [old, now] = [compiled(versions[index] ?? ""), compiled(versions[index + 1] ?? "", "v2.0.0")];
      const callers = await loadInMemory(old);
      const replayed = async (history: readonly CompiledSchema[]): Promise<readonly ReplayFinding[]> => {
        const server = await loadInMemory({ ...now, history });
        return replay(callers, server, { seed, count: 40, converts: history.length > 0 });
      };
      const { isBroken, mayBreak, isConverted } = verdictOf(old, now);
      const about = `${name}, from version ${index}`;
      const isBreak = ({ verdict }: ReplayFinding): boolean => verdict === "breaks";
      const plain = await replayed([]);
      if (!mayBreak && !isConverted) expect(plain.filter(isBreak), about).toEqual([]);
      if (needsFunction(old, now)) continue;
      const converted = await replayed([old]);
      if (!mayBreak) expect(converted.filter(isBreak), about).toEqual([]);
      // Errors whose data cannot be converted arrive without.
      if (isBroken)
        expect(
          converted.filter((one) => isBreak(one) || one.where === "error"),
          about,
        ).not.toEqual([]);
    }
  });
});

test.each([
  ["name?: string", "title?: string\n    + renamedFrom = name", "Ann", { title: "Ann" }, true],
  ["name?: string\n    + alias = title", "title?: string", "Ann", { title: "Ann" }, true],
  ["name?: string", "title?: string", "Ann", {}, false],
  ["name?: string", "name?: string\n    + nullable = always", null, {}, true],
  ["name?: string\n    + nullable = always", "name?: string", null, {}, false],
])(
  "%j became %j: for the name %j, the handler gets %j",
  async (before, after, name, expected, isConverted) => {
    const parts = (request: string) => contract({}).replace("struct In\n", `struct In\n  - ${request}\n`);
    const [old, now] = [compiled(parts(before)), compiled(parts(after), "v2.0.0")];
    const { createServer, fetchHandler } = await loadInMemory({ ...now, history: [old] });
    let request: object = {};
    const Do = (_: object, given: object): object => {
      request = given;
      return { ok: true };
    };
    const headers = { "content-type": "application/json", webrpc: "webrpc@v0;gen@v1;shop@v1.0.0" };
    const response = await fetchHandler(createServer({ Shop: { Do } }))(
      new Request("http://shop/rpc/Shop/Do", {
        method: "POST",
        headers,
        body: JSON.stringify({ id: 1, name }),
      }),
    );
    expect([response.status, request]).toEqual([200, { id: 1, ...expected }]);
    expect(verdictOf(old, now).isConverted).toBe(isConverted);
  },
);
