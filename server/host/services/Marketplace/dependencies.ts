import type { Networks } from "../../../chain/networks/networks.ts";
import type { StateVersions } from "../../../market/etags/keys.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";

export interface MarketplaceDependencies {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
  readonly state: StateVersions;
}
