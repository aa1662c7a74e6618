/** Calls of an earlier version whose groups of fields have other members. */
import { expect, test } from "vitest";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { contractOf, transportTo } from "../../../support/versions.ts";

const contract = (version: string, fields: readonly string[]): string =>
  [
    `webrpc = v1\nname = Bank\nversion = ${version}\nbasepath = /rpc\nstruct Payment`,
    ...fields.map((field) => `  - ${field}\n    + oneOf = method`),
    "  - next?: Payment\nservice Bank\n  - Pay(Payment) => (Payment)\n",
  ].join("\n");

const before = contract("v1.0.0", ["card?: string", "iban?: string", "cash?: bool"]);
const now = contract("v2.0.0", [
  "card?: string",
  "account?: string\n    + renamedFrom = iban",
  "coin?: uint32",
]);

const live = await loadInMemory({ ...contractOf(now), history: [contractOf(before)] });

test.each([
  ["a field that both versions have", { card: "4242" }, { card: "4242" }, 200, { card: "4242" }],
  ["a renamed field", { iban: "DE1" }, { account: "DE1" }, 200, { iban: "DE1" }],
  [
    "a nested value",
    { card: "1", next: { iban: "DE1" } },
    { card: "1", next: { account: "DE1" } },
    200,
    { card: "1", next: { iban: "DE1" } },
  ],
  ["a field that the new version lacks", { cash: true }, undefined, 410, undefined],
  ["a field that the old version lacks", { card: "coin" }, { card: "coin" }, 410, undefined],
])("%s", async (_, sent, received, status, answer) => {
  let seen: unknown;
  const Pay = (_ctx: unknown, payment: { readonly card?: string }): unknown => {
    seen = payment;
    return payment.card === "coin" ? { coin: 5 } : payment;
  };
  const transport = transportTo(live, live.createServer({ Bank: { Pay } }));
  const response = await transport("http://bank.test/rpc/Bank/Pay", {
    method: "POST",
    headers: { "content-type": "application/json", webrpc: "webrpc@v0.44.0;gen-golang@v1;Bank@v1.0.0" },
    body: JSON.stringify(sent),
  });
  expect(seen).toEqual(received);
  expect(response.status).toBe(status);
  if (answer !== undefined) expect(await response.json()).toEqual(answer);
});

const charges = (version: string, fields: readonly string[]): string =>
  [
    `webrpc = v1\nname = Bank\nversion = ${version}\nbasepath = /rpc\nenum Way: string\n  - card\n  - bank`,
    "struct Charge\n  - way: Way",
    ...fields.map((field) => `  - ${field}`),
    "service Bank\n  - Pay(Charge) => (Charge)\n",
  ].join("\n");
const ofCard = "\n    + when = way.card";
const ofBank = "\n    + when = way.bank";
const withKinds = await loadInMemory({
  ...contractOf(
    charges("v2.0.0", [
      `number?: string\n    + renamedFrom = card${ofCard}`,
      `iban?: string${ofBank}`,
      `holder?: string${ofBank}`,
    ]),
  ),
  history: [
    contractOf(
      charges("v1.0.0", [`card?: string${ofCard}`, `iban?: string${ofBank}`, `holder?: string${ofBank}?`]),
    ),
  ],
});

test.each([
  ["a renamed field of a kind", { way: "card", card: "1" }, { way: "card", number: "1" }, 200],
  ["a field that the new version requires", { way: "bank", iban: "1" }, undefined, 410],
  ["fields of a kind", { way: "bank", iban: "1", holder: "A" }, { way: "bank", iban: "1", holder: "A" }, 200],
])("%s", async (_, sent, received, status) => {
  let seen: unknown;
  const Pay = (_ctx: unknown, charge: object): unknown => {
    seen = charge;
    return charge;
  };
  const transport = transportTo(withKinds, withKinds.createServer({ Bank: { Pay } }));
  const response = await transport("http://bank.test/rpc/Bank/Pay", {
    method: "POST",
    headers: { "content-type": "application/json", webrpc: "webrpc@v0.44.0;gen-golang@v1;Bank@v1.0.0" },
    body: JSON.stringify(sent),
  });
  expect(seen).toEqual(received);
  expect(response.status).toBe(status);
  if (status === 200) expect(await response.json()).toEqual(sent);
});
