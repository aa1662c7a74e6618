import { expect, test } from "vitest";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";

const [first, second] = [`0x${"1a".repeat(20)}`, `0x${"2B".repeat(20)}`];
const coin = { symbol: "POL", decimals: 18 };
const gem = { address: first, symbol: "GEM", decimals: 18 };
const usd = { address: second, symbol: "USDC", decimals: 6, usdRate: 1 };

/** Reads the details of network 137. */
function read(detail: object) {
  const { networks, errors } = readNetworks({
    networks: undefined,
    rpcUrls: [],
    networkDetails: { "137": detail },
  });
  return { network: networks[0], errors: errors.map((each) => each.replace("networkDetails.137.", "")) };
}

test.each<[object, string | undefined]>([
  [{ usdRate: 1 }, undefined],
  [{ usdRate: "2000.5" }, undefined],
  [{ usdRate: "9".repeat(18) }, undefined],
  [{ usdRate: `0.${"0".repeat(35)}1` }, undefined],
  [{ usdRate: "9".repeat(19) }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: `0.${"0".repeat(36)}1` }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: 0 }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: "0.0" }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: -1 }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: "1e3" }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: "1." }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: null }, 'coin.usdRate: expected US dollars above 0, such as 1 or "2000.5"'],
  [{ usdRate: 1, usdFrom: { feed: first } }, "coin: set usdRate or usdFrom, not both"],
  [{ name: "Polygon" }, undefined],
  [{ name: 7 }, "coin.name: expected text"],
  [{ symbol: 7 }, "coin.symbol: expected text"],
])("a coin with %j has the error %s", (more, error) => {
  expect(read({ coin: { ...coin, ...more } }).errors).toEqual(error === undefined ? [] : [error]);
});

const node = "https://a.example/key";

test.each<[unknown, string | undefined]>([
  [node, undefined],
  [{ url: node }, undefined],
  [{ url: node, maxPerSecond: 0.09 }, ".maxPerSecond: expected a number from 0.1 to 1000000"],
  [{ url: node, maxPerSecond: 0.1 }, undefined],
  [{ url: node, maxPerSecond: 1_000_000 }, undefined],
  [{ url: node, maxPerSecond: 1_000_001 }, ".maxPerSecond: expected a number from 0.1 to 1000000"],
  [{ url: node, maxPerSecond: "25" }, ".maxPerSecond: expected a number from 0.1 to 1000000"],
  [{ url: node, weights: { eth_getLogs: 75 } }, undefined],
  [{ url: node, weights: { eth_getLogs: -1 } }, ".weights.eth_getLogs: expected a number from 0 to 100000"],
  [{ url: node, weights: { eth_getLogs: 0 } }, undefined],
  [{ url: node, weights: { eth_getLogs: 100_000 } }, undefined],
  [
    { url: node, weights: { eth_getLogs: 100_001 } },
    ".weights.eth_getLogs: expected a number from 0 to 100000",
  ],
  [
    { url: node, weights: { getLogs: 1 } },
    '.weights: "getLogs" is not a method; expected a name such as "eth_getLogs"',
  ],
  [{ url: node, weights: 75 }, '.weights: expected an object with methods, such as { "eth_getLogs": 75 }'],
  [{ url: node, maxPerSeconds: 25 }, ': unknown key "maxPerSeconds"; did you mean "maxPerSecond"?'],
  [{ maxPerSecond: 25 }, ".url: expected a URL that begins with http:// or https://"],
  [7, ": expected a URL that begins with http:// or https://"],
])("a node %j has the error %s", (given, error) => {
  const { network, errors } = read({ rpcUrls: ["https://b.example", given] });
  expect(errors).toEqual(error === undefined ? [] : [`rpcUrls[1]${error}`]);
  if (error === undefined)
    expect(network?.nodes[1]).toEqual(typeof given === "string" ? { url: given } : given);
  expect(errors.join("")).not.toContain("a.example");
});

test("a rate is kept as it was written", () => {
  expect(read({ coin: { ...coin, usdRate: "0.450" } }).network?.coin.usdRate).toBe("0.450");
  expect(read({ currencies: [usd] }).network?.currencies[1]).toMatchObject({ usdRate: "1", name: "USDC" });
});

test.each<[unknown, object | string]>([
  [{ feed: second }, { kind: "feed", address: second.toLowerCase(), maxAgeSeconds: 90_000 }],
  [
    { pool: second, kind: "v2", against: second },
    { kind: "v2", token: first, against: second.toLowerCase(), address: second.toLowerCase() },
  ],
  [
    { pool: second, kind: "v3", against: second, token: second },
    { kind: "v3", token: second.toLowerCase() },
  ],
  ["feed", 'expected an object with "feed" or "pool"'],
  [null, 'expected an object with "feed" or "pool"'],
  [{ feed: second, minUsd: 1 }, 'unknown key "minUsd"'],
  [{ pool: second, kind: "v3", against: second, maxAgeSeconds: 1 }, 'unknown key "maxAgeSeconds"'],
  [{ feed: "0x12" }, "feed: expected an address: 0x and 40 hex digits"],
  [{ pool: second, kind: "v3" }, "against: expected an address: 0x and 40 hex digits"],
  [{ pool: second, against: second }, 'kind: expected "v2" or "v3"'],
  [{ pool: second, kind: "v4", against: second }, 'kind: expected "v2" or "v3"'],
])("the source %j of a rate is read as %j", (usdFrom, expected) => {
  const { network, errors } = read({ currencies: [{ ...gem, usdFrom }, usd] });
  if (typeof expected === "string")
    expect(errors.join()).toMatch(
      new RegExp(
        `^currencies\\[0\\][.]usdFrom(?:[.:])\\s?${expected.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`,
      ),
    );
  else {
    expect(errors).toEqual([]);
    expect(network?.currencies.find(({ symbol }) => symbol === "GEM")?.usdFrom).toMatchObject(expected);
  }
});

test.each([
  [{ ...usd, usdRate: undefined }, false],
  [usd, true],
  [undefined, false],
])("a pool against %j can be the source of a rate: %s", (other, can) => {
  const usdFrom = { pool: first, kind: "v3", against: second };
  const { errors } = read({ currencies: [{ ...gem, usdFrom }, ...(other === undefined ? [] : [other])] });
  const error = `networkDetails.polygon: usdFrom of GEM: ${second.toLowerCase()} is not one of its currencies with a usdRate`;
  expect(errors).toEqual(can ? [] : [error]);
});

const seaport = "0x0000000000000068f116a894984e2db1123eb395";

test.each<[readonly unknown[], readonly object[] | string]>([
  [[{ kind: "seaport" }], [{ kind: "seaport", address: seaport, zones: [] }]],
  [
    [{ kind: "seaport", address: second, zones: [second] }],
    [{ kind: "seaport", address: second.toLowerCase(), zones: [second.toLowerCase()] }],
  ],
  [
    [
      { kind: "sequence_marketplace_v1", address: second },
      { kind: "sequence_marketplace_v2", address: first },
    ],
    [
      { kind: "sequence_marketplace_v1", address: second.toLowerCase() },
      { kind: "sequence_marketplace_v2", address: first },
    ],
  ],
  [["seaport"], 'markets[0]: expected an object with "kind" and "address"'],
  [[null], 'markets[0]: expected an object with "kind" and "address"'],
  [
    [{ kind: "opensea", address: first }],
    "markets[0].kind: expected one of sequence_marketplace_v1, sequence_marketplace_v2, seaport",
  ],
  [[{ kind: "sequence_marketplace_v2" }], "markets[0].address: expected an address: 0x and 40 hex digits"],
  [[{ kind: "seaport", address: "0x12" }], "markets[0].address: expected an address: 0x and 40 hex digits"],
  [
    [{ kind: "sequence_marketplace_v2", address: first, zones: [] }],
    "markets[0].zones: only Seaport has zones",
  ],
  [[{ kind: "seaport", zones: first }], "markets[0].zones: expected a list of addresses"],
  [[{ kind: "seaport", zones: [first, "0x12"] }], "markets[0].zones: expected a list of addresses"],
  [[{ kind: "seaport", fees: [] }], 'markets[0]: unknown key "fees"'],
  [[{ kind: "seaport" }, { kind: "seaport", address: first }], "markets: seaport is configured twice"],
])("the markets %j are read as %j", (markets, expected) => {
  const { network, errors } = read({ markets });
  if (typeof expected === "string") expect(errors).toEqual([expected]);
  else expect([errors, network?.markets]).toEqual([[], expected]);
});

test.each<[unknown, object | string | undefined]>([
  [false, undefined],
  [true, { start: "latest", window: 256, wsUrls: [] }],
  [{ start: 0 }, { start: 0 }],
  [
    { start: "latest", checkBloom: false },
    { start: "latest", checkBloom: false },
  ],
  [
    { wsUrls: ["ws://a.example", "wss://b.example"] },
    { wsUrls: ["ws://a.example", "wss://b.example"], checkBloom: true },
  ],
  ["yes", "follow: expected true, false, or an object"],
  [{ start: -1 }, 'follow.start: expected a block number or "latest"'],
  [{ start: 1.5 }, 'follow.start: expected a block number or "latest"'],
  [{ start: "now" }, 'follow.start: expected a block number or "latest"'],
  [{ checkBloom: 0 }, "follow.checkBloom: expected true or false"],
  [{ wsUrls: "wss://key.example" }, "follow.wsUrls: expected a list of URLs that begin with ws:// or wss://"],
  [
    { wsUrls: ["wss://a.example", "https://key.example"] },
    "follow.wsUrls: expected a list of URLs that begin with ws:// or wss://",
  ],
  [{ windw: 1 }, 'follow: unknown key "windw"; did you mean "window"?'],
  [{ zebra: 1 }, 'follow: unknown key "zebra"'],
])("the setting follow: %j is read as %j", (follow, expected) => {
  const { network, errors } = read({ follow });
  if (typeof expected === "string") expect(errors).toEqual([expected]);
  else if (expected === undefined) expect([errors, network?.follow]).toEqual([[], undefined]);
  else expect([errors, network?.follow]).toEqual([[], expect.objectContaining(expected)]);
});

test.each<[object, object | string]>([
  [
    { url: "https://a.example/base//", key: "k" },
    { url: "https://a.example/base", key: "k" },
  ],
  [{ url: "http://a.example" }, { url: "http://a.example" }],
  [{ url: "ftp://a.example" }, "aggregator.url: expected a URL that begins with http:// or https://"],
  [{ url: "a.example" }, "aggregator.url: expected a URL that begins with http:// or https://"],
  [{}, "aggregator.url: expected a URL that begins with http:// or https://"],
  [{ url: "https://a.example", key: 1 }, "aggregator.key: expected text"],
  [{ url: "https://a.example", keys: "k" }, 'aggregator: unknown key "keys"; did you mean "key"?'],
])("the aggregator %j is read as %j", (aggregator, expected) => {
  const { network, errors } = read({ aggregator });
  if (typeof expected === "string") expect(errors).toEqual([expected]);
  else expect([errors, network?.aggregator]).toEqual([[], expected]);
});

test.each([
  [undefined, 5, 2],
  [[], 0, 2],
  [[first], 1, 2],
])("with the connectors %j, polygon has %i of them and %i exchanges", (connectors, count, exchanges) => {
  const { network } = read({ ...(connectors === undefined ? {} : { connectors }) });
  expect([network?.connectors.length, network?.exchanges.length]).toEqual([count, exchanges]);
});

test("an empty list of exchanges turns swaps off", () => {
  expect(read({ exchanges: [] }).network?.exchanges).toEqual([]);
});

test.each<[object, readonly number[] | string]>([
  [{ networkDetails: { polygon: {}, "10": {}, mainnet: {} } }, [1, 10, 137]],
  [{ networks: ["polygon", "1", "137"] }, [137, 1]],
  [{ networks: [] }, "networks: at least one network is required"],
  [{ networkDetails: [] }, "networkDetails: expected an object with names or chain ids as keys"],
  [{ networkDetails: { polygon: {}, "137": {} } }, "networkDetails.polygon: network 137 is configured twice"],
])("%j serves %j", (given, expected) => {
  const { networks, errors } = readNetworks({
    networks: undefined,
    rpcUrls: [],
    networkDetails: undefined,
    ...given,
  });
  if (typeof expected === "string") expect(errors).toEqual([expected]);
  else expect([errors, networks.map(({ chainId }) => chainId)]).toEqual([[], expected]);
});

test.each([
  ["9007199254740991", 9_007_199_254_740_991],
  ["9007199254740992", undefined],
  ["0x1fffffffffffff", undefined],
  ["0xfffffffffffff", 4_503_599_627_370_495],
  ["00000000000000137", undefined],
])("the chain id %s is read as %s", (text, chainId) => {
  const { networks } = readNetworks({ networks: [text], rpcUrls: [], networkDetails: undefined });
  expect(networks[0]?.chainId).toBe(chainId);
});
