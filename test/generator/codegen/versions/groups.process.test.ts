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

const live = await loadInMemory({ ...contractOf(now), history: [contractOf(before)] }, process.cwd());

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
