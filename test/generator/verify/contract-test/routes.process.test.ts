/** Tests, recordings and replays of methods with routes, for each type that a path or a query can hold. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { sendTo } from "../../../../generator/tools/cli/contract-test/send-calls.ts";
import { DevServer } from "../../../../generator/tools/dev/dev-server.ts";
import { createMock } from "../../../../generator/tools/mock/mock.ts";
import type { Finding } from "../../../../generator/verify/contract-test/call.ts";
import { requestChecker } from "../../../../generator/verify/contract-test/checkers.ts";
import { checkRecordedCalls } from "../../../../generator/verify/contract-test/recorded-calls.ts";
import { Suite } from "../../../../generator/verify/contract-test/suite.ts";
import {
  type LoadedContract,
  type LoadedRecorder,
  loadInMemory,
} from "../../../../generator/verify/in-memory/load.ts";
import { type RecordedCall, readRecording } from "../../../../generator/verify/replay/recording.ts";
import { type ReplayFinding, replay } from "../../../../generator/verify/replay/replay.ts";
import { ResponseValidator } from "../../../../generator/verify/responses/response-validator.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { routedHandlers } from "../../runtime/routes/handlers.ts";

const schema = readFileSync(new URL("../../../fixtures/routes/schema.ridl", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "routes-"));
let live: LoadedContract;
let responses: ResponseValidator;
/** The test of a correct server, and its recording. */
let right: Awaited<ReturnType<typeof record>>;

beforeAll(async () => {
  live = await load(schema);
  responses = await ResponseValidator.of(live.jsonSchema, { checksFormats: true });
  right = await record("right", routedHandlers);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load(text: string): Promise<LoadedContract> {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  return loadInMemory(result);
}

async function serve(handlers: object, recorder: LoadedRecorder) {
  const http = createServer(live.nodeListener(live.createServer(handlers, { recorder })));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

async function findingsAt(address: string): Promise<readonly Finding[]> {
  const send = sendTo({ address, credentials: {} }, () => 60_000);
  const options = {
    seed: 1,
    count: 20,
    readOnly: false,
    isTimeUp: () => false,
    isSelected: () => true,
    sendsCredentials: true,
  };
  const suite = new Suite({ plan: live.plan, responses, send }, options);
  const found = await suite.run();
  expect(suite.coverage.unreached).toEqual([]);
  return found;
}

/** Tests a server and records the calls. */
async function record(name: string, handlers: object) {
  const path = join(folder, `${name}.ndjson`);
  await using recorder = live.createRecorder(path);
  await using server = await serve(handlers, recorder);
  const found = await findingsAt(server.address);
  await recorder.written();
  const recording = readRecording(readFileSync(path, "utf8"));
  if (!("calls" in recording)) throw new Error(`line ${recording.badLine}`);
  const { calls } = recording;
  const recorded = await checkRecordedCalls({
    plan: live.plan,
    responses,
    calls,
    allows: requestChecker(live),
  });
  return { found, calls, recorded };
}

function rules(found: readonly Finding[]): readonly string[] {
  return found.map(({ method, rule }) => `${method} ${rule}`).sort();
}

test("a correct server and the recording of its calls have no findings", () => {
  const { found, calls, recorded } = right;
  expect(found).toEqual([]);
  expect(recorded).toEqual([]);
  expect(calls.length).toBeGreaterThan(300);
  expect(new Set(calls.map(({ method }) => method)).size).toBe(17);
});

test("a faulty server has the same findings in a recording, which show calls on routes", async () => {
  const { found, recorded } = await record("wrong", {
    ...routedHandlers,
    Items: {
      ...routedHandlers.Items,
      GetItem: () => ({ item: { id: 1, name: 7, tags: [] } }),
      ListItems: () => {
        throw new Error("fails");
      },
    },
  });
  expect(rules(found)).toEqual(["Items.GetItem response-schema", "Items.ListItems no-internal-errors"]);
  expect(rules(recorded)).toEqual(rules(found));
  expect(found[0]?.calls).toEqual([{ verb: "GET", path: expect.stringMatching(/^\/rpc\/items\/[0-9]+$/) }]);
  expect(recorded[1]?.calls).toEqual([
    { verb: "GET", path: expect.stringMatching(/^\/rpc\/items[?]limit=/) },
  ]);
});

test("the mock has no findings", async () => {
  await using host = new DevServer(0);
  const settings = { seed: 1, delayMs: 0, items: 3, itemDelayMs: 0, errorRate: 0, records: 3 };
  const mock = createMock(live, {
    ...settings,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: () => {},
  });
  await host.swap(mock, () => {});
  expect(await findingsAt(host.url)).toEqual([]);
});

function breaksOf(found: readonly ReplayFinding[]): readonly string[] {
  return found
    .filter(({ verdict }) => verdict === "breaks")
    .map(({ service, method, where, message }) => `${service}.${method} ${where}: ${message}`);
}

test("recorded and generated calls are replayed on the routes of their version", async () => {
  expect(await replay(live, live, { seed: 1, count: 5, calls: right.calls })).toEqual([]);
  expect(await replay(live, live, { seed: 1, count: 5 })).toEqual([]);
});

test.each<[string, (text: string) => string, readonly string[]]>([
  [
    "another verb",
    (text) => text.replace("PUT /{id}", "POST /{id}"),
    [
      "Items.UpdateItem request: the server returns 405: bad method: unsupported HTTP method PUT (allowed: GET, POST, PATCH, DELETE)",
    ],
  ],
  [
    "another path",
    (text) => text.replace("GET /{id}/children/{childId}", "GET /{id}/child/{childId}"),
    ["Items.GetChild request: the server returns 404: bad route"],
  ],
  [
    "no route",
    (text) => text.replace("    POST /reset\n", ""),
    [
      "Items.ResetItems request: the server returns 405: bad method: unsupported HTTP method POST (allowed: GET, PUT, PATCH, DELETE)",
    ],
  ],
  [
    "a route",
    (text) => `${text}`.replace("RpcMethod(id: uint64) => (id: uint64)", "$&\n    GET /rpc/{id}"),
    ["Items.RpcMethod request: the server returns 404: bad route"],
  ],
  [
    "a narrower value in the path",
    (text) => text.replace("GetItem(id: uint64)", "GetItem(id: uint16)"),
    [
      expect.stringMatching(
        /^Items.GetItem request: the server returns 400.*is not a valid uint16$/,
      ) as never,
    ],
  ],
  [
    "a new required value in the query",
    (text) => text.replace("  - limit: uint32\n  - tags", "  - more: string\n  - limit: uint32\n  - tags"),
    [
      expect.stringMatching(
        /^Items.ListItems request: the server returns 400.*missing query param 'more'$/,
      ) as never,
    ],
  ],
])("a replay finds %s", async (_name, change, expected) => {
  const other = await load(change(schema));
  expect(breaksOf(await replay(live, other, { seed: 1, count: 20 }))).toEqual(expected);
});

test("a replay finds that a new route takes the calls of an old one", async () => {
  const before = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc
service Things
  - Find(name: string) => ()
    GET /things/{name}
`;
  const call = (name: string): RecordedCall => ({
    service: "Things",
    method: "Find",
    request: { name },
    response: undefined,
  });
  const versions = [
    await load(before),
    await load(`${before}  - New() => ()\n    GET /things/new\n`),
  ] as const;
  const options = { seed: 1, count: 1, calls: [call("old"), call(".."), call("new")] };
  expect(breaksOf(await replay(...versions, options))).toEqual([
    "Things.Find request: the server calls Things.New",
  ]);
});
