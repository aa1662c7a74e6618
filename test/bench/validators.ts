import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { buildSync } from "esbuild";
import { emitValidators } from "../../generator/codegen/emit/validators/index.ts";
import { resolveOptions } from "../../generator/codegen/options.ts";
import { buildPlan } from "../../generator/codegen/plan/build.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import { compile } from "../../generator/language/compile.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { seededRandom } from "../support/random.ts";
import { loadValidators, type Validate } from "../support/validators.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { getOrdersRequest, getOrdersResponse } from "./validators/bodies.ts";
import {
  charges,
  payments,
  paymentsSchema,
  readChargesByHand,
  readPaymentsByHand,
} from "./validators/payments.ts";

/** Validates one body per call, from many equal copies: a validator that always meets the same object is unrealistically fast. */
interface Contender {
  readonly name: string;
  readonly run: (turn: number) => unknown;
  /** Calls per round. */
  readonly calls: number;
}

interface Bound {
  readonly of: string;
  readonly against: string;
  /** Maximum ratio of the medians. */
  readonly limit: number;
}

/**
 * A call pays for JSON.parse and JSON.stringify anyway. Validation must stay well below them, and near plain ajv, which neither decodes nor
 * reports what was expected.
 */
const bounds: readonly Bound[] = [
  { of: "read GetOrders request", against: "JSON.parse of it", limit: 0.6 },
  { of: "read GetOrders request", against: "ajv on the request", limit: 1.5 },
  { of: "check GetOrders response", against: "JSON.stringify of it", limit: 0.8 },
  { of: "check GetOrders response", against: "ajv on the response", limit: 1.5 },
  { of: "read payments", against: "payments by hand", limit: 1.5 },
  { of: "read charges", against: "charges by hand", limit: 1.5 },
];

/**
 * Validates GetOrders with 10 inputs and 10 orders, and 30 payments, which are unions without and with a kind, in one process. Compares the cost of generating
 * validators with ajv's.
 */
export async function benchValidators({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const samples = measureRounds(await contenders(), rounds, seed);
  for (const [name, micros] of samples) console.log(`${name.padEnd(26)} ${median(micros).toFixed(2)} µs CPU`);
  printGeneration();
  return bounds.flatMap(({ of, against, limit }) => {
    const ratio = median(samples.get(of) ?? []) / median(samples.get(against) ?? []);
    const sentence = `${of}: ${ratio.toFixed(2)} × ${against}, limit ${limit}`;
    console.log(sentence);
    return ratio > limit ? [sentence] : [];
  });
}

async function contenders(): Promise<readonly Contender[]> {
  const plan = platformPlan();
  const validators = await bundled(plan);
  const payment = await bundled(paymentsPlan());
  const readPayments = payment["readPayRequest"] as Validate;
  const readCharges = payment["readChargeRequest"] as Validate;
  const read = validators["readGetOrdersRequest"] as Validate;
  const check = validators["checkGetOrdersResponse"] as Validate;
  const { jsonSchema } = loadValidators(plan);
  const ajv = openAjv(jsonSchema);
  const compiled = (name: string): ValidateFunction =>
    ajv.getSchema(`${jsonSchema.$id}#/$defs/${name}`) as ValidateFunction;
  const [ajvRequest, ajvAnswer] = [compiled("GetOrdersRequest"), compiled("GetOrdersResponse")];
  const [requestText, answerText] = [JSON.stringify(getOrdersRequest), JSON.stringify(getOrdersResponse)];
  const requests = copies(requestText);
  const answers = copies(answerText);
  const bodies = copies(JSON.stringify(payments));
  const withKinds = copies(JSON.stringify(charges));
  return [
    { name: "read GetOrders request", run: (turn) => read(requests[turn & 63]), calls: 40_000 },
    { name: "ajv on the request", run: (turn) => ajvRequest(requests[turn & 63]), calls: 40_000 },
    { name: "JSON.parse of it", run: () => JSON.parse(requestText), calls: 20_000 },
    { name: "check GetOrders response", run: (turn) => check(answers[turn & 63]), calls: 5_000 },
    { name: "ajv on the response", run: (turn) => ajvAnswer(answers[turn & 63]), calls: 5_000 },
    { name: "JSON.stringify of it", run: (turn) => JSON.stringify(answers[turn & 63]), calls: 3_000 },
    { name: "read payments", run: (turn) => readPayments(bodies[turn & 63]), calls: 20_000 },
    { name: "payments by hand", run: (turn) => readPaymentsByHand(bodies[turn & 63]), calls: 20_000 },
    { name: "read charges", run: (turn) => readCharges(withKinds[turn & 63]), calls: 20_000 },
    { name: "charges by hand", run: (turn) => readChargesByHand(withKinds[turn & 63]), calls: 20_000 },
  ];
}

function paymentsPlan(): Plan {
  const { result } = compile("payments.ridl", memoryReader({ "payments.ridl": paymentsSchema }));
  if (result === undefined) throw new Error("the schema of payments does not compile");
  return buildPlan(result.model, resolveOptions({ schemaFile: "payments.ridl" }));
}

/** Bundles the validators by esbuild, as a server runs them. */
async function bundled(plan: Plan): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  try {
    const files = emitValidators(plan);
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const contents = files.map(({ path }) => `export * from "./${path}";`).join("\n");
    const { outputFiles } = buildSync({
      stdin: { contents, resolveDir: folder },
      alias: { "ridlkit-runtime": fileURLToPath(new URL("../../generator/runtime/src", import.meta.url)) },
      bundle: true,
      format: "esm",
      write: false,
    });
    return await import(
      `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? "").toString("base64")}`
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Configures ajv for speed: first error only, additional properties allowed. */
function openAjv(jsonSchema: object): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    formats: { "date-time": true, uri: true, email: true },
    code: { source: true },
  });
  ajv.addSchema(jsonSchema);
  return ajv;
}

function copies(text: string): readonly unknown[] {
  return Array.from({ length: 64 }, () => JSON.parse(text));
}

/** CPU microseconds per call, by round. The order within a round is shuffled. */
function measureRounds(
  all: readonly Contender[],
  rounds: number,
  seed: number,
): ReadonlyMap<string, readonly number[]> {
  const random = seededRandom(seed);
  const samples = new Map(all.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const { name, run, calls } of random.shuffle(all)) {
      const start = process.cpuUsage();
      for (let turn = 0; turn < calls; turn++) run(turn);
      const { user, system } = process.cpuUsage(start);
      // The first two rounds are warm-up.
      if (round >= 0) samples.get(name)?.push((user + system) / calls);
    }
  }
  return samples;
}

/** Why validators are generated here: prints the size of ajv's code for the same types. */
function printGeneration(): void {
  const plan = platformPlan();
  const start = process.cpuUsage();
  const files = emitValidators(plan);
  const ours = process.cpuUsage(start);
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  const { jsonSchema } = loadValidators(plan);
  const afterStart = process.cpuUsage();
  const ajv = openAjv(jsonSchema);
  const bodies = plan.services.flatMap(({ methods }) =>
    methods.flatMap((one) => [one.request.typeName, one.response.typeName]),
  );
  const codes = new Set(
    bodies.map((name) => ajv.getSchema(`${jsonSchema.$id}#/$defs/${name}`)?.source?.validateCode ?? ""),
  );
  const theirs = process.cpuUsage(afterStart);
  const ajvBytes = [...codes].reduce((sum, code) => sum + code.length, 0);
  console.log(`printing validators: ${milliseconds(ours)} ms CPU, ${bytes} characters`);
  console.log(
    `ajv for the same bodies: ${milliseconds(theirs)} ms CPU, ${ajvBytes} characters without the types they refer to`,
  );
}

function milliseconds({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1_000).toFixed(0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
