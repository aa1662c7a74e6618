/** The kinds of contracts, asked once each and kept. */

import type { Queries } from "../../base/storage/database.ts";
import type { Chain, Hex } from "../rpc/chain.ts";
import { type ContractType, detectContractType } from "./detect-contract-type.ts";

/** How long nothing better than UNKNOWN is believed, in milliseconds: a proxy may get its code later, and a chain may have been away. */
const unknownMs = 600_000;
/** How long all calls for one contract may take together, in milliseconds: a block waits for it. */
const askMaxMs = 2_000;
/** Contracts in memory; about 10 MB. */
const keptMax = 50_000;

const readSql = {
  name: "contract-type",
  text: "select type from contract_type where chain_id = $1 and address = $2",
};
const keepSql = {
  name: "contract-type-keep",
  text: "insert into contract_type (chain_id, address, type) values ($1, $2, $3) on conflict do nothing",
};

export class ContractTypes {
  readonly #chainOf: (chainId: number) => Promise<Chain>;
  readonly #kept = new Map<string, { readonly type: ContractType; readonly until: number }>();

  constructor(chainOf: (chainId: number) => Promise<Chain>) {
    this.#chainOf = chainOf;
  }

  /** UNKNOWN where the contract says nothing, or the chain does not answer in time. */
  async of(queries: Queries, chainId: number, address: Hex): Promise<ContractType> {
    const key = `${chainId}/${address}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.type;
    const bytes = Buffer.from(address.slice(2), "hex");
    const [row] = await queries.query<{ type: ContractType }>(readSql, [chainId, bytes]);
    const type = row?.type ?? (await this.#ask(chainId, address));
    if (row === undefined && type !== "UNKNOWN") await queries.query(keepSql, [chainId, bytes, type]);
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(key, {
      type,
      until: type === "UNKNOWN" ? performance.now() + unknownMs : Number.POSITIVE_INFINITY,
    });
    return type;
  }

  async #ask(chainId: number, address: Hex): Promise<ContractType> {
    try {
      return await detectContractType(await this.#chainOf(chainId), address, AbortSignal.timeout(askMaxMs));
    } catch {
      return "UNKNOWN";
    }
  }
}
