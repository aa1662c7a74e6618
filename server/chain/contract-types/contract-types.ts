/** The types of contracts: each is detected once, then stored in the database and cached in memory. */

import type { Queries } from "../../base/storage/database.ts";
import type { Chain, Hex } from "../rpc/chain.ts";
import { type ContractType, detectContractType } from "./detect-contract-type.ts";

/** How long UNKNOWN is cached, in milliseconds: a proxy may get its code later, and the chain may have been unavailable. */
const unknownTtlMs = 600_000;
/** Time-out for all calls for one contract, in milliseconds: a block waits for the result. */
const detectTimeoutMs = 2_000;
/** Cached contracts; about 10 MB. */
const maxCached = 50_000;

const readSql = {
  name: "contract-type",
  text: "select type from contract_type where chain_id = $1 and address = $2",
};
const storeSql = {
  name: "contract-type-keep",
  text: "insert into contract_type (chain_id, address, type) values ($1, $2, $3) on conflict do nothing",
};

export class ContractTypes {
  readonly #chainOf: (chainId: number) => Promise<Chain>;
  readonly #cache = new Map<string, { readonly type: ContractType; readonly until: number }>();

  constructor(chainOf: (chainId: number) => Promise<Chain>) {
    this.#chainOf = chainOf;
  }

  /** Returns UNKNOWN if the contract implements no known standard, or the chain does not respond in time. */
  async of(queries: Queries, chainId: number, address: Hex): Promise<ContractType> {
    const key = `${chainId}/${address}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.until > performance.now()) return cached.type;
    const bytes = Buffer.from(address.slice(2), "hex");
    const [row] = await queries.query<{ type: ContractType }>(readSql, [chainId, bytes]);
    const type = row?.type ?? (await this.#detect(chainId, address));
    if (row === undefined && type !== "UNKNOWN") await queries.query(storeSql, [chainId, bytes, type]);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(key, {
      type,
      until: type === "UNKNOWN" ? performance.now() + unknownTtlMs : Number.POSITIVE_INFINITY,
    });
    return type;
  }

  async #detect(chainId: number, address: Hex): Promise<ContractType> {
    try {
      return await detectContractType(
        await this.#chainOf(chainId),
        address,
        AbortSignal.timeout(detectTimeoutMs),
      );
    } catch {
      return "UNKNOWN";
    }
  }
}
