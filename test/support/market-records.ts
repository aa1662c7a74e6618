/** A market of any size as lines for the importer: the same seed gives the same bytes. */
import { type Random, seededRandom } from "./random.ts";

export interface MarketSize {
  readonly seed: number;
  readonly orders: number;
  readonly collections: number;
  /** Of all collections together, and of the largest one. */
  readonly collectibles: number;
  readonly largest: number;
}

export const defaultMarket: MarketSize = {
  seed: 1,
  orders: 1_000_000,
  collections: 2_000,
  collectibles: 200_000,
  largest: 50_000,
};

const chainId = 137;

const kindsOfAddress = { currency: "c", collection: "e", account: "a" } as const;

/** The native coin, two tokens with a rate, and one that somebody made up. */
const currencies = [
  { contractAddress: addressOf("currency", 0), symbol: "POL", decimals: 18, usdRate: 0.42, share: 55 },
  { contractAddress: addressOf("currency", 1), symbol: "USDC", decimals: 6, usdRate: 1, share: 25 },
  { contractAddress: addressOf("currency", 2), symbol: "WETH", decimals: 18, usdRate: 3_000, share: 15 },
  { contractAddress: addressOf("currency", 3), symbol: "FAKE", decimals: 18, usdRate: undefined, share: 5 },
] as const;

/** The moment that ages count back from. */
const now = Date.parse("2026-01-01T00:00:00Z");

export function* currencyLines(): Iterable<string> {
  for (const { share: _, ...currency } of currencies) yield lineOf({ chainId, ...currency });
}

/** The first collection is the largest; the sizes of the others fall as those of real markets do. */
function collectionSizes({ collections, collectibles, largest }: MarketSize): readonly number[] {
  const weights = Array.from({ length: collections - 1 }, (_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rest = collectibles - largest;
  return [largest, ...weights.map((weight) => Math.max(1, Math.round((rest * weight) / total)))];
}

function collectionAddress(index: number): string {
  return addressOf("collection", index);
}

const rarities = ["Common", "Common", "Common", "Uncommon", "Uncommon", "Rare", "Epic", "Legendary"];
const colors = ["Red", "Green", "Blue", "Gold", "Black", "White"];

export function* metadataLines(size: MarketSize): Iterable<string> {
  const random = seededRandom(size.seed);
  for (const [collection, tokens] of collectionSizes(size).entries()) {
    for (let token = 0; token < tokens; token++) {
      yield lineOf({
        chainId,
        contractAddress: collectionAddress(collection),
        tokenId: String(token),
        name: `Item ${collection}-${token}`,
        attributes: [
          { trait_type: "Rarity", value: random.pick(rarities) },
          { trait_type: "Color", value: random.pick(colors) },
          { trait_type: "Level", value: 1 + random.below(100) },
        ],
        image: `https://images.example/${collection}/${token}.png`,
        updatedAt: "2025-12-01T00:00:00Z",
      });
    }
  }
}

export function* orderLines(size: MarketSize): Iterable<string> {
  const random = seededRandom(size.seed + 1);
  const sizes = collectionSizes(size);
  for (let index = 0; index < size.orders; index++) {
    // A few collections have most of the trade: of two that are drawn, the larger one.
    const collection = Math.min(random.below(sizes.length), random.below(sizes.length));
    yield lineOf(orderOf(index, collection, sizes[collection] ?? 1, random));
  }
}

function orderOf(index: number, collection: number, tokens: number, random: Random): object {
  const side = random.chance(65) ? "listing" : "offer";
  const isForAll = side === "offer" && random.chance(15);
  const currency = pickCurrency(random);
  const quantity = random.chance(90) ? 1 : 1 + random.below(50);
  const status = random.pick(statuses);
  const remaining = status === "filled" ? 0 : quantity;
  // Many more young ones than old ones, over three years.
  const ageMs = (random.below(1_000_000) / 1_000_000) ** 3 * 3 * 365 * 86_400_000;
  const createdAt = timeOf(now - ageMs);
  return {
    chainId,
    collectionContractAddress: collectionAddress(collection),
    ...(isForAll ? {} : { tokenId: String(random.below(tokens)) }),
    orderId: String(index),
    marketplace: random.chance(80) ? "sequence_marketplace_v2" : "opensea",
    source: "external",
    side,
    status,
    originName: "Example",
    slug: "",
    createdBy: addressOf("account", random.below(50_000)),
    priceAmount: priceOf(currency, random),
    priceCurrencyAddress: currency.contractAddress,
    quantityInitial: String(quantity),
    quantityRemaining: String(remaining),
    quantityAvailable: String(remaining),
    feeBps: 250,
    feeBreakdown: [{ kind: "royalty", recipientAddress: addressOf("account", collection), bps: 250 }],
    validFrom: createdAt,
    validUntil: timeOf(now - ageMs + (30 + random.below(2_000)) * 86_400_000),
    blockNumber: 40_000_000 + index,
    orderCreatedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
  };
}

/** A third is open. */
const statuses = [
  "active",
  "active",
  "active",
  "active",
  "expired",
  "cancelled",
  "cancelled",
  "filled",
  "filled",
  "filled",
  "inactive",
  "expired",
];

function pickCurrency(random: Random): (typeof currencies)[number] {
  let left = random.below(100);
  for (const currency of currencies) {
    left -= currency.share;
    if (left < 0) return currency;
  }
  return currencies[0];
}

/** From a cent to ten thousand dollars, each power of ten as often as the others. */
function priceOf({ decimals, usdRate = 1 }: (typeof currencies)[number], random: Random): string {
  const dollars = 10 ** (random.below(6_000) / 1_000 - 2);
  return String(BigInt(Math.ceil((dollars / usdRate) * 1e6)) * 10n ** BigInt(decimals - 6));
}

function timeOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The first currency is the native coin, whose address is zero. */
function addressOf(kind: keyof typeof kindsOfAddress, index: number): string {
  if (kind === "currency" && index === 0) return `0x${"0".repeat(40)}`;
  return `0x${kindsOfAddress[kind]}${index.toString(16).padStart(39, "0")}`;
}

function lineOf(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
