import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { PlannedMethod, PlannedService } from "../../../../generator/codegen/plan/plan.ts";
import { KnownRecords } from "../../../../generator/verify/contract-test/known-records.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

struct Pet
  - id: uint32

struct Filter
  - age?: uint8
    + oneOf = by
  - id?: uint32
    + oneOf = by

service Pets
  - Make() => (pet: Pet)
  - Find(filter: Filter) => (pet: Pet)
`;

test.each([
  ["another field of the group is set", { age: 3, id: null }, undefined],
  ["the field is set", { age: null, id: 3 }, { filter: { age: null, id: 7 } }],
])("a field of a group refers to a known record only if it is set: %s", (_case, filter, expected) => {
  const plan = planOf({ "m.ridl": schema }, "m.ridl");
  const service = plan.services[0] as PlannedService;
  const [make, find] = service.methods as readonly [PlannedMethod, PlannedMethod];
  const known = new KnownRecords(plan);
  known.add({ service, method: make, body: { pet: { id: 7 } } });
  expect(known.fill({ service, method: find, body: { filter } }, seededRandom(1))).toEqual(expected);
});

test("a branded id of a request refers to a known record, and a derived struct to its fields", () => {
  const derived = schema
    .replace(
      "id: uint32\n\n",
      "id: Id\n  - name: string\n\ntype Id: uint32\n  + brand = true\ntype Patch: Pet\n  + partial = true\n\n",
    )
    .replace("Find(filter: Filter)", "Find(pet: Patch)");
  const plan = planOf({ "m.ridl": derived }, "m.ridl");
  const service = plan.services[0] as PlannedService;
  const [make, find] = service.methods as readonly [PlannedMethod, PlannedMethod];
  const known = new KnownRecords(plan);
  known.add({ service, method: make, body: { pet: { id: 7, name: "Tom" } } });
  expect(known.fill({ service, method: find, body: { pet: { id: 3 } } }, seededRandom(1))).toEqual({
    pet: { id: 7 },
  });
});

const cards = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Kind: string
  - card
  - cash

struct Card
  - number: string
  - kind: Kind
  - code: uint32
  - amount: bigint

type Digits: string
  + pattern = ^[0-9]+$

struct Charge
  - number: Digits
  - code?: uint32
    + maximum = 99
  - cardNumbers: []Digits
  - numbers: []string
    + minItems = 2
  - email?: string
    + format = email
  - amount: bigint
    + minimum = 5
  - kind: Kind
  - iban?: string
    + when = kind.cash

service Cards
  - Make() => (card: Card)
  - Find(charge: Charge) => ()
`;

const charge = {
  number: "1",
  code: 1,
  cardNumbers: ["1"],
  numbers: ["a", "b"],
  amount: "7",
  kind: "cash",
  iban: "i",
};

test.each([
  ["all rules", { number: "12", code: 99, amount: "5" }, ["number", "code", "cardNumbers", "amount"]],
  ["but not the pattern", { number: "Silver Falcon" }, []],
  ["but not the limit", { code: 100 }, []],
  ["but not the limit of a bigint", { number: "12", amount: "4" }, ["number", "cardNumbers"]],
])("a request takes values of a response that satisfy its own rules: %s", (_case, card, taken) => {
  const plan = planOf({ "m.ridl": cards }, "m.ridl");
  const service = plan.services[0] as PlannedService;
  const [make, find] = service.methods as readonly [PlannedMethod, PlannedMethod];
  const known = new KnownRecords(plan);
  known.add({ service, method: make, body: { card: { kind: "card", ...card } } });
  const changed = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const filled = known.fill({ service, method: find, body: { charge } }, seededRandom(seed));
    for (const [key, value] of Object.entries((filled as { charge?: object } | undefined)?.charge ?? {}))
      if (!isDeepStrictEqual(value, charge[key as keyof typeof charge])) changed.add(key);
  }
  expect([...changed].sort()).toEqual([...taken].sort());
});
