import type { Networks } from "../../../chain/networks/networks.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";

export interface MarketplacePorts {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
}
