/** The setting `markets` of a network: contracts whose events list, offer and trade tokens. */
import { isObject } from "ridlkit-runtime/json";
import { checkKeys, readAddress } from "./read-values.ts";

export const sequenceKinds = ["sequence_marketplace_v1", "sequence_marketplace_v2"] as const;

export type SequenceKind = (typeof sequenceKinds)[number];

export interface SequenceMarket {
  readonly kind: SequenceKind;
  /** Lower case. */
  readonly address: string;
}

export interface SeaportMarket {
  readonly kind: "seaport";
  /** Lower case. */
  readonly address: string;
  /**
   * Trusted zones. A zone is a contract that may restrict who fills an order; these are known to allow everyone. Orders with other
   * zones are not stored. Lower case.
   */
  readonly zones: readonly string[];
}

export type Market = SequenceMarket | SeaportMarket;

/** Seaport 1.6, which has the same address on every chain. */
const seaportAddress = "0x0000000000000068f116a894984e2db1123eb395";
const kinds = [...sequenceKinds, "seaport"] as const;

/** Validates one entry: `{ "kind": "sequence_marketplace_v2", "address": "0x…" }` or `{ "kind": "seaport", "zones": ["0x…"] }`. */
export function readMarket(value: unknown, at: string, errors: string[]): Market | undefined {
  if (!isObject(value)) {
    errors.push(`${at}: expected an object with "kind" and "address"`);
    return undefined;
  }
  const { kind, address, zones } = value;
  const errorsBefore = errors.length;
  checkKeys(value, ["kind", "address", "zones"], at, errors);
  const known = kinds.find((one) => one === kind);
  if (known === undefined) errors.push(`${at}.kind: expected one of ${kinds.join(", ")}`);
  const isDefault = known === "seaport" && address === undefined;
  const marketAddress = isDefault ? seaportAddress : readAddress(address, `${at}.address`, errors);
  if (zones !== undefined && known !== "seaport") errors.push(`${at}.zones: only Seaport has zones`);
  else if (zones !== undefined && !(Array.isArray(zones) && zones.every(isAddress)))
    errors.push(`${at}.zones: expected a list of addresses`);
  if (errors.length > errorsBefore || known === undefined || marketAddress === undefined) return undefined;
  if (known !== "seaport") return { kind: known, address: marketAddress };
  const trusted = (zones ?? []) as readonly string[];
  return { kind: known, address: marketAddress, zones: trusted.map((zone) => zone.toLowerCase()) };
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}

/** Orders are identified by their market's kind and their number, so two contracts of one kind would collide. */
export function checkMarkets(markets: readonly Market[] | undefined, at: string, errors: string[]): void {
  const seen = new Set<string>();
  for (const { kind } of markets ?? []) {
    if (seen.has(kind)) errors.push(`${at}: ${kind} is configured twice`);
    seen.add(kind);
  }
}

export function sequenceMarkets(markets: readonly Market[]): readonly SequenceMarket[] {
  return markets.filter((market): market is SequenceMarket => market.kind !== "seaport");
}

export function seaportOf(markets: readonly Market[]): SeaportMarket | undefined {
  return markets.find((market): market is SeaportMarket => market.kind === "seaport");
}
