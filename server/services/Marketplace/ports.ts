import type { Networks } from "../../networks/networks.ts";
import type { CurrencyRates } from "../../records/currencies/currency.ts";

/** What the methods of Marketplace stand on. */
export interface Ports {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
}
