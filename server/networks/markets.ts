/** The setting `markets` of a network: contracts whose events say what is listed and offered. */

export const marketKinds = ["sequence_marketplace_v1", "sequence_marketplace_v2"] as const;

export type MarketKind = (typeof marketKinds)[number];

export interface Market {
  readonly kind: MarketKind;
  /** Lower case. */
  readonly address: string;
}

/** Checks one entry: `{ "kind": "sequence_marketplace_v2", "address": "0x…" }`. */
export function readMarket(value: unknown, at: string, faults: string[]): Market | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    faults.push(`${at}: expected an object with "kind" and "address"`);
    return undefined;
  }
  const { kind, address, ...unknown } = value as Readonly<Record<string, unknown>>;
  const before = faults.length;
  for (const key of Object.keys(unknown)) faults.push(`${at}: unknown key "${key}"`);
  const known = marketKinds.find((one) => one === kind);
  if (known === undefined) faults.push(`${at}.kind: expected one of ${marketKinds.join(", ")}`);
  const isAddress = typeof address === "string" && /^0x[0-9a-fA-F]{40}$/.test(address);
  if (!isAddress) faults.push(`${at}.address: expected an address, 0x and 40 hex digits`);
  if (faults.length > before || known === undefined) return undefined;
  return { kind: known, address: String(address).toLowerCase() };
}

/** Orders are known by their market's kind and number, so that two contracts of one kind would mix theirs. */
export function checkMarkets(markets: readonly Market[] | undefined, at: string, faults: string[]): void {
  const seen = new Set<string>();
  for (const { kind } of markets ?? []) {
    if (seen.has(kind)) faults.push(`${at}: ${kind} is there twice`);
    seen.add(kind);
  }
}
