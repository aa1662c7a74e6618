/** The short forms of `npm run attack`: what must hold on any machine, however busy. The long forms print figures. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signatureCall, sourcesCall, walletCall } from "../../../attack/calls.ts";
import { releaseCanaries } from "../../../attack/canary.ts";
import { fuzzMethod, methodsOf } from "../../../attack/fuzz.ts";
import { goodCalls, sendSlowly } from "../../../attack/slow.ts";
import { stopUnderLoad } from "../../../attack/stop.ts";
import { type AttackedHost, startAttackedHost } from "../../../support/attacked-host.ts";
import { openLoop } from "../../../support/open-loop.ts";
import { platformPlan } from "../../../support/platform-plan.ts";
import { startSlowDatabaseHost } from "../../../support/slow-database.ts";

const seed = Number(process.env["SEED"] ?? 20_261);
const ofSeed = `seed ${seed}`;

/** A host that tests without options of their own share. */
let attacked: AttackedHost;

beforeAll(async () => {
  attacked = await startAttackedHost(["--check-responses"]);
});

afterAll(async () => {
  await attacked[Symbol.asyncDispose]();
  // The host logs errors only.
  expect(attacked.host.err()).toBe("");
});

test("random bodies get a success or an error of the method's contract, and reach every handler", async () => {
  const plan = platformPlan();
  for (const method of methodsOf(plan)) {
    const { findings } = await fuzzMethod(attacked, { plan, method, seed, count: 100 });
    expect(findings, ofSeed).toEqual([]);
  }
});

test("log lines, recordings and error bodies never contain secrets or personal data, whatever crashes", async () => {
  const { leaks, crashes, logLines, recorded, planted } = await releaseCanaries(seed, 600);
  expect(leaks, ofSeed).toEqual([]);
  expect(logLines).toBe(600);
  expect(recorded).toBe(600);
  expect(crashes).toBeGreaterThan(200);
  expect(planted).toBeGreaterThan(200);
});

test("valid calls get responses while slow senders are connected", async () => {
  await using _slow = await sendSlowly(attacked.port, 300);
  const { latencies, lost } = await goodCalls(attacked, 2_000);
  expect(lost).toBe(0);
  expect([...latencies.keys()]).toEqual([200]);
});

test("a call above the maximum number of concurrent calls is Overloaded, and the other gets a response", async () => {
  const sockets: Socket[] = [];
  const silentNode = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silentNode, "listening");
  const { port } = silentNode.address() as AddressInfo;
  await using small = await startAttackedHost(["--max-concurrent-calls", "1", "--networks", "31337"], {
    RPC_URLS: `31337=http://127.0.0.1:${port}`,
  });
  const bytes = walletCall(small.headers);
  const oneCall = { port: small.port, requestsPerSecond: 1_000, durationMs: 1, connections: 1 };
  const isRunning = once(silentNode, "connection");
  const first = openLoop({ ...oneCall, request: () => bytes });
  await isRunning;
  const second = await openLoop({ ...oneCall, request: () => bytes });
  silentNode.close();
  for (const socket of sockets) socket.destroy();
  expect([...second.latencies.keys()]).toEqual([503]);
  // The first call waits until its node is gone: without one, the host cannot tell whether the wallet signed.
  expect([...(await first).latencies.keys()]).toEqual([503]);
});

test("calls above the capacity are Overloaded, and the others get responses", async () => {
  await using small = await startAttackedHost(["--max-concurrent-calls", "1"]);
  const bytes = signatureCall(small.headers);
  const load = { port: small.port, requestsPerSecond: 4_000, durationMs: 1_500, connections: 200 };
  const { latencies, lost } = await openLoop({ ...load, request: () => bytes });
  expect(lost).toBe(0);
  expect(latencies.get(503)?.length).toBeGreaterThan(0);
  expect([...latencies.values()].flat().length).toBeGreaterThan(latencies.get(503)?.length ?? 0);
});

test("calls above the database's capacity are Overloaded, the others get responses, and the host stays ready", async () => {
  await using slow = await startSlowDatabaseHost(50, ["--database-connections", "2"]);
  const bytes = sourcesCall(slow.headers, slow.host.projectId);
  const load = { port: slow.port, requestsPerSecond: 400, durationMs: 1_500, connections: 400 };
  const answers = openLoop({ ...load, request: () => bytes });
  await sleep(1_000);
  expect((await fetch(`${slow.host.adminUrl}/readyz`)).status).toBe(200);
  const { latencies, lost } = await answers;
  expect(lost).toBe(0);
  expect([...latencies.keys()].sort()).toEqual([200, 503]);
  expect(latencies.get(503)?.length).toBeGreaterThan(0);
});

test("a stop under load loses no call", async () => {
  const { answered, lost, code } = await stopUnderLoad(200);
  expect({ lost, code }).toEqual({ lost: 0, code: 0 });
  // All calls sent before the stop, except for the last one on each connection.
  expect(answered).toBeGreaterThanOrEqual(150);
});
