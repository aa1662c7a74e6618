import type { CollectiblesFilter } from "../../../../generated/types.ts";
import { collectionKeys, currencyKey, type MarketTable } from "../../../market/etags/keys.ts";

/** The keys of the data that a list of a collection's tokens shows. Owners only select tokens. */
export function listKeys(
  chainId: number,
  {
    contractAddress,
    filter,
  }: { readonly contractAddress: string; readonly filter?: CollectiblesFilter | undefined },
): readonly string[] {
  const namesOwners = (filter?.inAccounts?.length ?? 0) + (filter?.notInAccounts?.length ?? 0) > 0;
  const tables: readonly MarketTable[] = namesOwners ? [...shown, "collectible_owner"] : shown;
  return [currencyKey(chainId), ...collectionKeys(chainId, [contractAddress], tables)];
}

const shown: readonly MarketTable[] = ["market_order", "collectible", "asset"];
