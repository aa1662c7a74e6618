import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isOmitted } from "../../../../generator/codegen/plan/plan.ts";
import { compile } from "../../../../generator/language/compile.ts";
import type { WireSettings } from "../../../../generator/tools/cli/config/schemas.ts";
import { sendTo } from "../../../../generator/tools/cli/contract-test/send-calls.ts";
import { DevServer } from "../../../../generator/tools/dev/dev-server.ts";
import { createMock } from "../../../../generator/tools/mock/mock.ts";
import { Suite } from "../../../../generator/verify/contract-test/suite.ts";
import {
  type LoadedContract,
  loadInMemory,
  NothingToServe,
} from "../../../../generator/verify/in-memory/load.ts";
import { multipartForm } from "../../../../generator/verify/replay/http-request.ts";
import { ResponseValidator } from "../../../../generator/verify/responses/response-validator.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { Samples } from "../../../../generator/verify/samples/values.ts";
import { allCases } from "../../../conformance/cases.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

/** What the generated validators say of a mock's answers, each method asked this often with another request. */
async function faultsOf(
  live: LoadedContract,
  times: number,
): Promise<{ readonly calls: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const mock = createMock(live, {
    seed: 1,
    delayMs: 0,
    items: 2,
    itemDelayMs: 0,
    errorRate: 0,
    records: 3,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: ({ method, status, cause }) => {
      if (status >= 500 || cause !== undefined) faults.push(`${method} ${status}: ${cause}`);
    },
  });
  const fetch = live.fetchHandler(mock.own["server"] as never);
  let calls = 0;
  const random = seededRandom(5);
  for (const { methods } of live.plan.services)
    for (const { path, request, files } of methods.filter((one) => !isOmitted(one)))
      for (let time = 0; time < times; time++) {
        const optional = (["all", "none", "some"] as const)[time % 3] ?? "some";
        const samples = new Samples(live.plan, { side: "request", random, style: "plain", optional });
        const sent = samples.body(request.typeName);
        const isForm = files.length > 0;
        const body = isForm
          ? multipartForm(
              sent,
              files.map(({ name }) => name),
            )
          : JSON.stringify(sent);
        const headers: Record<string, string> = isForm ? {} : { "content-type": "application/json" };
        const response = await fetch(new Request(`http://mock${path}`, { method: "POST", headers, body }));
        const text = await response.text();
        calls++;
        if (response.status === 400) faults.push(`${path} refuses ${JSON.stringify(sent)}: ${text}`);
        if (text.includes("webrpcError")) faults.push(`${path}: ${text}`);
      }
  return { calls, faults };
}

/** What `ridlkit test` finds in a mock. */
async function findingsOf(live: LoadedContract, count = 10): Promise<readonly string[]> {
  const mock = createMock(live, {
    seed: 1,
    delayMs: 0,
    items: 2,
    itemDelayMs: 0,
    errorRate: 0,
    records: 3,
    wantsCredentials: true,
    credentialHeaders: new Map(),
    onCall: () => {},
  });
  await using host = new DevServer(0);
  await host.swap(mock, () => {});
  const target = { address: host.url, credentials: { authorization: "any" } };
  const suite = new Suite(
    {
      plan: live.plan,
      responses: await ResponseValidator.of(live.jsonSchema, { checksFormats: true }),
      send: sendTo(target, () => Number.POSITIVE_INFINITY),
    },
    {
      seed: 1,
      count,
      readOnly: false,
      isTimeUp: () => false,
      isSelected: () => true,
      sendsCredentials: true,
    },
  );
  const found = await suite.run();
  return found.map(({ rule, method, message }) => `${method} [${rule}]: ${message}`);
}

async function liveOf(entry: string, files: Readonly<Record<string, string>>, settings: WireSettings) {
  const { result } = compile(entry, memoryReader(files));
  if (result === undefined) return undefined;
  return loadInMemory({ ...result, ...settings }).catch((err: unknown) => {
    if (err instanceof NothingToServe) return undefined;
    throw err;
  });
}

const fixtures = new URL("../../../fixtures/", import.meta.url);
const names = readdirSync(fixtures).filter((name) => existsSync(new URL(`${name}/schema.ridl`, fixtures)));

test.each(names)(
  "answers of a mock of %s keep to the schema, and ridlkit test finds nothing",
  async (name) => {
    const text = readFileSync(new URL(`${name}/schema.ridl`, fixtures), "utf8");
    const live = await liveOf(
      "schema.ridl",
      { "schema.ridl": text },
      { int64: "bigint", timestamps: "Date" },
    );
    if (live === undefined) throw new Error("the schema has faults");
    const { calls, faults } = await faultsOf(live, 9);
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(8);
    expect(await findingsOf(live)).toEqual([]);
  },
);

test("answers of a mock of the platform keep to its schema, and ridlkit test finds nothing", async () => {
  const entry = new URL("../../../../schema/platform.ridl", import.meta.url).pathname;
  const { result } = compile(entry, { read: (path) => ({ kind: "bytes", bytes: readFileSync(path) }) });
  if (result === undefined) throw new Error("the schema has faults");
  const live = await loadInMemory({ ...result, int64: "bigint" });
  const { calls, faults } = await faultsOf(live, 6);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  expect(await findingsOf(live, 3)).toEqual([]);
});

test("answers of mocks of the conformance schemas keep to them, and ridlkit test finds nothing", async () => {
  let count = 0;
  const told: string[] = [];
  for (const { name, request } of allCases()) {
    if (request.kind !== "ridl" || !/^service /m.test(request.files["m.ridl"] ?? "")) continue;
    // Each twentieth, and one with an enum that has no value: bundling a schema takes as long as a hundred of its calls.
    if (count++ % 20 !== 0 && name !== "method-argument-map") continue;
    const live = await liveOf("m.ridl", request.files, {});
    if (live === undefined) continue;
    const { faults } = await faultsOf(live, 3);
    told.push(...[...faults, ...(await findingsOf(live))].map((fault) => `${name}: ${fault}`));
  }
  expect(told).toEqual([]);
});
