import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { Side } from "../../generator/codegen/plan/values.ts";
import type { Issues } from "../../generator/runtime/src/errors.ts";
import { plainAjv } from "../support/json-schema.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { seededRandom } from "../support/random.ts";
import { planOf } from "../support/sample-plan.ts";
import { type LoadedValidators, loadValidators } from "../support/validators.ts";
import { withEmptied } from "../support/with-emptied.ts";
import { randomContract } from "./random-contract.ts";
import { RandomValues } from "./random-value.ts";

export interface Tally {
  accepted: number;
  refused: number;
}

/** Values for one plan: half are valid, half violate one rule. */
export interface Differential {
  readonly plan: Plan;
  readonly seed: number;
  readonly count: number;
}

/**
 * Compares the generated validators with plain ajv and the JSON Schema. Returns the first difference as text to print;
 * undefined if there is none. Requests are checked as received, responses as written.
 */
export function findVerdictDifference({ plan, seed, count }: Differential, tally: Tally): string | undefined {
  const validators = loadValidators(plan);
  const judge = plainAjv(validators);
  const bodies = bodiesOf(plan);
  const random = seededRandom(seed);
  const makers = {
    request: new RandomValues(plan, "request", random),
    response: new RandomValues(plan, "response", random),
  };
  for (let made = 0; made < count; made++) {
    const { side, typeName } = random.pick(bodies);
    const value = makers[side].body(typeName, random.chance(50));
    const { difference, isAccepted } = judgeOne(plan, validators, judge, side, typeName, value);
    if (difference !== undefined) return `value ${made} of seed ${seed}, ${side} ${typeName}: ${difference}`;
    if (isAccepted) tally.accepted++;
    else tally.refused++;
  }
  return undefined;
}

function bodiesOf({ services }: Plan): readonly { readonly side: Side; readonly typeName: string }[] {
  const methods = services.flatMap((service) => service.methods);
  return methods.flatMap(({ request, response }) => [
    { side: "request" as const, typeName: request.typeName },
    { side: "response" as const, typeName: response.typeName },
  ]);
}

interface Verdict {
  readonly isAccepted: boolean;
  readonly difference?: string;
}

function judgeOne(
  plan: Plan,
  validators: LoadedValidators,
  judge: ReturnType<typeof plainAjv>,
  side: Side,
  typeName: string,
  value: unknown,
): Verdict {
  const onWire = side === "request" ? value : sent(validators, typeName, value);
  const oracle = judge(typeName);
  const shown = shownText(value);
  const expected = oracle(side === "request" ? withEmptied(plan, typeName, onWire) : onWire);
  const decoded = structuredClone(value);
  const issues =
    side === "request" ? validators.read(typeName)(decoded) : validators.check(typeName)(decoded);
  const isAccepted = issues === undefined;
  if (isAccepted !== expected) {
    return {
      isAccepted,
      difference: `${shown}\n  ours: ${shownText(issues)}\n  ajv: ${shownText(oracle.errors)}`,
    };
  }
  const flaw = isAccepted ? flawOfDecoded(validators, side, typeName, decoded) : flawOfIssues(issues);
  return flaw === undefined ? { isAccepted } : { isAccepted, difference: `${shown}\n  ${flaw}` };
}

/** Returns a response as it is sent. Undefined, which no type accepts, for one that cannot be sent: the check must reject it, too. */
function sent(validators: LoadedValidators, typeName: string, value: unknown): unknown {
  try {
    return throughJson(validators.write(typeName)(value));
  } catch {
    return undefined;
  }
}

/** A decoded value is canonical: decoding it again reports and changes nothing. Checking a response changes nothing, either. */
function flawOfDecoded(
  validators: LoadedValidators,
  side: Side,
  typeName: string,
  decoded: unknown,
): string | undefined {
  if (side === "response") return undefined;
  const before = shownText(decoded);
  const again = validators.read(typeName)(decoded);
  if (again !== undefined) return `read again: ${shownText(again)}`;
  return shownText(decoded) === before ? undefined : `read again it becomes ${shownText(decoded)}`;
}

function flawOfIssues({ listed }: Issues): string | undefined {
  if (listed.length === 0) return "no issue is listed";
  if (listed.length > 20) return `${listed.length} issues are listed`;
  if (listed.some(({ path }) => path.some((step) => typeof step === "number" && !Number.isSafeInteger(step))))
    return "an index in a path is no integer";
  const long = listed.find(({ found }) => found.length > 60);
  return long === undefined ? undefined : `too long: ${long.found}`;
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function shownText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "bigint") return `${inner}n`;
    return typeof inner === "number" && !Number.isFinite(inner) ? String(inner) : inner;
  });
}

/** Number of values per random contract. */
const valuesPerContract = 100;

/** Tests half of the values with the platform's types, half with random contracts. Returns the first difference. */
export function fuzzVerdicts(seed: number, count: number, tally: Tally): string | undefined {
  const half = Math.ceil(count / 2);
  const difference = findVerdictDifference({ plan: platformPlan(), seed, count: half }, tally);
  if (difference !== undefined) return difference;
  const random = seededRandom(seed);
  for (let left = count - half; left > 0; left -= valuesPerContract) {
    const contract = randomContract(random);
    const plan = planOf({ "m.ridl": contract }, "m.ridl");
    const values = { plan, seed: random.below(2 ** 31), count: Math.min(left, valuesPerContract) };
    const found = findVerdictDifference(values, tally);
    if (found !== undefined) return `${contract}\n${found}`;
  }
  return undefined;
}
