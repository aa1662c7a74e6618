import type { CollectiblesFilter, OrderFilter } from "../../../../generated/types.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { tooManyProperties } from "../../../market/records/collectibles/property-conditions.ts";
import type { TokenConditions } from "../../../market/records/collectibles/token-sql.ts";
import type { OrderConditions } from "../../../market/records/orders/competition.ts";
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

/** A sentence for the caller if a filter has more conditions than are read, which the schema cannot say. */
export function tooManyConditions(filter: CollectiblesFilter | undefined): string | undefined {
  const fault = tooManyProperties(filter?.properties ?? []);
  return fault === undefined ? undefined : `/filter/properties: ${fault}`;
}

export function offerConditions(filter: OrderFilter | undefined): OrderConditions {
  const currencies = filter?.currencies?.map(storedCurrency);
  return { marketplaces: filter?.marketplace, createdBy: filter?.createdBy, currencies };
}

/** Orders have the zero address for a chain's own coin; callers may write it as swaps do, too. */
function storedCurrency(address: string): string {
  return address === nativeCoin ? zeroAddress : address;
}

/** A sentence for the caller if a number is more than a chain can hold; those of the contract's shape may be. */
export function tooLargeNumber(numbers: Readonly<Record<string, string | undefined>>): string | undefined {
  const found = Object.entries(numbers).find(
    ([, number]) => number !== undefined && BigInt(number) > uint256Max,
  );
  return found === undefined ? undefined : `${found[0]}: more than 2^256 - 1`;
}

/** The numbers of a filter, by their places. */
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
