import { expect } from "vitest";
import {
  isOmitted,
  type Plan,
  type PlannedMethod,
  type PlannedService,
} from "../../generator/codegen/plan/plan.ts";
import type { FetchHandler } from "../../generator/runtime/src/fetch.ts";
import type { RpcServer } from "../../generator/runtime/src/server.ts";
import type { memoryTransport } from "../../generator/runtime/src/transport.ts";
import type { Validators } from "../../generator/runtime/src/validation.ts";
import { RandomValues } from "../fuzz/random-value.ts";
import { seededRandom } from "../support/random.ts";

type Ask = (...args: unknown[]) => unknown;

/** Generated modules, loaded by name. */
export interface Generated {
  readonly clients: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly errors: Readonly<Record<string, unknown>>;
  readonly server: { readonly createServer: (handlers: object, options: object) => RpcServer };
  readonly fetch: { readonly fetchHandler: (server: RpcServer) => FetchHandler };
  readonly memory: { readonly memoryTransport: typeof memoryTransport };
  readonly validators: Validators;
}

interface Talk {
  /** The request that the handler received. */
  heard: unknown;
  /** The response that it returned. */
  said: unknown;
}

/**
 * Calls every method twice with random requests. Compares what the handler received and what came back with what was
 * sent. Returns the number of calls.
 */
export async function callEverything(generated: Generated, plan: Plan, seed: number): Promise<number> {
  const random = seededRandom(seed);
  const requests = new RandomValues(plan, "request", random);
  const responses = new RandomValues(plan, "response", random);
  const talk: Talk = { heard: undefined, said: undefined };
  const client = connect(generated, plan, talk);
  let calls = 0;
  for (const service of plan.services) {
    for (const method of service.methods.filter((one) => !isOmitted(one))) {
      for (const ask of waysToCall(generated, service, method, client)) {
        const request = requests.body(method.request.typeName, false);
        expect(generated.validators.requests[method.path]?.(request), method.path).toBeUndefined();
        talk.said = responses.body(method.response.typeName, false);
        const given = ask(request);
        const answer = method.streamOutput ? await onlyItem(given as AsyncIterable<unknown>) : await given;
        if (!method.request.isEmpty) expect(talk.heard, method.path).toEqual(request);
        const written = generated.validators.responses[method.path]?.write?.(talk.said) ?? talk.said;
        expect(onWire(answer), method.path).toEqual(method.response.isEmpty ? {} : onWire(written));
        expect(bigintsIn(answer), method.path).toBe(bigintsIn(talk.said));
        calls++;
      }
    }
  }
  return calls;
}

/** Creates a client whose server is in the same process. Handlers return the response that `talk` contains. */
function connect({ server, fetch, memory }: Generated, plan: Plan, talk: Talk): object {
  const handle = (_ctx: unknown, req: unknown): unknown => {
    talk.heard = req;
    return talk.said;
  };
  async function* stream(ctx: unknown, req: unknown): AsyncGenerator<unknown> {
    yield handle(ctx, req);
  }
  const services = plan.services.map(({ name, methods }) => {
    return [
      name,
      Object.fromEntries(methods.map(({ name, streamOutput }) => [name, streamOutput ? stream : handle])),
    ];
  });
  const handler = fetch.fetchHandler(
    server.createServer(Object.fromEntries(services), { checkResponses: true }),
  );
  const transport = memory.memoryTransport(handler);
  return { url: "http://memory", transport };
}

async function onlyItem(stream: AsyncIterable<unknown>): Promise<unknown> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  expect(items.length).toBe(1);
  return items[0];
}

function waysToCall(
  { clients }: Generated,
  { fileName, className }: PlannedService,
  { functionName, memberName }: PlannedMethod,
  client: object,
): readonly Ask[] {
  const module = clients[fileName] ?? {};
  const instance = new (module[className] as new (client: object) => Record<string, Ask>)(client);
  return [
    (req) => (module[functionName] as Ask)(client, req),
    (req) => (instance[memberName] as Ask).call(instance, req),
  ];
}

function onWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner) => (typeof inner === "bigint" ? `${inner}` : inner)));
}

function bigintsIn(value: unknown): number {
  if (typeof value === "bigint") return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + bigintsIn(inner), 0);
}
