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
