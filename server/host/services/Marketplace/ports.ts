import type { Networks } from "../../../chain/networks/networks.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";

/** What the handlers of Marketplace need. */
export interface MarketplacePorts {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
}
