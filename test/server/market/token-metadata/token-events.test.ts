import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import type { ChainLog } from "../../../../server/chain/follower/derive/blocks.ts";
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

  test("keep accounts that begin with zeros", () => {
    const low = `0x${"00".repeat(19)}01`;
    expect(decodeTokenEvent(logOf("Transfer", { from: low, to: nobody, tokenId: 3n }))).toMatchObject({
      transfers: [{ from: low, to: undefined }],
    });
  });

  const words = (...numbers: readonly bigint[]): Hex =>
    `0x${numbers.map((number) => number.toString(16).padStart(64, "0")).join("")}`;

  test.each([
    ["one token", words(64n, 128n, 1n, 7n, 1n, 8n), true],
    ["an offset between two words", words(65n, 128n, 1n, 7n, 1n, 8n, 0n), false],
    ["an offset behind the data", words(2n ** 200n, 128n, 1n, 7n, 1n, 8n), false],
    ["a length of more than the data", words(64n, 128n, 2n ** 64n, 7n, 1n, 8n), false],
    ["a last list of two entries that lacks one", words(64n, 160n, 2n, 7n, 9n, 2n, 8n), false],
    ["a first list of two entries that lacks one", words(192n, 64n, 2n, 7n, 9n, 0n, 2n, 8n), false],
  ])("of a batch with %s are decoded: %s", (_, data, isDecoded) => {
    const batch = logOf("TransferBatch", { operator: alice, from: nobody, to: alice, ids: [], values: [] });
    expect(decodeTokenEvent({ ...batch, data }) !== undefined).toBe(isDecoded);
    expect(decodeTokenEvent({ ...batch, topics: batch.topics.slice(0, 3), data })).toBeUndefined();
  });

  test("of a single token without its receiver are ignored", () => {
    const single = logOf("TransferSingle", { operator: alice, from: nobody, to: alice, id: 1n, value: 2n });
    expect(decodeTokenEvent({ ...single, topics: single.topics.slice(0, 3) })).toBeUndefined();
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
  const gateways = {
    ipfsGateway: "https://gateway.example/ipfs/",
    arweaveGateway: "https://arweave.example/",
  };
  const sourceOfToken = (uri: string) => sourceOf(uri, 314_592n, gateways);
  const v0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
  const v1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
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
    expect(sourceOfToken(uri)).toEqual(source);
  });

  test.each([
    ["HTTPS://x.example/1", { url: "HTTPS://x.example/1" }],
    ["IPFS://QmX", { url: "https://gateway.example/ipfs/QmX" }],
    ["ipfs://QmX/..a/a../...", { url: "https://gateway.example/ipfs/QmX/..a/a../..." }],
    ["https://x.example/%7Bid%7D", { url: `https://x.example/${id}` }],
    ["https://x.example/{ID}", { url: `https://x.example/${id}` }],
    [`${v0}/2`, { url: `https://gateway.example/ipfs/${v0}/2` }],
    [v1, { url: `https://gateway.example/ipfs/${v1}` }],
    [`${v1}?a=b`, { url: `https://gateway.example/ipfs/${v1}?a=b` }],
    [`/ipfs/${v0}/3`, { url: `https://gateway.example/ipfs/${v0}/3` }],
    [`ipfs/${v0}/3`, { url: `https://gateway.example/ipfs/${v0}/3` }],
    [`ipfs:/${v0}/8`, { url: `https://gateway.example/ipfs/${v0}/8` }],
    [`ipfs:${v0}`, { url: `https://gateway.example/ipfs/${v0}` }],
    [`ipfs:///ipfs/${v0}`, { url: `https://gateway.example/ipfs/${v0}` }],
    ["ipfs://Qm X", { url: "https://gateway.example/ipfs/Qm%20X" }],
    ["ipfs://QmX/Token #1 100%.json", { url: "https://gateway.example/ipfs/QmX/Token%20%231%20100%25.json" }],
    ["ipfs://QmX/Token%201.json", { url: "https://gateway.example/ipfs/QmX/Token%201.json" }],
    ["ipfs://QmX/é🦄", { url: "https://gateway.example/ipfs/QmX/%C3%A9%F0%9F%A6%84" }],
    ["ipns://names.example/1", { url: "https://gateway.example/ipns/names.example/1" }],
    ["/ipns/names.example/1", { url: "https://gateway.example/ipns/names.example/1" }],
    ["ar://abc-_1/2.json", { url: "https://arweave.example/abc-_1/2.json" }],
    [
      `https://dead.example/ipfs/${v0}/9`,
      { url: `https://dead.example/ipfs/${v0}/9`, alternative: `https://gateway.example/ipfs/${v0}/9` },
    ],
    [
      `https://${v1}.ipfs.dead.example/9`,
      { url: `https://${v1}.ipfs.dead.example/9`, alternative: `https://gateway.example/ipfs/${v1}/9` },
    ],
    [`https://gateway.example/ipfs/${v0}`, { url: `https://gateway.example/ipfs/${v0}` }],
    ["https://x.example/ipfs/1", { url: "https://x.example/ipfs/1" }],
  ])("%s is resolved to %j", (uri, source) => {
    expect(sourceOfToken(uri)).toEqual(source);
  });

  test.each([
    ["", "the contract returns an empty URI for this token"],
    [" ", "the contract returns an empty URI for this token"],
    ["ipfs://QmX/../a", "the IPFS path contains . or .."],
    ["ipfs://QmX/a/.", "the IPFS path contains . or .."],
    ["ipfs://QmX/%2E%2e/a", "the IPFS path contains . or .."],
    ["ipfs://QmX/.%2e/a", "the IPFS path contains . or .."],
    ["ipfs://QmX/%2E", "the IPFS path contains . or .."],
    ["ipfs://QmX\\..\\a", "the IPFS path contains . or .."],
    ["ar://a/../b", "the Arweave path contains . or .."],
    ["ipfs://QmX/..?a", "the IPFS path contains . or .."],
    ["xipfs://QmX", 'unsupported URI "xipfs://QmX": expected data:, https:, http:, ipfs: or ar:'],
    ["ftp://https:", 'unsupported URI "ftp://https:": expected data:, https:, http:, ipfs: or ar:'],
    ["ftp://data:", 'unsupported URI "ftp://data:": expected data:, https:, http:, ipfs: or ar:'],
    ['a{"name":1}', 'unsupported URI "a{"name":1}": expected data:, https:, http:, ipfs: or ar:'],
    ["x".repeat(81), `unsupported URI "${"x".repeat(80)}": expected data:, https:, http:, ipfs: or ar:`],
  ])("%s is rejected: %s", (uri, reason) => {
    expect(() => sourceOfToken(uri)).toThrow(reason);
  });

  test("on IPFS or Arweave is rejected without a gateway", () => {
    const none = { ipfsGateway: undefined, arweaveGateway: undefined };
    const [ipfs, arweave] = ["ipfs://QmX", "ar://abc"].map((uri) => () => sourceOf(uri, 1n, none));
    expect(ipfs).toThrow("the metadata is on IPFS, and no gateway is configured (setting ipfsGateway)");
    expect(arweave).toThrow(
      "the metadata is on Arweave, and no gateway is configured (setting arweaveGateway)",
    );
    expect(sourceOf(`https://dead.example/ipfs/${v0}`, 1n, none)).toEqual({
      url: `https://dead.example/ipfs/${v0}`,
    });
  });

  test("with an IPNS name needs a gateway that ends with /ipfs/", () => {
    const own = { ...gateways, ipfsGateway: "https://gateway.example/" };
    expect(() => sourceOf("ipns://a", 1n, own)).toThrow("the setting ipfsGateway does not end with /ipfs/");
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
    expect(String(bytesOfDataUri("data: Application/JSON ; BASE64 ,e30="))).toBe("{}");
    expect(String(bytesOfDataUri("data:;base64,e30%3D"))).toBe("{}");
    expect(String(bytesOfDataUri("data:;base64,e30"))).toBe("{}");
    expect(String(bytesOfDataUri("data:;base64,e30K IA=="))).toBe("{}\n ");
    expect(() => bytesOfDataUri("data:;base64,e30===")).toThrow(/not valid base64/);
    expect(() => bytesOfDataUri("data:application/json")).toThrow(/has no comma/);
    expect(() => bytesOfDataUri("data:application/json;base64,#")).toThrow(/not valid base64/);
    expect(String(bytesOfDataUri("data:application/json,%ff"))).toBe("%ff");
  });
});
