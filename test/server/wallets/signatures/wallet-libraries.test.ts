/** Typed data as applications send it to wallets: signatures of MetaMask, ethers and viem are valid wherever the three agree. */
import { TypedDataEncoder, Wallet } from "ethers";
import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import {
  loadHashTypedData,
  type TypedDataInput,
} from "../../../../server/wallets/signatures/typed-data/hash.ts";
import { verifyTypedData } from "../../../../server/wallets/signatures/verify.ts";
import { isInstalled, loadClient } from "../../../clients/official.ts";

type Types = TypedDataInput["types"];
interface Document extends TypedDataInput {
  readonly primaryType: string;
}
interface MetaMask {
  readonly TypedDataUtils: { readonly eip712Hash: (document: unknown, version: "V4") => Uint8Array };
  readonly signTypedData: (input: unknown) => string;
}

const ours = await loadHashTypedData();
const { TypedDataUtils, signTypedData } = isInstalled
  ? ((await loadClient("@metamask/eth-sig-util")) as unknown as MetaMask)
  : ({} as MetaMask);

const libraries: Readonly<Record<string, (document: Document) => string>> = {
  metamask: (document) => hexOf(TypedDataUtils.eip712Hash(document, "V4")),
  ethers: ({ types: { EIP712Domain: _, ...types }, domain, message }) =>
    TypedDataEncoder.hash(domain ?? {}, types as never, message),
  viem: (document) => hashTypedData(document as never),
  ours: (document) => hexOf(ours(JSON.parse(JSON.stringify(document)))),
};

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** The digest that each library signs. Those that throw are missing. */
function digestsOf(document: Document): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(libraries).flatMap(([name, hash]) => {
      try {
        return [[name, hash(document)]];
      } catch {
        return [];
      }
    }),
  );
}

/** A document with one field `x`, which is absent if the value is undefined. */
function withValue(type: string, value: unknown, types: Types = {}): Document {
  return {
    types: { EIP712Domain: [], T: [{ name: "x", type }], ...types },
    primaryType: "T",
    domain: {},
    message: { x: value },
  };
}

function withName(name: string): Document {
  const types = { EIP712Domain: [], [name]: [{ name: "x", type: "bool" }] };
  return { types, primaryType: name, domain: {}, message: { x: true } };
}

const leaf: Types = { S: [{ name: "y", type: "uint8" }] };
const list: Types = {
  S: [
    { name: "y", type: "string" },
    { name: "more", type: "S[]" },
  ],
};
const chain: Types = {
  S: [
    { name: "y", type: "string" },
    { name: "next", type: "S" },
  ],
};
const mutual: Types = { S: [{ name: "r", type: "R" }], R: [{ name: "s", type: "S[]" }] };
const doubled: Types = {
  S: [
    { name: "y", type: "uint8" },
    { name: "y", type: "uint8" },
  ],
};

const accepted: readonly (readonly [string, Document])[] = [
  ...["A:B", "Order v1", "2FA", "Ünï", "a-b", "a.b", "interest", "bytesX", "__proto__", "toString"].map(
    (name) => [`a type named ${name}`, withName(name)] as const,
  ),
  ["a list of itself", withValue("S", { y: "a", more: [{ y: "b", more: [] }] }, list)],
  ["a struct that ends with null", withValue("S", { y: "a", next: { y: "b", next: null } }, chain)],
  ["a struct that ends with nothing", withValue("S", { y: "a", next: { y: "b" } }, chain)],
  ["two types that contain each other", withValue("S", { r: { s: [{ r: { s: [] } }] } }, mutual)],
  ["no struct", withValue("S", undefined, leaf)],
  ["null in a list of structs", withValue("S[]", [null, { y: 1 }], leaf)],
  ["a field twice", withValue("S", { y: 1 }, doubled)],
  [
    "an invalid type that nothing refers to",
    withValue("bool", true, { "Q(": [{ name: "z", type: "Zork" }] }),
  ],
  ["fewer items than a list has", withValue("uint8[3]", [1])],
  ...["", " 5 ", "007", "0X1F", `0x${"0".repeat(70)}1`, -1, "-1", "-0x1"].map(
    (value) => [`int256 ${JSON.stringify(value)}`, withValue("int256", value)] as const,
  ),
  ...[true, false, 0, 1].map((value) => [`bool ${value}`, withValue("bool", value)] as const),
  ...["", "0x", "0x0", "0xAB", "hello", "12", "abcd"].map(
    (value) => [`bytes ${JSON.stringify(value)}`, withValue("bytes", value)] as const,
  ),
  ...["0x", "0x12", "0x123", "0x12345678"].map(
    (value) => [`bytes4 ${value}`, withValue("bytes4", value)] as const,
  ),
  ...["", "é", 0, 5, 300].map((value) => [`string ${value}`, withValue("string", value)] as const),
];

describe.skipIf(!isInstalled)("typed data", () => {
  test.each(accepted)("%s: the digest of every library that signs it", (_, document) => {
    const { ours, ...others } = digestsOf(document);
    expect(Object.keys(others)).not.toEqual([]);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, ours])));
  });

  // Each library reads these in its own way, or only one of the three signs them.
  test.each<[string, Document]>([
    ...["A(B", "A,B", "A[]B", ""].map((name): [string, Document] => [
      `a type named "${name}"`,
      withName(name),
    ]),
    ["uint", withValue("uint", 1)],
    ["bytes 0X00", withValue("bytes", "0X00")],
    ["bytes4 of 5 bytes", withValue("bytes4", "0x1234567890")],
    ["an address without 0x", withValue("address", "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")],
    ["a number that has lost digits", withValue("uint256", 2 ** 60)],
    ["text for bool", withValue("bool", "false")],
    ["null for text", withValue("string", null)],
  ])("%s is rejected", (_, document) => {
    expect(digestsOf(document)).not.toHaveProperty("ours");
  });

  test.each<[string, Types, object]>([
    ["T", { T: [{ name: "x", type: "A:B" }], "A:B": [{ name: "y", type: "bool" }] }, { x: { y: true } }],
    ["A:B", { "A:B": [{ name: "x", type: "T" }], T: [{ name: "y", type: "bool" }] }, { x: { y: true } }],
    ["Order v1", { "Order v1": [{ name: "x", type: "T[]" }], T: [] }, { x: [{}] }],
  ])(
    "%s: two digests are signed for types with %j, and both are valid",
    async (primaryType, types, message) => {
      const document = {
        types: { EIP712Domain: [], ...types },
        primaryType,
        domain: {},
        message,
      } as Document;
      const { metamask, ethers } = digestsOf(document);
      expect(metamask).not.toBe(ethers);
      for (const digest of [metamask, ethers]) expect(await isValid(document, sign(digest))).toBe(true);
    },
  );

  test.each(accepted)("%s: the signature is valid", async (_, document) => {
    const { metamask, ours } = digestsOf(document);
    expect(await isValid(document, sign(ours))).toBe(true);
    if (metamask === undefined) return;
    const privateKey = Buffer.from(wallet.privateKey.slice(2), "hex");
    expect(await isValid(document, signTypedData({ privateKey, data: document, version: "V4" }))).toBe(true);
  });
});

const wallet = new Wallet(`0x${"5a".repeat(32)}`);

function sign(digest = ""): string {
  return wallet.signingKey.sign(digest).serialized;
}

function isValid(typedData: Document, signature: string): Promise<boolean> {
  const noChain = () => Promise.reject(new Error("the chain is not needed"));
  return verifyTypedData({ wallet: wallet.address.toLowerCase(), typedData, signature }, noChain);
}
