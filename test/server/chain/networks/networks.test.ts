import { describe, expect, test } from "vitest";
import { knownChains, officialNames } from "../../../../server/chain/networks/known-chains.ts";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";

const nothing = { networks: undefined, rpcUrls: [], networkDetails: undefined };

function networksOf(list: string): Networks {
  const { networks, errors } = readNetworks({ ...nothing, networks: list.split(",") });
  expect(errors).toEqual([]);
  return new Networks(networks);
}

describe("the table of known chains", () => {
  test("every name belongs to one chain, is in lower case, and is not a number", () => {
    const names = [...knownChains().values()].flatMap((chain) => chain.names);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/);
    expect(names.filter((name) => /^[0-9]+$/.test(name))).toEqual([]);
  });

  test("has every chain of the official clients, under their name", () => {
    for (const [chainId, name] of officialNames.filter(([id]) => id !== 31_337))
      expect(knownChains().get(chainId)?.names[0], name).toBe(name);
  });

  test("the local chain has a name of its own, and those of local nodes", () => {
    expect(knownChains().get(31_337)?.names).toEqual(["local-chain", "hardhat", "anvil", "foundry"]);
    for (const name of ["local-chain", "hardhat", "31337"])
      expect(networksOf("polygon,31337").find(name)?.name).toBe("local-chain");
  });

  test("knows native coins", () => {
    expect(knownChains().get(137)).toMatchObject({ coin: { symbol: "POL", decimals: 18 }, isTestnet: false });
    expect(knownChains().get(80002)?.isTestnet).toBe(true);
    expect(knownChains().size).toBeGreaterThan(700);
  });
});

describe("finding a network", () => {
  const networks = networksOf("polygon,1,424242");

  test.each([
    ["polygon", 137],
    ["Polygon", 137],
    ["137", 137],
    [137, 137],
    ["0x89", 137],
    ["0X89", 137],
    ["mainnet", 1],
    ["424242", 424242],
  ])("%s", (text, chainId) => expect(networks.find(text)?.chainId).toBe(chainId));

  test.each(["", "base", "8453", "0x", "-1", "1.0", "1e2", "__proto__", "constructor", "9".repeat(16)])(
    "%s is not served",
    (text) => expect(networks.find(text)).toBeUndefined(),
  );

  test("the first of the list is the preferred one", () => {
    expect(networks.preferred.name).toBe("polygon");
  });
});

describe("settings", () => {
  test.each([
    ["137", undefined, "polygon"],
    [undefined, "mainnet", "mainnet"],
    ["0x89", "polygon", "polygon"],
    [undefined, undefined, "mainnet"],
    [
      "atlantis",
      undefined,
      '/chainId: this host does not serve "atlantis"; it serves mainnet (1), polygon (137)',
    ],
    [
      "atlantis",
      "polygon",
      '/chainId: this host does not serve "atlantis"; it serves mainnet (1), polygon (137)',
    ],
    ["1", "polygon", '/chainId: "1" differs from the path\'s network, polygon'],
  ])("a call with %s in its body and %s in its path is for %s", (chainId, path, expected) => {
    const networks = networksOf("mainnet,polygon");
    const find = () =>
      networks.forCall({ chainId, pathNetwork: path === undefined ? undefined : networks.find(path) });
    if (expected.startsWith("/")) expect(find).toThrow(expected);
    else expect(find().name).toBe(expected);
  });

  test("details contain nodes, currencies and connectors; addresses become lower case", () => {
    const section = {
      polygon: {
        rpcUrls: ["https://a.example/key"],
        currencies: [{ address: `0x${"AB".repeat(20)}`, symbol: "USDC", decimals: 6 }],
        connectors: [`0x${"CD".repeat(20)}`],
      },
      "424242": { name: "my-chain", coin: { symbol: "MY", decimals: 9 } },
    };
    const { networks, errors } = readNetworks({ ...nothing, networkDetails: section });
    expect(errors).toEqual([]);
    expect(networks).toMatchObject([
      {
        chainId: 137,
        nodes: [{ url: "https://a.example/key" }],
        currencies: [
          { symbol: "POL", address: `0x${"0".repeat(40)}` },
          { name: "USDC", address: `0x${"ab".repeat(20)}` },
        ],
        connectors: [`0x${"cd".repeat(20)}`],
      },
      { chainId: 424242, name: "my-chain", coin: { name: "MY", symbol: "MY", decimals: 9 } },
    ]);
  });

  test("a name from the details may be used in the list", () => {
    const section = { "424242": { name: "my-chain" } };
    const { networks, errors } = readNetworks({
      ...nothing,
      networks: ["my-chain"],
      networkDetails: section,
    });
    expect(errors).toEqual([]);
    expect(networks.map(({ chainId }) => chainId)).toEqual([424242]);
  });

  test("nodes are given by id or name, and replace those of the details", () => {
    const rpcUrls = [
      "137=http://x.example",
      "polygon=http://y.example/?a=b",
      "Base-Sepolia=http://z.example",
    ];
    const networkDetails = { polygon: { rpcUrls: ["http://old.example"] }, "base-sepolia": {} };
    const { networks, errors } = readNetworks({ ...nothing, rpcUrls, networkDetails });
    expect(errors).toEqual([]);
    expect(networks.map(({ nodes }) => nodes)).toEqual([
      [{ url: "http://x.example" }, { url: "http://y.example/?a=b" }],
      [{ url: "http://z.example" }],
    ]);
  });

  test("all errors are reported together, with location and hint, and without URLs", () => {
    const section = {
      polygno: {},
      mainnet: { rpcUrl: [], rpcUrls: ["ftp://secret-key.example"], connectors: "0x", name: "Main Net" },
      base: { currencies: [{ address: "0x12", symbol: "", decimals: 78 }] },
      arbitrum: 5,
    };
    const rpcUrls = ["137=secret-key", "137=http://secret-key.example", "atlantis=http://a.example", "http"];
    const { errors } = readNetworks({ networks: ["mainnet", "bas"], rpcUrls, networkDetails: section });
    expect(errors).toEqual([
      'networkDetails: unknown network "polygno"; did you mean "polygon"?',
      'networkDetails.mainnet: unknown key "rpcUrl"; did you mean "rpcUrls"?',
      'networkDetails.mainnet.name: expected lower case letters, digits and "-", starting with a letter',
      "networkDetails.mainnet.rpcUrls[0]: expected a URL that begins with http:// or https://",
      "networkDetails.mainnet.connectors: expected a list",
      "networkDetails.base.currencies[0].address: expected an address: 0x and 40 hex digits",
      "networkDetails.base.currencies[0].symbol: expected text",
      "networkDetails.base.currencies[0].decimals: expected an integer from 0 to 77",
      "networkDetails.arbitrum: expected an object",
      'networks: unknown network "bas"; did you mean "base"?',
      "rpcUrls[0]: expected a URL that begins with http:// or https://",
      expect.stringMatching(/^rpcUrls\[2\]: unknown network "atlantis"/),
      "rpcUrls[3]: expected NETWORK=URL, such as 137=https://a.example",
      "rpcUrls: network 137 is not served; add it to the networks",
    ]);
    expect(errors.join("\n")).not.toContain("secret-key");
  });

  test("one name for two chains is rejected", () => {
    const section = { mainnet: {}, polygon: { name: "mainnet" } };
    expect(readNetworks({ ...nothing, networkDetails: section }).errors).toEqual([
      'networks: "mainnet" is the name of both 1 and 137',
    ]);
  });

  test("by default, the chains of the official clients are served, without deprecated ones", () => {
    const { networks } = readNetworks(nothing);
    expect(networks[0]?.name).toBe("mainnet");
    expect(networks.map(({ name }) => name)).toContain("amoy");
    expect(networks.map(({ name }) => name)).not.toContain("mumbai");
  });
});

test.each([
  [7, []],
  [8, []],
  [9, ["networkDetails.137.connectors: at most 8, because the number of routes grows with their square"]],
])("%i connectors have the errors %j", (count, errors) => {
  const connectors = Array.from({ length: count }, (_, index) => `0x${String(index).padStart(40, "0")}`);
  const found = readNetworks({ ...nothing, networkDetails: { "137": { connectors } } });
  expect(found.errors).toEqual(errors);
});

test.each([
  ["a", true],
  ["a".repeat(64), true],
  ["a".repeat(65), false],
  ["0a", false],
  ["A", false],
])("whether a network may be named %s: %s", (name, may) => {
  const { errors } = readNetworks({ ...nothing, networkDetails: { "137": { name } } });
  expect(errors).toEqual(
    may
      ? []
      : ['networkDetails.137.name: expected lower case letters, digits and "-", starting with a letter'],
  );
});

describe("exchanges", () => {
  const router = `0x${"AB".repeat(20)}`;
  const read = (exchange: unknown) =>
    readNetworks({ ...nothing, networkDetails: { "137": { exchanges: [exchange] } } });

  test("a router of version 3 has the usual fees by default", () => {
    expect(read({ kind: "swapRouter", router }).networks[0]?.exchanges).toEqual([
      { kind: "swapRouter", router: router.toLowerCase(), fees: [100, 500, 3000, 10000] },
    ]);
    expect(read({ kind: "v2", router }).networks[0]?.exchanges).toMatchObject([{ kind: "v2", fees: [] }]);
  });

  test.each([[[1]], [[999_999]], [[1, 2, 3, 4, 5, 6, 7, 8]]])("fees may be %j", (fees) => {
    const { networks, errors } = read({ kind: "swapRouter", router, fees });
    expect(errors).toEqual([]);
    expect(networks[0]?.exchanges).toMatchObject([{ fees }]);
  });

  test.each<[unknown, string]>([
    ["v2", 'expected an object with "kind" and "router"'],
    [{ kind: "v4", router }, "kind: expected one of v2, swapRouter, swapRouter02"],
    [{ kind: "v2", router: "0x12" }, "router: expected an address"],
    [{ kind: "v2", router, fees: [500] }, "fees: expected 1 to 8 numbers"],
    [{ kind: "swapRouter", router, fees: [0] }, "fees: expected 1 to 8 numbers"],
    [{ kind: "swapRouter", router, fees: [1_000_000] }, "fees: expected 1 to 8 numbers"],
    [{ kind: "swapRouter", router, fees: [] }, "fees: expected 1 to 8 numbers"],
    [{ kind: "swapRouter", router, fees: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, "fees: expected 1 to 8 numbers"],
    [{ kind: "v2", router, codeHash: "0x" }, "codeHash: expected a hash"],
    [{ kind: "v2", router, quoter: router }, 'unknown key "quoter"'],
  ])("%j is rejected", (exchange, fault) => {
    const { errors } = read(exchange);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("networkDetails.137.exchanges[0]");
    expect(errors[0]).toContain(fault);
  });
});

describe("numbers of a network's details", () => {
  const feed = `0x${"11".repeat(20)}`;
  const against = `0x${"22".repeat(20)}`;
  const currency = { address: `0x${"33".repeat(20)}`, symbol: "GEM", decimals: 18 };
  const other = { address: against, symbol: "USDC", decimals: 6, usdRate: 1 };
  const pool = { kind: "v3", pool: feed, against };

  /** Builds the details of a network with one field. */
  const details = {
    follow: (follow: object) => ({ follow }),
    feed: (more: object) => ({ currencies: [other, { ...currency, usdFrom: { feed, ...more } }] }),
    pool: (more: object) => ({ currencies: [other, { ...currency, usdFrom: { ...pool, ...more } }] }),
    currency: (more: object) => ({ currencies: [{ ...currency, ...more }] }),
  };

  const rows: readonly (readonly [keyof typeof details, key: string, min: number, max: number])[] = [
    ["follow", "window", 1, 10_000],
    ["follow", "pollMs", 10, 600_000],
    ["follow", "rangeBlocks", 1, 1_000_000],
    ["feed", "maxAgeSeconds", 1, 31_536_000],
    ["pool", "windowSeconds", 1, 86_400],
    ["pool", "minUsd", 0, 1_000_000_000],
    ["currency", "decimals", 0, 77],
  ];

  test.each(rows)("%s.%s is %i to %i", (place, key, min, max) => {
    const faultsOf = (value: number): readonly string[] =>
      readNetworks({ ...nothing, networkDetails: { "137": details[place]({ [key]: value }) } }).errors;
    for (const value of [min, min + 1, max - 1, max]) expect(faultsOf(value)).toEqual([]);
    for (const value of [min - 1, max + 1, min + 0.5])
      expect(faultsOf(value)).toEqual([
        expect.stringMatching(`[.]${key}: expected an integer from ${min} to ${max}$`),
      ]);
  });

  test("have the documented defaults", () => {
    const section = { "137": { ...details.pool({}), follow: true }, "1": details.feed({}) };
    const { networks, errors } = readNetworks({ ...nothing, networkDetails: section });
    expect(errors).toEqual([]);
    const found = new Map(networks.map((network) => [network.chainId, network]));
    expect(found.get(137)).toMatchObject({
      follow: {
        start: "latest",
        window: 256,
        pollMs: 1_000,
        rangeBlocks: 10_000,
        checkBloom: true,
      },
    });
    const sourceOf = (chainId: number): unknown =>
      found.get(chainId)?.currencies.find(({ symbol }) => symbol === "GEM")?.usdFrom;
    expect(sourceOf(137)).toMatchObject({ windowSeconds: 1_800, minUsd: 10_000 });
    expect(sourceOf(1)).toMatchObject({ maxAgeSeconds: 90_000 });
  });
});
