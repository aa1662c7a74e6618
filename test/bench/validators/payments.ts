/** Payments by one of several methods: unions with and without a kind, read by generated code and by functions as a person writes them. */
import { hasAtLeast, hasAtMost, isJsonObject, isText } from "../../../generator/runtime/src/validation.ts";

export const paymentsSchema = `webrpc = v1
name = payments
version = v1.0.0
basepath = /rpc

struct Card
  - number: string
    + minLength = 12
    + maxLength = 19
  - holder: string

struct Transfer
  - iban: string
    + minLength = 15
    + maxLength = 34

struct Payment
  - amount: uint32
  - card?: Card
    + oneOf = method
  - transfer?: Transfer
    + oneOf = method
  - voucher?: string
    + oneOf = method

enum Method: string
  - card
  - transfer
  - voucher

struct Charge
  - amount: uint32
  - method: Method
  - card?: Card
    + when = method.card
  - transfer?: Transfer
    + when = method.transfer
  - voucher?: string
    + when = method.voucher

service Payments
  - Pay(payments: []Payment) => (payments: []Payment)
  - Charge(payments: []Charge) => (payments: []Charge)
`;

const methods = [
  { card: { number: "4242424242424242", holder: "Ada Lovelace" } },
  { transfer: { iban: "DE02120300000000202051" } },
  { voucher: "A1B2C3" },
];

export const payments: object = {
  payments: Array.from({ length: 30 }, (_, index) => ({ amount: index, ...methods[index % methods.length] })),
};

/** The same payments, with their kind. */
export const charges: object = {
  payments: Array.from({ length: 30 }, (_, index) => {
    const fields = methods[index % methods.length] ?? {};
    return { amount: index, method: Object.keys(fields)[0], ...fields };
  }),
};

const bodyFields: ReadonlySet<string> = new Set(["payments"]);
const paymentFields: ReadonlySet<string> = new Set(["amount", "card", "transfer", "voucher"]);
const chargeFields: ReadonlySet<string> = new Set(["amount", "method", "card", "transfer", "voucher"]);
const cardFields: ReadonlySet<string> = new Set(["number", "holder"]);
const transferFields: ReadonlySet<string> = new Set(["iban"]);

/** The rules of the schema: limits, exactly one method, unknown fields deleted. */
export function readPaymentsByHand(body: unknown): boolean {
  if (!isJsonObject(body) || !Array.isArray(body["payments"])) return false;
  for (const payment of body["payments"]) if (!isPayment(payment)) return false;
  return hasOnly(body, bodyFields);
}

export function readChargesByHand(body: unknown): boolean {
  if (!isJsonObject(body) || !Array.isArray(body["payments"])) return false;
  for (const charge of body["payments"]) if (!isCharge(charge)) return false;
  return hasOnly(body, bodyFields);
}

function isCharge(charge: unknown): boolean {
  if (!isJsonObject(charge)) return false;
  const { amount, method, card, transfer, voucher } = charge;
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 0 || amount > 4_294_967_295)
    return false;
  if (method === undefined || method !== methodOf(card, transfer, voucher)) return false;
  const isValid =
    method === "card" ? isCard(card) : method === "transfer" ? isTransfer(transfer) : isText(voucher);
  return isValid && hasOnly(charge, chargeFields);
}

function isPayment(payment: unknown): boolean {
  if (!isJsonObject(payment)) return false;
  const { amount, card, transfer, voucher } = payment;
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 0 || amount > 4_294_967_295)
    return false;
  switch (methodOf(card, transfer, voucher)) {
    case "card":
      return isCard(card) && hasOnly(payment, paymentFields);
    case "transfer":
      return isTransfer(transfer) && hasOnly(payment, paymentFields);
    case "voucher":
      return isText(voucher) && hasOnly(payment, paymentFields);
    default:
      return false;
  }
}

function methodOf(card: unknown, transfer: unknown, voucher: unknown): string | undefined {
  if (card !== undefined) return transfer === undefined && voucher === undefined ? "card" : undefined;
  if (transfer !== undefined) return voucher === undefined ? "transfer" : undefined;
  return voucher === undefined ? undefined : "voucher";
}

function isCard(card: unknown): boolean {
  if (!isJsonObject(card)) return false;
  const { number, holder } = card;
  return (
    isText(number) &&
    hasAtLeast(number, 12) &&
    hasAtMost(number, 19) &&
    isText(holder) &&
    hasOnly(card, cardFields)
  );
}

function isTransfer(transfer: unknown): boolean {
  if (!isJsonObject(transfer)) return false;
  const { iban } = transfer;
  return isText(iban) && hasAtLeast(iban, 15) && hasAtMost(iban, 34) && hasOnly(transfer, transferFields);
}

function hasOnly(value: object, names: ReadonlySet<string>): true {
  for (const name in value) if (!names.has(name)) Reflect.deleteProperty(value, name);
  return true;
}
