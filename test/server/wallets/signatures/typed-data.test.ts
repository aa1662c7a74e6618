import { bytesToHex } from "@noble/hashes/utils";
import { describe, expect, test } from "vitest";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import type { Chains } from "../../../../server/chain/rpc/chains.ts";
import { apiHandlers } from "../../../../server/host/services/API/api.ts";
import {
  loadHashTypedData,
  type TypedDataInput,
} from "../../../../server/wallets/signatures/typed-data/hash.ts";
import type { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { mailDigest, makeMail } from "../../../support/mail.ts";

const hashTypedData = await loadHashTypedData();

const mail: TypedDataInput = makeMail();
const { EIP712Domain: _domainType, ...withoutDomain } = mail.types;

test("the standard's example has the standard's digest", () => {
  expect(bytesToHex(hashTypedData(mail))).toBe(mailDigest);
});

describe("omitted and alternative forms give the same digest", () => {
  const { primaryType: _primary, ...withoutPrimary } = mail;
  test.each<[string, TypedDataInput]>([
    ["the domain's type", { ...mail, types: withoutDomain }],
    [
      "the domain's type, with the chain id as text",
      { ...mail, types: withoutDomain, domain: { ...mail.domain, chainId: "1" } },
    ],
    ["the chain id in hex", { ...mail, domain: { ...mail.domain, chainId: "0x1" } }],
    [
      "addresses in lower case",
      JSON.parse(JSON.stringify(mail).replace(/0x[0-9a-fA-F]{40}/g, (all) => all.toLowerCase())),
    ],
    ["the primary type, told by the keys of the message", withoutPrimary],
  ])("%s", (_, data) => {
    expect(bytesToHex(hashTypedData(data))).toBe(mailDigest);
  });
});

test("an explicit EIP712Domain decides: keys that it does not list are not signed", () => {
  const more = { ...mail, domain: { ...mail.domain, salt: `0x${"00".repeat(32)}` } };
  expect(bytesToHex(hashTypedData(more))).toBe(mailDigest);
  expect(bytesToHex(hashTypedData({ ...more, types: withoutDomain }))).not.toBe(mailDigest);
});

describe("invalid typed data is rejected with its location", () => {
  const data = (type: string, value: unknown): TypedDataInput => ({
    types: { T: [{ name: "x", type }] },
    message: { x: value },
  });
  test.each<[RegExp, TypedDataInput]>([
    [/^\/typedData\/types\/T\/x: unknown type "Nope"/, data("Nope", 1)],
    [/^\/typedData\/types\/T\/x: unknown type "uint7"/, data("uint7", 1)],
    [/^\/typedData\/message\/x: missing/, { types: { T: [{ name: "x", type: "bool" }] }, message: {} }],
    [
      /^\/typedData\/message\/x: missing/,
      { types: { T: [{ name: "x", type: "bool" }] }, message: { x: null } },
    ],
    [/^\/typedData\/message\/x: expected an integer of 8 bits, not negative/, data("uint8", 256)],
    [/^\/typedData\/message\/x: expected an integer of 8 bits, not negative/, data("uint8", -1)],
    [/^\/typedData\/message\/x: expected an integer of 8 bits/, data("int8", -129)],
    [/^\/typedData\/message\/x: expected an integer of 8 bits/, data("int8", 128)],
    [
      /^\/typedData\/message\/x: expected an integer of 256 bits, not negative/,
      data("uint256", String(2n ** 256n)),
    ],
    [/^\/typedData\/message\/x: expected an integer of 256 bits/, data("int256", String(2n ** 255n))],
    [/^\/typedData\/message\/x: expected an integer of 256 bits/, data("int256", String(-(2n ** 255n) - 1n))],
    [/^\/typedData\/message\/x: expected an integer: a number up to 2\^53/, data("uint256", 2 ** 53)],
    [/^\/typedData\/types\/T\/x: unknown type "uint264"/, data("uint264", 1)],
    [/^\/typedData\/types\/T\/x: unknown type "uint"; EIP-712 types have a size: "uint256"/, data("uint", 1)],
    [
      /^\/typedData\/types\/T\/x: unknown type "int\[\]"; EIP-712 types have a size: "int256"/,
      data("int[]", [1]),
    ],
    [/^\/typedData\/types\/T\/x: unknown type "bytes33"/, data("bytes33", "0x")],
    [/^\/typedData\/types\/T\/x: unknown type "bytes0"/, data("bytes0", "0x")],
    [/^\/typedData\/message\/x: expected an integer: a number up to 2\^53/, data("uint256", 2 ** 60)],
    [/^\/typedData\/message\/x: expected 4 bytes/, data("bytes4", "0x0000000000")],
    [/^\/typedData\/types\/T\/x: an array of more than 64 dimensions/, data(`bool${"[]".repeat(65)}`, [])],
    [/^\/typedData\/types\/T\/x: unknown type "bool\[\]x"/, data("bool[]x", [])],
    [/^\/typedData\/types: "uint8" is not a valid type name/, { types: { uint8: [] }, message: {} }],
    [/^\/typedData\/types: "A\(B" is not a valid type name/, { types: { "A(B": [] }, message: {} }],
    [/^\/typedData\/message\/x: expected an integer: a number up to 2\^53/, data("uint256", "0".repeat(129))],
    [
      /^\/typedData\/message\/x\/1\/y\/0: expected true or false/,
      {
        types: { T: [{ name: "x", type: "U[]" }], U: [{ name: "y", type: "bool[]" }] },
        primaryType: "T",
        message: { x: [{ y: [] }, { y: [2] }] },
      },
    ],
    [/^\/typedData\/message\/x: expected bytes in hex/, data("bytes", "0xg")],
    [/^\/typedData\/message\/x: expected an address/, data("address", "0x12")],
    [/^\/typedData\/primaryType: unknown type "X"/, { ...data("bool", true), primaryType: "X" }],
    [/^\/typedData\/primaryType: missing/, { types: { A: [], B: [] }, message: {} }],
    [/^\/typedData\/domain\/chain: unknown field/, { ...data("bool", true), domain: { chain: 1 } }],
  ])("%s", (message, input) => {
    expect(() => hashTypedData(input)).toThrow(message);
  });
});

describe("values at the limits of their type are hashed", () => {
  test.each([
    ["uint8", 0],
    ["uint8", 255],
    ["int8", -128],
    ["int8", 127],
    ["uint256", 2 ** 53 - 1],
    ["uint256", String(2n ** 256n - 1n)],
    ["int256", String(2n ** 255n - 1n)],
    ["int256", String(-(2n ** 255n))],
    ["bytes1", "0x00"],
    ["bytes32", `0x${"00".repeat(32)}`],
    [`bool${"[]".repeat(64)}`, []],
    ["uint256", "0".repeat(128)],
  ])("%s: %j", (type, value) => {
    const document = { types: { T: [{ name: "x", type }] }, message: { x: value } };
    expect(hashTypedData(document)).toHaveLength(32);
  });
});

describe("typed data of more than 256 KiB as JSON", () => {
  const { IsValidTypedDataSignature: ask } = apiHandlers({
    networks: new Networks(
      readNetworks({ networks: ["1"], rpcUrls: [], networkDetails: undefined }).networks,
    ),
    chains: { of: () => Promise.reject(new ChainFailure("asked")) } as unknown as Chains,
    swaps: {} as Swaps,
  });

  /** The error of a document of `bytes` bytes that consists mostly of this letter. */
  async function errorOf(bytes: number, letter: string): Promise<unknown> {
    const document = (text: string): TypedDataInput => ({
      types: { T: [{ name: "x", type: "string" }] },
      primaryType: "T",
      domain: {},
      message: { x: text },
    });
    const rest = bytes - JSON.stringify(document("")).length;
    const letters = Math.floor(rest / Buffer.byteLength(letter));
    const typedData = document(
      letter.repeat(letters).padEnd(letters + (rest % Buffer.byteLength(letter)), "x"),
    );
    expect(Buffer.byteLength(JSON.stringify(typedData))).toBe(bytes);
    const request = { chainId: "1", walletAddress: `0x${"12".repeat(20)}`, typedData, signature: "0x" };
    try {
      return await ask({ context: {} } as never, request as never);
    } catch (err) {
      return String(err);
    }
  }

  test.each([
    ["x", 262_143, "ChainFailure: asked"],
    ["x", 262_144, "ChainFailure: asked"],
    ["x", 262_145, "RequestRejection: /typedData: 262145 bytes is too large; the limit is 262144"],
    ["é", 262_144, "ChainFailure: asked"],
    ["é", 262_145, "RequestRejection: /typedData: 262145 bytes is too large; the limit is 262144"],
  ])("of %s, %i bytes: %s", async (letter, bytes, expected) => {
    expect(await errorOf(bytes, letter)).toBe(expected);
  });
});

test("sixty types in a diamond are visited once each, or this would not end", () => {
  const types = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `T${index}`,
      index === 59 ? [] : [0, 1].map((side) => ({ name: `f${side}`, type: `T${index + 1}` })),
    ]),
  );
  expect(hashTypedData({ types, primaryType: "T0", message: {} })).toHaveLength(32);
});

test("two documents whose types differ only in a name do not share a cache entry", () => {
  const digests = ["a", "b"].map((name) =>
    bytesToHex(hashTypedData({ types: { T: [{ name, type: "bool" }] }, message: { [name]: true } })),
  );
  expect(new Set(digests).size).toBe(2);
});

test("types whose encodings exceed a megabyte are rejected", () => {
  const long = "x".repeat(200);
  const types = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [
      `T${index}`,
      index % 50 === 49
        ? [{ name: long, type: "bool" }]
        : Array.from({ length: 20 }, (_, field) => ({ name: `${long}${field}`, type: `T${index + 1}` })),
    ]),
  );
  expect(() => hashTypedData({ types, primaryType: "T0", message: {} })).toThrow(/their encodings have more/);
});

test.each([
  [8_191, true],
  [8_192, false],
])("%i structs of 1 KiB each: within the limit of 8 MiB with the root is %s", (count, isWithin) => {
  const types = {
    T: [{ name: "x", type: "U[]" }],
    U: Array.from({ length: 31 }, (_, index) => ({ name: `f${index}`, type: "U" })),
  };
  const hash = () => hashTypedData({ types, primaryType: "T", message: { x: Array(count).fill({}) } });
  if (isWithin) expect(hash()).toHaveLength(32);
  else
    expect(hash).toThrow(/^\/typedData\/message\/x\/8191: its structs have more than 8388608 bytes in total/);
  expect(hashTypedData({ types, primaryType: "T", message: { x: [{}] } })).toHaveLength(32);
});
