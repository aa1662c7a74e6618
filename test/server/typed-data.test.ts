import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";
import { describe, expect, test } from "vitest";
import { recoverAddress } from "../../server/signatures/recover.ts";
import { hashTypedData, type TypedDataInput } from "../../server/signatures/typed-data.ts";

/** The example of EIP-712 itself, with the digest and the account that the standard states. */
const mail: TypedDataInput = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};
const mailDigest = "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";
const { EIP712Domain: _domainType, ...withoutDomain } = mail.types;

test("the example of the standard has the standard's digest", () => {
  expect(bytesToHex(hashTypedData(mail))).toBe(mailDigest);
});

describe("what may be left out or written otherwise gives the same digest", () => {
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

test("a given EIP712Domain rules: keys that it does not list are not signed", () => {
  const more = { ...mail, domain: { ...mail.domain, salt: `0x${"00".repeat(32)}` } };
  expect(bytesToHex(hashTypedData(more))).toBe(mailDigest);
  expect(bytesToHex(hashTypedData({ ...more, types: withoutDomain }))).not.toBe(mailDigest);
});

describe("what means nothing is refused with its place", () => {
  const data = (type: string, value: unknown): TypedDataInput => ({
    types: { T: [{ name: "x", type }] },
    message: { x: value },
  });
  test.each<[RegExp, TypedDataInput]>([
    [/^types\.T\.x: there is no type "Nope"/, data("Nope", 1)],
    [/^types\.T\.x: there is no type "uint7"/, data("uint7", 1)],
    [/^types: "T" contains itself/, data("T", {})],
    [/^types: "T" contains itself/, data("T[]", [])],
    [/^message\.x: missing/, { types: { T: [{ name: "x", type: "bool" }] }, message: {} }],
    [/^message\.x: expected an integer of 8 bits, not negative/, data("uint8", 256)],
    [/^message\.x: expected an integer of 8 bits/, data("int8", -129)],
    [/^message\.x: expected an integer: a number up to 2\^53/, data("uint256", 2 ** 60)],
    [/^message\.x: expected 4 bytes/, data("bytes4", "0x00")],
    [/^message\.x: expected bytes in hex/, data("bytes", "0x0")],
    [/^message\.x: expected an address/, data("address", "0x12")],
    [/^message\.x: expected 2 entries, found 1/, data("bool[2]", [true])],
    [/^primaryType: there is no type "X"/, { ...data("bool", true), primaryType: "X" }],
    [/^primaryType: missing/, { types: { A: [], B: [] }, message: {} }],
    [/^domain\.chain: no field/, { ...data("bool", true), domain: { chain: 1 } }],
  ])("%s", (message, input) => {
    expect(() => hashTypedData(input)).toThrow(message);
  });
});

test("two hundred types in a diamond are looked at once each, or this would not end", () => {
  const types = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `T${index}`,
      index === 199 ? [] : [0, 1].map((side) => ({ name: `f${side}`, type: `T${index + 1}` })),
    ]),
  );
  expect(() => hashTypedData({ types, primaryType: "T0", message: {} })).toThrow(/^message\.f0: missing/);
});

describe("recovery", () => {
  const key = keccak_256(utf8ToBytes("cow"));
  const digest = hexToBytes(mailDigest);
  const signed = secp256k1.sign(digest, key);
  const compact = signed.toCompactHex();
  const cow = "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826";
  const half = (value: bigint): string => value.toString(16).padStart(64, "0");
  const highS = `${compact.slice(0, 64)}${half(secp256k1.CURVE.n - signed.s)}`;
  const byte = (value: number): string => value.toString(16).padStart(2, "0");

  test.each([
    ["v 27 or 28", `0x${compact}${byte(27 + signed.recovery)}`],
    ["v 0 or 1", `0x${compact}${byte(signed.recovery)}`],
    ["high s, with the other v", `0x${highS}${byte(28 - signed.recovery)}`],
    ["upper case", `0x${`${compact}${byte(27 + signed.recovery)}`.toUpperCase()}`],
  ])("%s", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBe(cow);
  });

  test.each([
    ["nothing", "0x"],
    ["64 bytes", `0x${compact}`],
    ["v 29", `0x${compact}1d`],
    ["r of zero", `0x${"00".repeat(32)}${compact.slice(64)}1b`],
    ["s of the group's order", `0x${compact.slice(0, 64)}${half(secp256k1.CURVE.n)}1b`],
  ])("%s is signed by nobody", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBeUndefined();
  });
});
