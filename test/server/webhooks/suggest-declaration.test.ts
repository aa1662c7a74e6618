import { AbiCoder, id as keccakOf } from "ethers";
import { beforeAll, expect, test } from "vitest";
import { type Keccak, loadKeccak } from "../../../server/base/keccak.ts";
import { readContractEvent } from "../../../server/chain/events/contract-event.ts";
import { loadDecode } from "../../../server/chain/events/decode.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { matchingEvent } from "../../../server/webhooks/notify/near-miss-counts.ts";

let keccak: Keccak;
let decode: Awaited<ReturnType<typeof loadDecode>>;
beforeAll(async () => {
  [keccak, decode] = await Promise.all([loadKeccak(), loadDecode()]);
});

/** A log of an event with its `indexed` arguments in the topics, as a contract emits it. */
function logOf(
  signature: string,
  types: readonly string[],
  indexed: readonly number[],
  values: readonly unknown[],
) {
  const coder = AbiCoder.defaultAbiCoder();
  const inData = types
    .map((type, index) => ({ type, value: values[index], index }))
    .filter(({ index }) => !indexed.includes(index));
  return {
    address: `0x${"c0".repeat(20)}` as Hex,
    topics: [
      keccakOf(signature) as Hex,
      ...indexed.map((index) => coder.encode([types[index] ?? ""], [values[index]]) as Hex),
    ],
    data: coder.encode(
      inData.map(({ type }) => type),
      inData.map(({ value }) => value),
    ) as Hex,
  };
}

const [alice, bob] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];

test.each([
  [
    "Transfer",
    ["address", "address", "uint256"],
    [0, 1],
    [alice, bob, 5n],
    "Transfer(address indexed from,address indexed to,uint256 value)",
  ],
  [
    "Transfer",
    ["address", "address", "uint256"],
    [0, 1, 2],
    [alice, bob, 5n],
    "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)",
  ],
  ["Paid", ["address", "uint256"], [0, 1], [alice, 2n ** 200n], "Paid(address indexed,uint256 indexed)"],
  ["Paid", ["uint256", "address"], [1], [2n ** 200n, alice], "Paid(uint256,address indexed)"],
  ["Paid", ["uint256", "address"], [1], [5n, alice], undefined],
  ["Noted", ["string", "uint256"], [1], ["hello", 7n], "Noted(string,uint256 indexed)"],
  ["Named", ["address", "address"], [0], [alice, bob], undefined],
])("%s(%s) with %s indexed", (name, types, indexed, values, text) => {
  const signature = `${name}(${types.join(",")})`;
  const event = readContractEvent(signature, keccak);
  expect(matchingEvent(event, logOf(signature, types, indexed, values), { keccak, decode })).toBe(text);
});

test.each([
  [1_023, true],
  [1_024, true],
  [1_025, false],
])("a suggestion of %i characters is returned: %s", (length, isTold) => {
  const text = (name: string): string => `${name}(bool indexed)`;
  const name = "E".repeat(length - text("").length);
  const signature = `${name}(bool)`;
  const found = matchingEvent(readContractEvent(signature, keccak), logOf(signature, ["bool"], [0], [true]), {
    keccak,
    decode,
  });
  expect(found).toBe(isTold ? text(name) : undefined);
});
