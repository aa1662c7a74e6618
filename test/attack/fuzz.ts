import { Agent, request } from "node:http";
import { possibleErrors } from "../../generator/codegen/plan/errors.ts";
import type { Plan, PlannedMethod } from "../../generator/codegen/plan/plan.ts";
import { RandomValues } from "../fuzz/random-value.ts";
import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { greeting } from "./calls.ts";
import type { AttackOptions } from "./part.ts";

export interface Finding {
  readonly path: string;
  readonly body: string;
  readonly why: string;
}

export interface FuzzTally {
  readonly findings: readonly Finding[];
  /** Number of responses by error name; "" is success. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Every current method of the contract. */
export function methodsOf({ services }: Plan): readonly PlannedMethod[] {
  return services.flatMap(({ methods }) => methods);
}

/**
 * Sends random bodies to one method. Each response must be a success, an error of the method's contract, or
 * WebrpcBadRequest, and some bodies must get past the checks of every request.
 */
export async function fuzzMethod(
  { host, port, headers }: AttackedHost,
  {
    plan,
    method,
    seed,
    count,
  }: { readonly plan: Plan; readonly method: PlannedMethod; readonly seed: number; readonly count: number },
): Promise<FuzzTally> {
  const { projectId } = host;
  const valid = { chainId: 137, projectId, projectID: projectId, typedData: greeting };
  const bodies = new RandomBodies(plan, method.request.typeName, { valid, random: seededRandom(seed) });
  const expected = new Set(["WebrpcBadRequest", ...possibleErrors(plan, method).map(({ name }) => name)]);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const findings: Finding[] = [];
  const answers = new Map<string, number>();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const body = bodies.next();
      const { status, text } = await post(agent, port, method.path, body, headers);
      const { name, why } = judge(expected, status, text);
      answers.set(name, (answers.get(name) ?? 0) + 1);
      if (why !== undefined) findings.push({ path: method.path, body: body.slice(0, 2_000), why });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
  if ([...answers.keys()].every((name) => ofChecks.has(name)))
    findings.push({ path: method.path, body: "", why: "no body got past the checks of every request" });
  return { findings, answers };
}

/** Errors of requests that may not have reached a handler. */
const ofChecks: ReadonlySet<string> = new Set([
  "WebrpcBadRequest",
  "InvalidArgument",
  "PermissionDenied",
  "Overloaded",
]);

function judge(
  expected: ReadonlySet<string>,
  status: number,
  text: string,
): { readonly name: string; readonly why: string | undefined } {
  let answer: { readonly error?: unknown; readonly status?: unknown };
  try {
    answer = JSON.parse(text);
  } catch {
    return { name: "not JSON", why: `status ${status}, not JSON: ${text.slice(0, 200)}` };
  }
  if (status === 200) return { name: "", why: undefined };
  const name = String(answer.error);
  if (answer.status !== status)
    return { name, why: `status ${status} with the envelope of ${answer.status}` };
  if (!expected.has(name)) return { name, why: `status ${status}, ${text.slice(0, 200)}` };
  return { name, why: undefined };
}

interface BodyOptions {
  /** Values of fields, by name, for which random values never get past the checks. */
  readonly valid: Readonly<Record<string, unknown>>;
  readonly random: Random;
}

/** Bodies of a type: valid, with one broken rule, or mutated JSON text. */
class RandomBodies {
  readonly #values: RandomValues;
  readonly #random: Random;
  readonly #typeName: string;
  readonly #valid: BodyOptions["valid"];

  constructor(plan: Plan, typeName: string, { valid, random }: BodyOptions) {
    this.#values = new RandomValues(plan, "request", random);
    this.#random = random;
    this.#typeName = typeName;
    this.#valid = valid;
  }

  next(): string {
    const isBroken = this.#random.chance(50);
    const valid: BodyOptions["valid"] = this.#random.chance(80) ? this.#valid : {};
    const body = this.#values.body(this.#typeName, isBroken);
    const text = JSON.stringify(body, (key, value) => valid[key] ?? value) ?? "null";
    return this.#random.chance(30) ? this.#spoilt(text) : text;
  }

  #spoilt(text: string): string {
    const random = this.#random;
    const at = random.below(text.length + 1);
    const [before, after] = [text.slice(0, at), text.slice(at)];
    return random.pick<() => string>([
      () => before,
      () => before + random.pick(['"', "\\", "{", "]", ",", "\0", "\ud800", "1e400", "-", "null"]) + after,
      () => text.replace(/"[^"]*"/, '"__proto__"'),
      () => text.replace(/"[^"]*":/, '"\\u005f_proto__":'),
      () => text.replace(/:"[^"]*"/, ':"\\u0000"'),
      () => text.replace(/:[0-9]+/, ":1e400"),
      () => text.replace(/:[0-9]+/, ":-0"),
      () => text.replace(/:("[^"]*"|[0-9]+)/, `:${"[".repeat(random.below(70))}`),
      () => text.replace(/:("[^"]*"|[0-9]+)/, `:"${"9".repeat(1 + random.below(400))}"`),
      () => text.replace(/:("[^"]*"|[0-9]+)/, ':"\\ud83d"'),
      () => `{${text.slice(1, -1)}${text.length > 2 ? "," : ""}"constructor":{"prototype":{"a":1}}}`,
      () => `{${text.slice(1, -1)}${text.length > 2 ? "," : ""}"more":"${"x".repeat(random.below(5_000))}"}`,
      () => `[${text}]`,
      () => text + text,
    ])();
  }
}

function post(
  agent: Agent,
  port: number,
  path: string,
  body: string,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const headers = { "Content-Type": "application/json", "Content-Length": bytes.length, ...more };
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (res) => {
      let text = "";
      res.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** Most memory growth over the second half of a run, in MiB: more would be a leak per call. */
const growthMaxMib = 30;

export async function reportFuzz({ seed, count }: AttackOptions): Promise<readonly string[]> {
  const plan = platformPlan();
  const methods = methodsOf(plan);
  await using attacked = await startAttackedHost(["--check-responses"]);
  const broken: string[] = [];
  const answers = new Map<string, number>();
  const memory: number[] = [];
  for (const [index, method] of methods.entries()) {
    const tally = await fuzzMethod(attacked, { plan, method, seed: seed + index, count });
    for (const [name, times] of tally.answers) answers.set(name, (answers.get(name) ?? 0) + times);
    for (const { path, body, why } of tally.findings.slice(0, 3)) broken.push(`${path}: ${why}\n  ${body}`);
    memory.push(await attacked.memoryMib());
  }
  const logged = attacked.host.err();
  if (logged !== "") broken.push(`the host logged errors: ${logged.slice(0, 2_000)}`);
  console.log(`${methods.length} methods, ${count} bodies each:`, Object.fromEntries(answers));
  const half = memory.slice(memory.length >> 1);
  console.log(`memory after each method, MiB: ${memory.map((mib) => mib.toFixed(0)).join(" ")}`);
  const growth = (half.at(-1) ?? 0) - (half[0] ?? 0);
  if (growth > growthMaxMib) broken.push(`memory grew by ${growth.toFixed(0)} MiB over the second half`);
  return broken;
}
