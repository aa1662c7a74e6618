import { defaultFees, type Exchange, type ExchangeKind } from "./exchanges.ts";

/**
 * Default exchanges of public chains: Uniswap's own routers, as its packages list them (`@uniswap/sdk-core`,
 * `@uniswap/default-token-list`). `codeHash` is the hash of the code that Uniswap's published build has when deployed with
 * these contracts and this wrapped coin; a test computes it. A router with any other code is not used.
 */
export interface DefaultRouter {
  readonly kind: ExchangeKind;
  readonly router: string;
  /** Constructor arguments in its code, in addition to the wrapped coin: its factories and, for `swapRouter02`, its position manager. */
  readonly contracts: readonly string[];
  readonly codeHash: string;
}

export interface DefaultExchanges {
  readonly wrappedCoin: string;
  /** The tokens that most pools contain, in addition to the wrapped coin. */
  readonly connectors: readonly string[];
  readonly routers: readonly DefaultRouter[];
}

export function defaultExchangesOf(chainId: number): readonly Exchange[] {
  const routers = defaultExchanges[chainId]?.routers ?? [];
  return routers.map(({ kind, router, codeHash }) => ({
    kind,
    router,
    fees: kind === "v2" ? [] : defaultFees,
    codeHash,
  }));
}

export function defaultConnectors(chainId: number): readonly string[] {
  const known = defaultExchanges[chainId];
  return known === undefined ? [] : [known.wrappedCoin, ...known.connectors];
}

/** By chain id. */
export const defaultExchanges: Readonly<Record<number, DefaultExchanges>> = {
  // mainnet; via USDC, USDT, DAI
  1: {
    wrappedCoin: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    connectors: [
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "0xdac17f958d2ee523a2206206994597c13d831ec7",
      "0x6b175474e89094c44da98b954eedeac495271d0f",
    ],
    routers: [
      {
        kind: "v2",
        router: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
        contracts: ["0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f"],
        codeHash: "0xa324bc7db3d091b6f1a2d526e48a9c7039e03b3cc35f7d44b15ac7a1544c11d2",
      },
      {
        kind: "swapRouter",
        router: "0xe592427a0aece92de3edee1f18e0157c05861564",
        contracts: ["0x1f98431c8ad98523631ae4a59f267346ea31f984"],
        codeHash: "0xbb90113d2f9a5e9b7feb15a1d1fff06c1ee1575b3f9b1181778ffd0cf633e7ea",
      },
    ],
  },
  // optimism; via USDC, USDT, USDC.e
  10: {
    wrappedCoin: "0x4200000000000000000000000000000000000006",
    connectors: [
      "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
      "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
      "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
    ],
    routers: [
      {
        kind: "v2",
        router: "0x4a7b5da61326a6379179b40d00f57e5bbdc962c2",
        contracts: ["0x0c3c1c532f1e39edf36be9fe0be1410313e074bf"],
        codeHash: "0x91d7caeb497177c098525264d471e46b322f1704ebd11a0dfa59a46aa2571c42",
      },
      {
        kind: "swapRouter",
        router: "0xe592427a0aece92de3edee1f18e0157c05861564",
        contracts: ["0x1f98431c8ad98523631ae4a59f267346ea31f984"],
        codeHash: "0x9dffd8411440a087462a2cbbd81ff09516dcb193d6a8d58a367ad9e42a8f622f",
      },
    ],
  },
  // bsc; via USDT, USDC
  56: {
    wrappedCoin: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    connectors: ["0x55d398326f99059ff775485246999027b3197955", "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d"],
    routers: [
      {
        kind: "v2",
        router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
        contracts: ["0x8909dc15e40173ff4699343b6eb8132c65e18ec6"],
        codeHash: "0x50e0d327a227c8be6615bfb6b03839cc958e1d60e9039b7de027739be3c47e40",
      },
      {
        kind: "swapRouter02",
        router: "0xb971ef87ede563556b2ed4b1c0b0019111dd85d2",
        contracts: [
          "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
          "0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
          "0x7b8a01b39d58278b5de7e48c8449c9f4f5170613",
        ],
        codeHash: "0x47b9cdfadc2b43cf63b2f1df3a3c5ab694b454bf1bae483a4c07ed2d6d87ef4f",
      },
    ],
  },
  // polygon; via USDC, USDC.e, USDT, WETH
  137: {
    wrappedCoin: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    connectors: [
      "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
      "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
      "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
      "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619",
    ],
    routers: [
      {
        kind: "v2",
        router: "0xedf6066a2b290c185783862c7f4776a2c8077ad1",
        contracts: ["0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c"],
        codeHash: "0x4e4cfbcee181a88fe3d06b1cdd094d3a52bd3ebdf56a14cf0232a6731261b749",
      },
      {
        kind: "swapRouter",
        router: "0xe592427a0aece92de3edee1f18e0157c05861564",
        contracts: ["0x1f98431c8ad98523631ae4a59f267346ea31f984"],
        codeHash: "0x337e254015a15cf0284fa2e454033dce87417fd99c898da14ecc78e7d0d3a61d",
      },
    ],
  },
  // base; via USDC
  8453: {
    wrappedCoin: "0x4200000000000000000000000000000000000006",
    connectors: ["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"],
    routers: [
      {
        kind: "v2",
        router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
        contracts: ["0x8909dc15e40173ff4699343b6eb8132c65e18ec6"],
        codeHash: "0x3c132420537910a027d8ead96c54bbf8ce9bf14e02c6030bde4613f3d0e03cd7",
      },
      {
        kind: "swapRouter02",
        router: "0x2626664c2603336e57b271c5c0b26f421741e481",
        contracts: [
          "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
          "0x33128a8fc17869897dce68ed026d694621f6fdfd",
          "0x03a520b32c04bf3beef7beb72e919cf822ed34f1",
        ],
        codeHash: "0xc23a9c61d6f99138b394227a6c9822d883c30a209cd5b9435cb1be67d0bd6bc5",
      },
    ],
  },
  // arbitrum; via USDC, USDC.e, USDT
  42161: {
    wrappedCoin: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    connectors: [
      "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
      "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
      "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
    ],
    routers: [
      {
        kind: "v2",
        router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
        contracts: ["0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9"],
        codeHash: "0x7b819c4419effa7f51dc7e16e6990d9a9361e50f591a817e9bb0209b0793de0d",
      },
      {
        kind: "swapRouter",
        router: "0xe592427a0aece92de3edee1f18e0157c05861564",
        contracts: ["0x1f98431c8ad98523631ae4a59f267346ea31f984"],
        codeHash: "0x0c84ebe12118f30206a5dd66607005e72a85606f5e781c6ae99ab01bdae3bb4d",
      },
    ],
  },
  // avalanche; via USDC, USDT
  43114: {
    wrappedCoin: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    connectors: ["0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7"],
    routers: [
      {
        kind: "v2",
        router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
        contracts: ["0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c"],
        codeHash: "0x06c618c55f9e097df566dbc748217ef5d73f7ea962549634b80ef137979db59a",
      },
      {
        kind: "swapRouter02",
        router: "0xbb00ff08d01d300023c629e8ffffcb65a5a578ce",
        contracts: [
          "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
          "0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad",
          "0x655c406ebfa14ee2006250925e54ec43ad184f8b",
        ],
        codeHash: "0x7cd6dc76fd9242cc92078cdc4f73b334e7d69407cdcf70c9114f02528909a9cb",
      },
    ],
  },
};
