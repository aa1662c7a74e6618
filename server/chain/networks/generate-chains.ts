/**
 * `npm run networks`: writes `chains.json`, viem's list of public chains. Only this script needs viem; a host reads the file.
 * Run it after updating viem, and commit the changes.
 */
import { writeFileSync } from "node:fs";
import * as chains from "viem/chains";
import { officialNames } from "./known-chains.ts";

interface Chain {
  readonly id: number;
  readonly name: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly testnet?: boolean;
}

interface Row {
  readonly names: string[];
  readonly chain: Chain;
}

const rows = new Map<number, Row>();
const taken = new Map(officialNames.map(([chainId, name]) => [name, chainId]));
for (const [key, chain] of Object.entries(chains) as [string, Chain][]) {
  if (typeof chain?.id !== "number") continue;
  const name = kebab(key);
  const row = rows.get(chain.id) ?? { names: [], chain };
  rows.set(chain.id, row);
  // A name belongs to one chain. The official clients' names have priority, then the order of viem's list.
  if ((taken.get(name) ?? chain.id) !== chain.id || row.names.includes(name)) continue;
  taken.set(name, chain.id);
  row.names.push(name);
}
const lines = [...rows.values()]
  .sort((a, b) => a.chain.id - b.chain.id)
  .map(({ names, chain: { id, name, nativeCurrency, testnet } }) => {
    const { name: currency, symbol, decimals } = nativeCurrency;
    return JSON.stringify([id, names, name, currency, symbol, decimals, testnet === true]);
  });
writeFileSync(new URL("chains.json", import.meta.url), `[\n${lines.join(",\n")}\n]\n`);

/** `baseSepolia` → `base-sepolia`, `zkSync` → `zk-sync`, `x1Testnet` → `x1-testnet`. */
function kebab(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
