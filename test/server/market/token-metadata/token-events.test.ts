import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import type { ChainLog } from "../../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { decodeTokenEvent, tokenTopics } from "../../../../server/market/token-metadata/token-events.ts";
import {
  bytesOfDataUri,
  decodeString,
  sourceOf,
} from "../../../../server/market/token-metadata/token-uri.ts";

const abi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "event URI(string value, uint256 indexed id)",
  "event MetadataUpdate(uint256 tokenId)",
  "event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId)",
]);
const [nobody, alice] = [`0x${"00".repeat(20)}`, `0x${"aa".repeat(20)}`] as const;
const most = 2n ** 256n - 1n;

function logOf(name: (typeof abi)[number]["name"], args: Readonly<Record<string, unknown>>): ChainLog {
  const event = abi.find((one) => one.name === name) as AbiEvent;
  const plain = event.inputs.filter((input) => input.indexed !== true);
  return {
    address: alice,
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map((input) => args[input.name ?? ""]),
    ),
    transactionHash: "0x",
    transactionIndex: 0,
    logIndex: 0,
    indexInTransaction: 0,
  };
}

describe("events of tokens", () => {
  test("match the standards", () => {
    expect([...tokenTopics].sort()).toEqual(abi.map((event) => toEventSelector(event)).sort());
  });

  test.each([
    ["URI", { value: "ipfs://x", id: most }, most, most],
    ["MetadataUpdate", { tokenId: 7n }, 7n, 7n],
    ["BatchMetadataUpdate", { fromTokenId: 0n, toTokenId: most }, 0n, most],
    ["BatchMetadataUpdate", { fromTokenId: 5n, toTokenId: 3n }, 5n, 3n],
  ] as const)("%s selects the metadata to read again", (name, args, first, last) => {
    expect(decodeTokenEvent(logOf(name, args))).toEqual({ kind: "changed", first, last });
  });

  test("decode transfers", () => {
    expect(decodeTokenEvent(logOf("Transfer", { from: nobody, to: alice, tokenId: 3n }))).toEqual({
      kind: "moved",
      standard: "ERC721",
      transfers: [{ tokenId: 3n, from: undefined, to: alice, quantity: 1n }],
    });
    const single = { operator: alice, from: alice, to: nobody, id: 1n, value: most };
    expect(decodeTokenEvent(logOf("TransferSingle", single))).toMatchObject({
      transfers: [{ tokenId: 1n, from: alice, to: undefined, quantity: most }],
    });
    const batch = { operator: alice, from: nobody, to: alice, ids: [1n, 2n], values: [3n, 4n] };
    expect(decodeTokenEvent(logOf("TransferBatch", batch))).toMatchObject({
      transfers: [
        { tokenId: 1n, quantity: 3n },
        { tokenId: 2n, quantity: 4n },
      ],
    });
  });

  test("that are malformed are ignored", () => {
    const uneven = { operator: alice, from: nobody, to: alice, ids: [1n, 2n], values: [3n] };
    expect(decodeTokenEvent(logOf("TransferBatch", uneven))).toBeUndefined();
    for (const [name, args] of [
      ["Transfer", { from: nobody, to: alice, tokenId: 3n }],
      ["TransferSingle", { operator: alice, from: nobody, to: alice, id: 1n, value: 2n }],
      ["TransferBatch", { operator: alice, from: nobody, to: alice, ids: [1n], values: [2n] }],
      ["MetadataUpdate", { tokenId: 7n }],
      ["BatchMetadataUpdate", { fromTokenId: 0n, toTokenId: 1n }],
    ] as const) {
      const log = logOf(name, args);
      const lacking =
        log.data === "0x" ? { topics: log.topics.slice(0, -1) } : { data: log.data.slice(0, -64) as Hex };
      expect(decodeTokenEvent({ ...log, ...lacking }), name).toBeUndefined();
    }
  });
});

describe("the URI of a contract", () => {
  const options = { tokenId: 314_592n, ipfsGateway: "https://gateway.example/ipfs/" };
  const id = `${"0".repeat(59)}4cce0`;

  test.each([
    // The example of ERC-1155.
    ["https://token-cdn-domain/{id}.json", { url: `https://token-cdn-domain/${id}.json` }],
    ["https://x.example/{id}/{id}", { url: `https://x.example/${id}/${id}` }],
    [" http://x.example/ ", { url: "http://x.example/" }],
    ["ipfs://QmX/{id}", { url: `https://gateway.example/ipfs/QmX/${id}` }],
    ["ipfs://ipfs/QmX", { url: "https://gateway.example/ipfs/QmX" }],
    ["DATA:application/json,{}", { data: "DATA:application/json,{}" }],
    ['{"name":"1%"}', { data: "data:application/json,%7B%22name%22%3A%221%25%22%7D" }],
  ])("%s is resolved to its source", (uri, source) => {
    expect(sourceOf(uri, options)).toEqual(source);
  });

  test("is an ABI string, or undefined", () => {
    const answer = encodeAbiParameters([{ type: "string" }], ["ä"]);
    expect(decodeString(answer)).toBe("ä");
    expect(decodeString("0x")).toBeUndefined();
    expect(decodeString(answer.replace(/c3a4/, "ffff") as Hex)).toBeUndefined();
    expect(decodeString(`0x${"ff".repeat(64)}`)).toBeUndefined();
  });

  test("may contain the document itself", () => {
    expect(String(bytesOfDataUri("data:application/json;base64,eyJhIjoxfQ=="))).toBe('{"a":1}');
    expect(String(bytesOfDataUri("data:application/json;charset=utf-8,%7B%22a%22%3A1%7D"))).toBe('{"a":1}');
    expect(String(bytesOfDataUri('data:,{"a":"100%"}'))).toBe('{"a":"100%"}');
    expect(() => bytesOfDataUri("data:application/json;base64,#")).toThrow(/not valid base64/);
    expect(() => bytesOfDataUri("data:application/json,%ff")).toThrow(/not valid UTF-8/);
  });
});
