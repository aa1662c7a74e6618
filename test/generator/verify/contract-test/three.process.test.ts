import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  type LoadedServer,
  loadInMemory,
} from "../../../../generator/verify/in-memory/load.ts";
import { readRecording } from "../../../../generator/verify/replay/recording.ts";
import { replay } from "../../../../generator/verify/replay/replay.ts";
import { ResponseValidator } from "../../../../generator/verify/responses/response-validator.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { rightShelf, type Shelf } from "./shelf.ts";
import { shelf as schema } from "./shelf-schema.ts";

/** The contract of the shelf, with a file that is sent, a file that is returned, and a field with personal data. */
const contract = schema
  .replaceAll("  - code: string\n", "  - code: string\n    + pii = true\n")
  .replace(
    "service Shelf\n",
    "service Shelf\n  @public - Scan(note: string, page: file) => (pages: uint32)\n  @public - Print(note: string) => (file)\n",
  );

let live: LoadedContract;
let responses: ResponseValidator;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "three-"));
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": contract }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  live = await loadInMemory(result);
  responses = await ResponseValidator.of(live.jsonSchema, { checksFormats: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface GuardCall {
  readonly method: { readonly name: string; readonly annotations: Readonly<Record<string, unknown>> };
  readonly errors: Readonly<Record<string, () => Error>>;
  header(name: string): string | undefined;
}

function handlersOf(shelf: Shelf): object {
  const { add: AddBook, get: GetBook, list: ListBooks, rename: RenameBook, drop: DropBook } = shelf;
  const Scan = () => ({ pages: 1 });
  const Print = () => new Blob(["a page"]);
  return { Shelf: { AddBook, GetBook, ListBooks, RenameBook, DropBook, Scan, Print } };
}

function listenerOf(server: LoadedServer): RequestListener {
  return live.nodeListener(server);
}

/** The generated server on a socket, with a recorder. */
async function serveShelf(shelf: Shelf, recorder: LoadedRecorder) {
  const guard = ({ method, header, errors }: GuardCall): void => {
    if (method.annotations["auth"] !== undefined && header("authorization") !== "BEARER t")
      throw errors["Unauthorized"]?.();
  };
  const guards = [
    (call: GuardCall) =>
      guard({ method: call.method, errors: call.errors, header: (name) => call.header(name) }),
  ];
  const http = createServer(listenerOf(live.createServer(handlersOf(shelf), { guards, recorder })));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

function findingsAt(address: string): Promise<readonly Finding[]> {
  const send = sendTo({ address, credentials: { authorization: "BEARER t" } }, () => 60_000);
  return new Suite(
    { plan: live.plan, responses, send },
    {
      seed: 1,
      count: 8,
      readOnly: false,
      isTimeUp: () => false,
      isSelected: () => true,
      sendsCredentials: true,
    },
  ).run();
}

async function recordedFindings(path: string): Promise<readonly Finding[]> {
  const recording = readRecording(readFileSync(path, "utf8"));
  if (!("calls" in recording)) throw new Error(`line ${recording.badLine}`);
  expect(recording.calls.length).toBeGreaterThan(100);
  return checkRecordedCalls({
    plan: live.plan,
    responses,
    calls: recording.calls,
    allows: requestChecker(live),
  });
}

test("a recording is replayed against another version, with generated values for redacted ones", async () => {
  const path = join(folder, "replayed.ndjson");
  await using recorder = live.createRecorder(path);
  await using server = await serveShelf(rightShelf(), recorder);
  await findingsAt(server.address);
  await recorder.written();
  const recording = readRecording(readFileSync(path, "utf8"));
  const calls = "calls" in recording ? recording.calls : [];
  const options = { seed: 1, count: 2, calls };
  expect(await replay(live, live, options)).toEqual([]);
  const stricter = contract
    .replace('"^[a-z]{2}-[0-9]{3}$"', '"^[a-c]{2}-[0-9]{3}$"')
    .replace("maximum = 1000", "maximum = 10");
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": stricter }));
  if (result === undefined) throw new Error("the contract has a fault");
  const mishaps = await replay(live, await loadInMemory(result), options);
  expect(
    mishaps.filter(({ verdict }) => verdict === "breaks").map(({ method, where }) => `${method} ${where}`),
  ).toContain("ListBooks request");
});

describe("one suite", () => {
  test("passes on a real server, and on the recording of its calls", async () => {
    const path = join(folder, "right.ndjson");
    await using recorder = live.createRecorder(path);
    await using server = await serveShelf(rightShelf(), recorder);
    expect(await findingsAt(server.address)).toEqual([]);
    await recorder.written();
    expect(await recordedFindings(path)).toEqual([]);
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/"code":"[a-z]{2}-/);
    // Scan is called with its file and without it.
    const scans = text.split("\n").filter((line) => line.includes('"Scan"'));
    expect(new Set(scans.map((line) => /"status":([0-9]+)/.exec(line)?.[1]))).toEqual(
      new Set(["200", "400"]),
    );
    expect(text.match(/"file":true/g)?.length).toBeGreaterThan(5);
  });

  test("passes on the mock", async () => {
    await using host = new DevServer(0);
    const faults: string[] = [];
    const settings = { seed: 1, delayMs: 0, items: 3, itemDelayMs: 0, errorRate: 0, records: 3 };
    const mock = createMock(live, {
      ...settings,
      wantsCredentials: true,
      credentialHeaders: new Map(),
      onCall: ({ method, cause }) => void (cause === undefined || faults.push(`${method}: ${cause}`)),
    });
    await host.swap(mock, () => {});
    expect(await findingsAt(host.url)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("finds in a recording every violation that a single call shows", async () => {
    const shelf = rightShelf();
    const { get, list } = shelf;
    shelf.get = (ctx, req) => {
      const answer = get(ctx, req) as { book: Record<string, unknown> };
      return { book: { ...answer.book, genre: "diary" } };
    };
    shelf.list = (ctx, req) => {
      if (req["size"] === 1) throw new Error("no page of one");
      return list(ctx, req);
    };
    const path = join(folder, "wrong.ndjson");
    await using recorder = live.createRecorder(path);
    await using server = await serveShelf(shelf, recorder);
    await findingsAt(server.address);
    await recorder.written();
    const found = (await recordedFindings(path)).map(({ method, rule }) => `${method} ${rule}`);
    expect(found.sort()).toEqual(["Shelf.GetBook response-schema", "Shelf.ListBooks no-internal-errors"]);
  });
});
