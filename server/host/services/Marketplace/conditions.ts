import type { CollectiblesFilter, OrderFilter } from "../../../../generated/types.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { propertyLimitError } from "../../../market/records/collectibles/merge-conditions.ts";
import type { TokenConditions } from "../../../market/records/collectibles/token-sql.ts";
import type { OrderConditions } from "../../../market/records/orders/price-bands.ts";
import { nativeCoin, zeroAddress } from "../../../wallets/swaps/currency.ts";

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

/** Returns an error for the caller if a filter has too many conditions: a limit that the schema cannot express. */
export function tooManyConditions(filter: CollectiblesFilter | undefined): string | undefined {
  const fault = propertyLimitError(filter?.properties ?? []);
  return fault === undefined ? undefined : `/filter/properties: ${fault}`;
}

export function offerConditions(filter: OrderFilter | undefined): OrderConditions {
  const currencies = filter?.currencies?.map(storedCurrency);
  return { marketplaces: filter?.marketplace, createdBy: filter?.createdBy, currencies };
}

/** Orders store the zero address for a chain's native coin. Callers may also use the address that swaps use. */
function storedCurrency(address: string): string {
  return address === nativeCoin ? zeroAddress : address;
}

/** Returns an error for the caller if a number exceeds 2^256 - 1. The schema limits only the number of digits. */
export function tooLargeNumber(numbers: Readonly<Record<string, string | undefined>>): string | undefined {
  const found = Object.entries(numbers).find(
    ([, number]) => number !== undefined && BigInt(number) > uint256Max,
  );
  return found === undefined ? undefined : `${found[0]}: must be at most 2^256 - 1`;
}

export function pricesOf(
  filter: CollectiblesFilter | undefined,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    (filter?.prices ?? []).flatMap(({ min, max }, index) => [
      [`filter.prices[${index}].min`, min],
      [`filter.prices[${index}].max`, max],
    ]),
  );
}
