/** Data of errors in the tools: earlier versions, the mock, tests, documents and agents. */
import { beforeAll, describe, expect, test } from "vitest";
import { emitFiles } from "../../../generator/codegen/generate.ts";
import { possibleErrors } from "../../../generator/codegen/plan/errors.ts";
import { createMock } from "../../../generator/tools/mock/mock.ts";
import { ResponseChecker } from "../../../generator/verify/contract-test/checkers.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { ResponseValidator } from "../../../generator/verify/responses/response-validator.ts";
import { planOf } from "../../support/sample-plan.ts";
import { contractOf, loadVersions, transportTo } from "../../support/versions.ts";
import { apiOf, json, toolsOf } from "./mcp/api.ts";

const contract = (version: string, quota: string, data = true): string => `webrpc = v1
name = store
version = ${version}
basepath = /rpc
error 1 Quota "quota exceeded" HTTP 429
struct Usage
${quota}
${data ? "type QuotaData: Usage\n  + errorData = Quota" : ""}
service Store
  - Put(id: string) errors Quota
`;

const first = contract("v1.0.0", "  - limit: int32\n  - left: int32\n    + default = 0");
const second = contract("v2.0.0", "  - max: int64\n    + renamedFrom = limit\n  - until: string");

type Makers = Readonly<Record<string, (data?: object) => Error>>;

async function bodyOf(live: LoadedContract, data: object, version: string): Promise<unknown> {
  const Put = ({ errors }: { readonly errors: Makers }) => errors["Quota"]?.(data);
  const server = live.createServer({ Store: { Put } }, { versions: {} });
  const response = await transportTo(live, server)("http://store.test/rpc/Store/Put", {
    method: "POST",
    headers: { "content-type": "application/json", webrpc: `webrpc@v0.48.0;gen@v1;store@${version}` },
    body: '{"id":"a"}',
  });
  return response.json();
}

describe("an earlier version", () => {
  test("gets the data in its own form", async () => {
    const [, live] = await loadVersions([first, second]);
    if (live === undefined) throw new Error("no version");
    const data = { max: 7, until: "noon" };
    expect(await bodyOf(live, data, "v2.0.0")).toMatchObject({ data });
    expect(await bodyOf(live, data, "v1.0.0")).toMatchObject({ error: "Quota", data: { limit: 7 } });
  });

  test("gets the error alone if its data cannot be converted", async () => {
    const [, live] = await loadVersions([first, second]);
    if (live === undefined) throw new Error("no version");
    const body = await bodyOf(live, { max: 5_000_000_000, until: "noon" }, "v1.0.0");
    expect(body).toMatchObject({ error: "Quota", status: 429 });
    expect(body).not.toHaveProperty("data");
  });

  test("without data gets none, and so does one whose successor has none", async () => {
    const without = contract("v2.0.0", "  - limit: int32", false);
    const [, older] = await loadVersions([without.replace("v2.0.0", "v1.0.0"), second]);
    const [, newer] = await loadVersions([first, without]);
    if (older === undefined || newer === undefined) throw new Error("no version");
    for (const live of [older, newer])
      expect(await bodyOf(live, { max: 7, until: "noon" }, "v1.0.0")).not.toHaveProperty("data");
  });
});

describe("the tools", () => {
  let live: LoadedContract;
  beforeAll(async () => {
    live = await loadInMemory(contractOf(second));
  });

  test("the mock generates data, which tests check", async () => {
    const { own } = createMock(live, {
      ...{ seed: 1, delayMs: 0, items: 1, itemDelayMs: 0, errorRate: 0, wantsCredentials: false },
      ...{ credentialHeaders: new Map(), records: 0, onCall: () => {} },
    });
    const fetch = transportTo(live, own["server"] as object);
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", "mock-error": "Quota" },
      body: '{"id":"a"}',
    };
    const response = await fetch("http://store.test/rpc/Store/Put", init);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      error: "Quota",
      data: { max: expect.any(Number), until: expect.any(String) },
    });
    const checker = new ResponseChecker(live.plan, await ResponseValidator.of(live.jsonSchema));
    const [method] = live.plan.services[0]?.methods ?? [];
    if (method === undefined) throw new Error("no method");
    const check = (body: string) =>
      checker.check(method, { status: 429, text: body, contentType: "application/json" });
    expect(check(text)).toEqual({ error: { name: "Quota", code: 1, status: 429 } });
    const { data: _data, ...without } = JSON.parse(text) as Record<string, unknown>;
    expect(check(JSON.stringify(without)).violation).toMatchObject({ rule: "response-schema" });
    expect(check(JSON.stringify({ ...without, data: { max: "7" } })).violation?.message).toMatch(
      /^the data of Quota: /,
    );
    expect(possibleErrors(live.plan, method)).toHaveLength(1);
  });

  test("OpenAPI documents describe the data", () => {
    const plan = planOf({ "m.ridl": second }, "m.ridl");
    const files = emitFiles(plan, { targets: ["openapi"], openapi: { format: "json" } });
    const document = JSON.parse(files.get("openapi/openapi.json") ?? "");
    expect(document.components.schemas.QuotaError).toMatchObject({
      properties: { data: { $ref: "#/components/schemas/QuotaData" } },
      required: ["error", "code", "msg", "status"],
    });
    expect(document.components.schemas).toHaveProperty("QuotaData");
  });

  test("agents get the declared fields, without secrets", async () => {
    const api = apiOf(`error 1 Quota "quota exceeded" HTTP 429
struct Usage
  - limit: uint64
  - key: string
    + secret = true
type QuotaData: Usage
  + errorData = Quota
service Store
  - Put(id: string) errors Quota
`);
    const body =
      '{"error":"Quota","code":1,"msg":"m","status":429,"data":{"limit":9007199254740993,"key":"k","more":1}}';
    const { search, call } = toolsOf(api, async () => json(body, 429));
    const described = await search("Store.Put");
    expect(described).toContain("Errors: Quota (429: quota exceeded, with data: QuotaData)");
    expect(described).toContain("limit");
    const { content } = await call("Store.Put", { id: "a" });
    expect(JSON.stringify(content)).toContain('\\"data\\":{\\"limit\\":9007199254740993}');
  });
});
