/** Trades on the local chain's market with real transactions: mints tokens, lists them, bids, sells and cancels. */
import { type Abi, type Address, createPublicClient, http, zeroAddress } from "viem";
import { uint256Max } from "../../base/uint256.ts";
import { type SandboxChain, sandboxArtifacts } from "../../chain/sandbox/chain.ts";
import { TransactionBatch } from "../../chain/sandbox/transaction-batch.ts";

/** What the platform must return once the follower has read the trades. */
export interface DemoTrades {
  /** Number of tokens with a live listing. */
  readonly listed: number;
  /** Id of a token with offers. */
  readonly tokenWithOffers: string;
}

export interface Terms {
  readonly tokenId: number;
  readonly currency: Address;
  readonly price: bigint;
  readonly isListing: boolean;
}

/** Whether the chain was restored with the trades of an earlier start. */
export async function hasTrades(chain: SandboxChain): Promise<boolean> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const { to: address, abi } = market(chain);
  return (await client.readContract({ address, abi, functionName: "nextRequestId" })) !== 0n;
}

/** Requires a chain without earlier trades. */
export async function makeTrades(chain: SandboxChain): Promise<DemoTrades> {
  const { usd, dai, gem } = chain.tokens;
  const [, ada = zeroAddress, bao = zeroAddress, cleo = zeroAddress, dan = zeroAddress, eve = zeroAddress] =
    chain.accounts;
  await mintTokens(chain, [ada, bao, cleo]);
  const listing = (tokenId: number, currency: Address, price: bigint): Terms => ({
    tokenId,
    currency,
    price,
    isListing: true,
  });
  const offer = (tokenId: number, currency: Address, price: bigint): Terms => ({
    tokenId,
    currency,
    price,
    isListing: false,
  });
  // The market numbers requests in the order of their creation.
  await makeRequests(chain, ada, [
    listing(1, usd, dollars(40)),
    listing(2, usd, dollars(55)),
    listing(3, zeroAddress, ether / 50n),
  ]);
  await makeRequests(chain, bao, [
    listing(5, dai, 38n * ether),
    listing(6, gem, 90n * ether),
    listing(7, usd, dollars(120)),
  ]);
  await makeRequests(chain, cleo, [listing(9, usd, dollars(61)), listing(10, zeroAddress, ether / 40n)]);
  await makeRequests(chain, dan, [
    offer(1, usd, dollars(31)),
    offer(4, usd, dollars(25)),
    offer(9, dai, 50n * ether),
  ]);
  await makeRequests(chain, eve, [offer(1, dai, 33n * ether), offer(8, usd, dollars(70))]);
  await transact(chain, dan, (batch) =>
    batch.call({ ...market(chain), functionName: "acceptRequest", args: [1n, 1n, dan, [], []] }),
  );
  await transact(chain, bao, (batch) =>
    batch.call({ ...market(chain), functionName: "cancelRequest", args: [5n] }),
  );
  return { listed: 6, tokenWithOffers: "1" };
}

async function mintTokens(chain: SandboxChain, owners: readonly Address[]): Promise<void> {
  const { abi } = sandboxArtifacts.collectible;
  const each = demoTokens.length / owners.length;
  for (const [index, { id, uri }] of demoTokens.entries())
    chain.batch.call({
      to: chain.collection,
      abi,
      functionName: "mint",
      args: [owners[Math.floor(index / each)], id, uri],
    });
  await chain.batch.mine();
}

/** Also grants the market the approvals that the requests need. */
async function makeRequests(chain: SandboxChain, maker: Address, requests: readonly Terms[]): Promise<void> {
  await transact(chain, maker, (batch) => {
    batch.call({
      to: chain.collection,
      abi: sandboxArtifacts.collectible.abi,
      functionName: "setApprovalForAll",
      args: [chain.market, true],
    });
    for (const currency of [chain.tokens.usd, chain.tokens.dai])
      batch.call({
        to: currency,
        abi: sandboxArtifacts.token.abi,
        functionName: "approve",
        args: [chain.market, uint256Max],
      });
    for (const terms of requests) createRequest(chain, batch, terms);
  });
}

/** Adds a listing or an offer. It is valid for ten years. */
export function createRequest(
  chain: SandboxChain,
  batch: TransactionBatch,
  { tokenId, currency, price, isListing }: Terms,
): void {
  batch.call({
    ...market(chain),
    functionName: "createRequest",
    args: [
      {
        isListing,
        isERC1155: false,
        tokenContract: chain.collection,
        tokenId: BigInt(tokenId),
        quantity: 1n,
        expiry: BigInt(Math.floor(Date.now() / 1_000) + tenYearsSeconds),
        currency,
        pricePerToken: price,
      },
    ],
  });
}

/** Sends the transactions of an account in one block. */
export async function transact(
  { rpcUrl }: SandboxChain,
  account: Address,
  write: (batch: TransactionBatch) => void,
): Promise<void> {
  const batch = await TransactionBatch.open(rpcUrl, account);
  write(batch);
  await batch.mine();
}

export function market(chain: SandboxChain): { readonly to: Address; readonly abi: Abi } {
  return { to: chain.market, abi: sandboxArtifacts.market.abi };
}

const ether = 10n ** 18n;

function dollars(amount: number): bigint {
  return BigInt(amount) * 10n ** 6n;
}

const tenYearsSeconds = 10 * 365 * 86_400;

/* Metadata of the demo's tokens, stored on the chain as `data:` URLs. */

interface DemoToken {
  readonly id: bigint;
  readonly uri: string;
}

const colors = [
  { name: "Amber", code: "f2a33a" },
  { name: "Jade", code: "2fae7b" },
  { name: "Indigo", code: "4356c9" },
  { name: "Rose", code: "d9577d" },
] as const;

const makers = ["Ada", "Bao", "Cleo"] as const;

/** One token for each color and maker, numbered from 1. */
export const demoTokens: readonly DemoToken[] = makers.flatMap((maker, row) =>
  colors.map((color, column) => {
    const number = row * colors.length + column + 1;
    return { id: BigInt(number), uri: uriOf(describe(number, maker, color)) };
  }),
);

function describe(number: number, maker: string, { name, code }: (typeof colors)[number]): object {
  const size = 10 + number * 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#10131f"/><circle cx="32" cy="32" r="${size / 2 + 8}" fill="#${code}"/></svg>`;
  return {
    name: `${name} lantern #${number}`,
    description: `A lantern for the harbour of the local chain, made by ${maker}.`,
    image: `data:image/svg+xml;base64,${base64(svg)}`,
    background_color: "10131f",
    attributes: [
      { trait_type: "Color", value: name },
      { trait_type: "Maker", value: maker },
      { trait_type: "Height", value: size },
    ],
  };
}

function uriOf(document: object): string {
  return `data:application/json;base64,${base64(JSON.stringify(document))}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
