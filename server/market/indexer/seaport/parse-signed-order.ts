/** Parses signed orders as seaport-js writes them: `{ "parameters": { … , "counter": "0" }, "signature": "0x…" }`. */
import { uint256Max } from "../../../base/uint256.ts";
import type { Item, ReceivedItem, SignedOrder } from "./order.ts";
import { OrderRejection } from "./terms.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Limits on the items of a list and the bytes of a signature. No supported order exceeds them. */
const maxItems = 32;
const maxSignatureBytes = 16_384;

/** Throws OrderRejection, whose message names the place where the text is invalid. */
export function parseSignedOrder(text: string): SignedOrder {
  const { parameters, signature } = parsed(text);
  return readSignedOrder(parameters, signature);
}

/** Throws OrderRejection. `at` and `signatureAt` are the JSON Pointers of both values. */
export function readSignedOrder(
  components: unknown,
  signature: unknown,
  at = "/parameters",
  signatureAt = "/signature",
): SignedOrder {
  const parameters = fieldsOf(components, at);
  const consideration = listOf(parameters["consideration"], `${at}/consideration`, receivedItem);
  const total = parameters["totalOriginalConsiderationItems"] ?? consideration.length;
  return {
    order: {
      offerer: fixedHex(parameters["offerer"], 20, `${at}/offerer`),
      zone: fixedHex(parameters["zone"], 20, `${at}/zone`),
      offer: listOf(parameters["offer"], `${at}/offer`, item),
      consideration,
      orderType: smallOf(parameters["orderType"], `${at}/orderType`),
      startTime: numberOf(parameters["startTime"], `${at}/startTime`),
      endTime: numberOf(parameters["endTime"], `${at}/endTime`),
      zoneHash: fixedHex(parameters["zoneHash"], 32, `${at}/zoneHash`),
      salt: numberOf(parameters["salt"], `${at}/salt`),
      conduitKey: fixedHex(parameters["conduitKey"], 32, `${at}/conduitKey`),
      totalOriginalConsiderationItems: numberOf(total, `${at}/totalOriginalConsiderationItems`),
    },
    counter: numberOf(parameters["counter"], `${at}/counter`),
    signature: signatureHex(signature, signatureAt),
  };
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text), "");
  } catch (err) {
    if (err instanceof OrderRejection) throw err;
    throw new OrderRejection("not JSON; expected an order as seaport-js returns it");
  }
}

function item(value: unknown, at: string): Item {
  const fields = fieldsOf(value, at);
  return {
    itemType: smallOf(fields["itemType"], `${at}/itemType`),
    token: fixedHex(fields["token"], 20, `${at}/token`),
    identifier: numberOf(fields["identifierOrCriteria"], `${at}/identifierOrCriteria`),
    startAmount: numberOf(fields["startAmount"], `${at}/startAmount`),
    endAmount: numberOf(fields["endAmount"], `${at}/endAmount`),
  };
}

function receivedItem(value: unknown, at: string): ReceivedItem {
  return {
    ...item(value, at),
    recipient: fixedHex(fieldsOf(value, at)["recipient"], 20, `${at}/recipient`),
  };
}

function fieldsOf(value: unknown, at: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new OrderRejection(`${at || "/"}: expected an object`);
}

function listOf<Entry>(
  value: unknown,
  at: string,
  read: (entry: unknown, at: string) => Entry,
): readonly Entry[] {
  if (!Array.isArray(value) || value.length > maxItems)
    throw new OrderRejection(`${at}: expected a list of at most ${maxItems}`);
  return value.map((entry, index) => read(entry, `${at}/${index}`));
}

function fixedHex(value: unknown, bytes: number, at: string): string {
  if (typeof value === "string" && new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`).test(value))
    return value.toLowerCase();
  throw new OrderRejection(`${at}: expected 0x and ${2 * bytes} hex digits`);
}

function signatureHex(value: unknown, at: string): string {
  const isHex = typeof value === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(value);
  if (isHex && value.length <= 2 + 2 * maxSignatureBytes) return value.toLowerCase();
  throw new OrderRejection(`${at}: expected 0x and hex digits, at most ${maxSignatureBytes} bytes`);
}

/** Reads decimal or hex text, or a JSON number that is a safe integer. */
function numberOf(value: unknown, at: string): bigint {
  const isText = typeof value === "string" && /^(?:[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value);
  if (isText || (Number.isSafeInteger(value) && Number(value) >= 0)) {
    const number = BigInt(value as string | number);
    if (number <= uint256Max) return number;
  }
  throw new OrderRejection(`${at}: expected a number from 0 to 2^256 - 1`);
}

function smallOf(value: unknown, at: string): number {
  const number = numberOf(value, at);
  if (number <= 255n) return Number(number);
  throw new OrderRejection(`${at}: expected a number from 0 to 255`);
}
