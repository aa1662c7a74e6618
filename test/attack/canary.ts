import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Koa from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { createRecorder } from "../../generated/recorder.ts";
import {
  createServer as createRpc,
  type Handlers,
  markedFields,
  memoryIdempotencyStore,
} from "../../generated/server.ts";
import type { Plan, PlannedField, PlannedMethod, TypeFinder } from "../../generator/codegen/plan/plan.ts";
import type { ResolvedType } from "../../generator/language/model/types.ts";
import { DatabaseOutage } from "../../server/host/observability/database-outage.ts";
import { DatabaseProblems } from "../../server/host/observability/database-problems.ts";
import { createEvents } from "../../server/host/observability/events.ts";
import { openLog } from "../../server/host/observability/log.ts";
import { Metrics } from "../../server/host/observability/metrics.ts";
import { RandomValues } from "../fuzz/random-value.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { methodsOf } from "./fuzz.ts";
import type { AttackOptions } from "./part.ts";

export interface CanaryTally {
  readonly calls: number;
  readonly crashes: number;
  readonly logLines: number;
  readonly recorded: number;
  /** Values planted into marked fields. */
  readonly planted: number;
  /** Log lines, recorded calls and error bodies that contain a planted value. */
  readonly leaks: readonly string[];
}

/**
 * Calls every method with handlers that respond, respond with invalid data, or crash in every possible way. Every marked field
 * contains a canary, which must not occur in a log line, a recording or an error body.
 */
export async function releaseCanaries(seed: number, count: number): Promise<CanaryTally> {
  const plan = platformPlan();
  const random = seededRandom(seed);
  const lines: string[] = [];
  const log = openLog({
    level: "debug",
    fields: markedFields,
    errorMessages: false,
    to: { write: (line: string) => void lines.push(line) },
  });
  const events = createEvents(log, new Metrics({ version: "test", schemaVersion: "test" }), {
    outage: new DatabaseOutage(log, new DatabaseProblems(log)),
    logAddresses: false,
    traceId: () => undefined,
  });
  const planter = new Planter(plan, random);
  const state = { crashes: 0 };
  const koa = new Koa();
  const handlers = hostileHandlers(plan, planter, random, state);
  const folder = mkdtempSync(join(tmpdir(), "canary-"));
  const recording = join(folder, "calls.ndjson");
  const recorder = createRecorder(recording);
  const idempotency = { store: memoryIdempotencyStore(), scope: () => "" };
  koa.use(
    koaMiddleware(
      createRpc(handlers, { checkResponses: true, onResponse: events.called, recorder, idempotency }),
    ),
  );
  const http = createServer(koa.callback());
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const requests = new RandomValues(plan, "request", random);
  const leaks: string[] = [];
  for (let call = 0; call < count; call++) {
    const method = random.pick(methodsOf(plan));
    const body = requests.body(method.request.typeName, false);
    planter.plant(body, method.request.typeName);
    const { status, text } = await post(port, method.path, JSON.stringify(body));
    if (status !== 200 && text.includes(canary)) leaks.push(`body: ${text}`);
  }
  await new Promise((resolve) => http.close(resolve));
  await recorder.written();
  const recorded = readFileSync(recording, "utf8").split("\n").slice(0, -1);
  rmSync(folder, { recursive: true });
  leaks.push(...recorded.filter((line) => line.includes(canary)));
  leaks.push(...lines.filter((line) => line.includes(canary)));
  return {
    calls: count,
    crashes: state.crashes,
    logLines: lines.length,
    recorded: recorded.length,
    planted: planter.planted,
    leaks,
  };
}

/** Part of every planted value; cannot occur in a log by chance. */
const canary = "kanarienvogel";

/** Plants canaries into the marked fields of a value. */
class Planter {
  readonly #finder: TypeFinder;
  readonly #random: Random;
  planted = 0;

  constructor(plan: Plan, random: Random) {
    this.#finder = plan.finder;
    this.#random = random;
  }

  get text(): string {
    this.planted++;
    const number = this.#random.below(1_000_000);
    return this.#random.pick([
      `${canary}${number}`,
      `${canary}${number}@mail.example`,
      `whsec_${canary}${number}`,
      `"${canary}" (${number})\n    at ${canary} (x.ts:1:2)`,
    ]);
  }

  plant(value: unknown, typeName: string): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const record = value as Record<string, unknown>;
    for (const field of this.#finder.struct(typeName).fields) this.#plantField(record, field);
  }

  #plantField(record: Record<string, unknown>, { wireName, type, constraints }: PlannedField): void {
    // Sometimes of a wrong type, so that validation errors of the field are reported.
    if (constraints.secret || constraints.pii)
      record[wireName] = this.#random.chance(20) ? { [this.text]: [this.text] } : this.text;
    else this.#plantInside(record[wireName], type);
  }

  #plantInside(value: unknown, type: ResolvedType): void {
    const end = this.#finder.unaliased(type);
    if (end.kind === "struct") this.plant(value, end.name);
    if (end.kind === "list" && Array.isArray(value))
      for (const item of value) this.#plantInside(item, end.element);
    if (end.kind === "map" && typeof value === "object" && value !== null)
      for (const item of Object.values(value)) this.#plantInside(item, end.value);
  }
}

function hostileHandlers(plan: Plan, planter: Planter, random: Random, state: { crashes: number }): Handlers {
  const replies = new RandomValues(plan, "response", random);
  const handler =
    ({ response }: PlannedMethod) =>
    async (): Promise<unknown> => {
      const reply = replies.body(response.typeName, random.chance(20));
      planter.plant(reply, response.typeName);
      if (random.chance(50)) return reply;
      state.crashes++;
      throw crash(reply, planter, random);
    };
  return Object.fromEntries(
    plan.services.map(({ name, methods }) => [
      name,
      Object.fromEntries(methods.map((method) => [method.name, handler(method)])),
    ]),
  ) as unknown as Handlers;
}

function crash(row: unknown, planter: Planter, random: Random): unknown {
  const { text } = planter;
  return random.pick<() => unknown>([
    () => new Error(`cannot store ${text}`),
    () => new TypeError(`${text} is not a function`),
    () =>
      Object.assign(new Error(`duplicate key ${text}`), {
        code: "23505",
        detail: `Key (email)=(${text})`,
        row,
      }),
    () => new Error("outer", { cause: new Error(JSON.stringify(row), { cause: text }) }),
    () => new AggregateError([new Error(text)], text),
    () => text,
    () => row,
    () => ({ message: text, stack: `Error: ${text}\n    at ${text}` }),
    () => {
      try {
        return JSON.parse(text);
      } catch (err) {
        return err;
      }
    },
    () => {
      try {
        return new URL(text);
      } catch (err) {
        return err;
      }
    },
  ])();
}

function post(
  port: number,
  path: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Authorization: `BEARER ${canary}`,
      "X-Access-Key": canary,
      Cookie: canary,
    };
    const sent = request(
      { port, host: "127.0.0.1", method: "POST", path: `${path}?q=${canary}`, headers },
      (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export async function reportCanaries({ seed }: AttackOptions): Promise<readonly string[]> {
  const { calls, crashes, logLines, recorded, planted, leaks } = await releaseCanaries(seed, 5_000);
  console.log(
    `${calls} calls, ${crashes} crashes, ${planted} canaries in marked fields, ${logLines} log lines, ${recorded} recorded calls, ${leaks.length} leaks`,
  );
  return leaks.slice(0, 5);
}
