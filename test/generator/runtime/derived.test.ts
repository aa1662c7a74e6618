/** Structs derived by `omit`, `pick` and `partial`, on the way from callers to handlers. */
import { expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { change, list, register } from "../../fixtures/derived/generated/client.ts";
import { createServer, type Handlers } from "../../fixtures/derived/generated/server.ts";
import {
  type NewPatient,
  type NewPatientWithDefaults,
  type PatientPatchInput,
  type PatientPatchWithDefaults,
  toPatientId,
} from "../../fixtures/derived/generated/types.ts";

let received: unknown;
const id = toPatientId(7);

const handlers: Handlers = {
  Clinic: {
    Register: (_ctx, { patient }) => {
      received = patient satisfies NewPatientWithDefaults;
      const { insured_by = null } = patient;
      return { patient: { ...patient, insured_by, id, createdAt: "2026-01-31T12:00:00Z" } };
    },
    Change: (_ctx, { patch }) => {
      received = patch satisfies PatientPatchWithDefaults;
      const { insured_by = null } = patch;
      return { patch: { ...patch, insured_by } };
    },
    List: () => ({ patients: [{ id, name: "Ann Lee" }] }),
  },
};

const handler = fetchHandler(createServer(handlers, { checkResponses: true }));
const client = { url: "http://memory", transport: memoryTransport(handler) };

async function send(
  method: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await handler(new Request(`http://memory/rpc/Clinic/${method}`, init));
  return { status: response.status, text: await response.text() };
}

test("a patch tells absent, null and set apart, and fills in no defaults", async () => {
  const patches: readonly PatientPatchInput[] = [
    {},
    { insured_by: null },
    { insured_by: "Helvetia" },
    { name: "Bo", beds: 2 },
  ];
  for (const patch of patches) {
    await change(client, { id, patch });
    expect(received).toEqual(patch);
  }
});

test("a patch has the rules of its fields", async () => {
  expect(await send("Change", { id, patch: { name: "" } })).toMatchObject({
    status: 400,
    text: expect.stringContaining("/patch/name: expected text of at least 1 character"),
  });
  expect((await send("Change", { id, patch: { ward: "A1234" } })).status).toBe(400);
});

test("defaults, groups and names in JSON are those of the struct", async () => {
  const patient: NewPatient = { name: "Ann Lee", address: { street: "Gasse 1" }, card: "4242" };
  const { patient: created } = await register(client, { patient });
  expect(received).toEqual({
    ...patient,
    ward: "A1",
    beds: 1,
    address: { street: "Gasse 1", country: "CH" },
  });
  expect(created).toMatchObject({ id: 7, insured_by: null, card: "4242" });
  expect(await send("Register", { patient: { name: "Ann Lee", address: { street: "" } } })).toMatchObject({
    status: 400,
    text: expect.stringContaining("expected one of card, policy"),
  });
});

test("omitted fields that callers of other generators send are ignored", async () => {
  const patient = { id: 1, name: "Ann Lee", address: { street: "" }, card: "4242", createdAt: "never" };
  expect((await send("Register", { patient })).status).toBe(200);
  expect(received).not.toHaveProperty("id");
  expect(received).not.toHaveProperty("createdAt");
});

test("picked fields alone are in a response", async () => {
  expect(await list(client)).toEqual({ patients: [{ id: 7, name: "Ann Lee" }] });
});

test("what was omitted, or was not picked, does not compile", () => {
  // @ts-expect-error: omitted
  const named: NewPatient = { id, name: "Ann Lee", address: { street: "" }, card: "1" };
  // @ts-expect-error: the group is omitted
  const paid: PatientPatchInput = { card: "1" };
  // @ts-expect-error: only null removes
  const unnamed: PatientPatchInput = { name: null };
  expect([named, paid, unnamed]).toHaveLength(3);
});
