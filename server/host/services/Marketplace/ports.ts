import type { Networks } from "../../../chain/networks/networks.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";
import type { StateVersions } from "../../../market/versions/keys.ts";

export interface MarketplacePorts {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
  readonly state: StateVersions;
}
