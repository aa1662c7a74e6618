import type { ErrorMakers, RpcFailure } from "ridlkit-runtime/handler";
import { builtinCode } from "ridlkit-runtime/reply";
import { rpcError } from "../../../../generated/server.ts";
import type { CollectiblesFilter, OrderFilter } from "../../../../generated/types.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { collectionKeys, currencyKey, type MarketTable } from "../../../market/etags/market-versions.ts";
import { propertyLimitError, type TokenConditions } from "../../../market/records/collectibles/token-sql.ts";
import type { OrderConditions } from "../../../market/records/orders/price-bands.ts";
import { nativeCoin, zeroAddress } from "../../../wallets/swaps/swap.ts";

export function orderConditions(filter: CollectiblesFilter | undefined): OrderConditions {
  return {
    marketplaces: filter?.marketplaces,
    createdBy: filter?.ordersCreatedBy,
    notCreatedBy: filter?.ordersNotCreatedBy,
    currencies: filter?.inCurrencyAddresses?.map(storedCurrency),
    notCurrencies: filter?.notInCurrencyAddresses?.map(storedCurrency),
    prices: filter?.prices?.map((range) => ({
      ...range,
      contractAddress: storedCurrency(range.contractAddress),
    })),
  };
}

export function tokenConditions(filter: CollectiblesFilter | undefined): TokenConditions {
  return {
    searchText: filter?.searchText,
    properties: filter?.properties,
    owners: filter?.inAccounts,
    notOwners: filter?.notInAccounts,
  };
}

/** Returns a failure if a filter exceeds a limit that the schema cannot express. */
export function invalidFilter(
  errors: ErrorMakers<"InvalidArgument">,
  filter: CollectiblesFilter | undefined,
): RpcFailure<"InvalidArgument"> | undefined {
  const excess = propertyLimitError(filter?.properties ?? []);
  if (excess !== undefined)
    return rpcError.builtin(builtinCode.badRequest, { cause: `/filter/properties: ${excess}`, expose: true });
  const prices = (filter?.prices ?? []).flatMap(({ min, max }, index) => [
    [`filter.prices[${index}].min`, min],
    [`filter.prices[${index}].max`, max],
  ]);
  return tooLargeNumber(errors, Object.fromEntries(prices));
}

/** Returns a failure if a number exceeds 2^256 - 1. The schema limits only the number of digits. */
export function tooLargeNumber(
  errors: ErrorMakers<"InvalidArgument">,
  numbers: Readonly<Record<string, string | undefined>>,
): RpcFailure<"InvalidArgument"> | undefined {
  const found = Object.entries(numbers).find(
    ([, number]) => number !== undefined && BigInt(number) > uint256Max,
  );
  return found && errors.InvalidArgument({ cause: `${found[0]}: must be at most 2^256 - 1`, expose: true });
}

export function offerConditions(filter: OrderFilter | undefined): OrderConditions {
  const currencies = filter?.currencies?.map(storedCurrency);
  return { marketplaces: filter?.marketplace, createdBy: filter?.createdBy, currencies };
}

/** Orders store the zero address for a chain's native coin. Callers may also use the address that swaps use. */
function storedCurrency(address: string): string {
  return address === nativeCoin ? zeroAddress : address;
}

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
