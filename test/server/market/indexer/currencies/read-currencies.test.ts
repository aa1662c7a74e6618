import { type Hex, padHex, toHex } from "viem";
import { expect, test } from "vitest";
import type { Chain } from "../../../../../server/chain/rpc/chain.ts";
import {
  decodeText,
  readCurrencies,
} from "../../../../../server/market/indexer/currencies/read-currencies.ts";

const address: Hex = `0x${"1".repeat(40)}`;

/** Responses of a currency: its decimals, a symbol and no name. */
function chainWith(decimals: Hex | undefined): Chain {
  return { callMany: async () => [decimals, padHex(toHex("SYM"), { dir: "right" }), undefined] } as never;
}

test.each([
  [0n, 0],
  [76n, 76],
  [77n, 77],
  [78n, undefined],
  [2n ** 256n - 1n, undefined],
])("a currency that reports %s decimals is stored with %s", async (said, decimals) => {
  const facts = await readCurrencies(chainWith(toHex(said, { size: 32 })), [address]);
  expect(facts).toEqual(decimals === undefined ? [] : [{ address, symbol: "SYM", name: "", decimals }]);
});

test("several currencies are read at once, with at most 320 bytes a response", async () => {
  const word = (decimals: number): Hex => toHex(decimals, { size: 32 });
  const text = (name: string): Hex => padHex(toHex(name), { dir: "right" });
  const other: Hex = `0x${"2".repeat(40)}`;
  const requests: object[] = [];
  const chain = {
    callMany: async (request: object) => {
      requests.push(request);
      return [
        word(6),
        text("A"),
        text("Aa"),
        undefined,
        text("B"),
        text("Bb"),
        word(8),
        text("C"),
        text("Cc"),
      ];
    },
  };
  expect(await readCurrencies(chain as never, [address, address, other])).toEqual([
    { address, symbol: "A", name: "Aa", decimals: 6 },
    { address: other, symbol: "C", name: "Cc", decimals: 8 },
  ]);
  expect(requests).toMatchObject([{ maxResultBytes: 320 }]);
});

test.each<[string, Hex | undefined]>([
  ["nothing", undefined],
  ["no bytes", "0x"],
  ["31 bytes", toHex(18, { size: 31 })],
  ["33 bytes", toHex(18, { size: 33 })],
])("a currency that returns %s for its decimals stays unknown", async (_, decimals) => {
  expect(await readCurrencies(chainWith(decimals), [address])).toEqual([]);
});

/** An encoded `string` that claims a number of bytes. */
function textOf(bytes: string, length: number): Hex {
  return `${toHex(32, { size: 32 })}${toHex(length, { size: 32 }).slice(2)}${bytes}` as Hex;
}

test.each([
  [3, 2, "ab"],
  [3, 3, "abc"],
  [3, 4, ""],
])("a name of %i bytes that claims %i is read as %j", (bytes, length, name) => {
  expect(decodeText(textOf(toHex("abc".slice(0, bytes)).slice(2), length))).toBe(name);
});

test.each([
  [63, 63],
  [64, 64],
  [65, 64],
])("a name of %i characters is truncated to %i", (length, kept) => {
  const name = "€".repeat(length);
  expect(decodeText(textOf(toHex(name).slice(2), Buffer.byteLength(name)))).toBe("€".repeat(kept));
});

test.each([
  [toHex("Maker", { size: 32 }), "Maker"],
  [padHex(toHex("Maker"), { dir: "right", size: 32 }), "Maker"],
  [toHex(32, { size: 32 }), ""],
  [toHex(32, { size: 63 }), ""],
  [undefined, ""],
] as const)("the response %s is decoded as %j", (answer, text) => {
  expect(decodeText(answer)).toBe(text);
});
