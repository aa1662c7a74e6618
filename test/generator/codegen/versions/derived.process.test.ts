/** Calls of an earlier version with structs that are derived of others. */
import { expect, test } from "vitest";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { contractOf, transportTo } from "../../../support/versions.ts";

const contract = (version: string, fields: string): string => `webrpc = v1
name = Clinic
version = ${version}
basepath = /rpc
struct Patient
  - id: uint32
${fields}
type NewPatient: Patient
  + omit = id
type PatientPatch: NewPatient
  + partial = true
service Clinic
  - Add(patient: NewPatient) => (patient: Patient)
  - Change(patch: PatientPatch)
`;

const before = contract("v1.0.0", "  - name: string\n  - age?: uint8\n    + nullable = always");
const now = contract(
  "v2.0.0",
  "  - fullName: string\n    + renamedFrom = name\n  - age?: uint8\n    + nullable = always\n  - ward: string\n    + default = A1",
);

const live = await loadInMemory({ ...contractOf(now), history: [contractOf(before)] });

test.each([
  ["Add", { patient: { name: "Bo" } }, { patient: { fullName: "Bo", ward: "A1" } }],
  ["Add", { patient: { name: "Bo", age: null } }, { patient: { fullName: "Bo", age: null, ward: "A1" } }],
  ["Change", { patch: {} }, { patch: {} }],
  ["Change", { patch: { name: "Bo", age: null } }, { patch: { fullName: "Bo", age: null } }],
])("%s of %j", async (method, sent, received) => {
  let seen: unknown;
  const Add = (_ctx: unknown, request: { readonly patient: object }): unknown => {
    seen = request;
    return { patient: { age: null, ...request.patient, id: 7 } };
  };
  const Change = (_ctx: unknown, request: unknown): void => {
    seen = request;
  };
  const transport = transportTo(live, live.createServer({ Clinic: { Add, Change } }));
  const response = await transport(`http://clinic.test/rpc/Clinic/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", webrpc: "webrpc@v0.44.0;gen-golang@v1;Clinic@v1.0.0" },
    body: JSON.stringify(sent),
  });
  expect(seen).toEqual(received);
  expect(response.status).toBe(200);
  if (method === "Add") expect(await response.json()).toEqual({ patient: { id: 7, name: "Bo", age: null } });
});
