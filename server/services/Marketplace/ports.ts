import type { Networks } from "../../networks/networks.ts";
import type { CurrencyRates } from "../../records/currencies/currency.ts";
import type { Queries } from "../../storage/database.ts";

/** What the methods of Marketplace stand on. */
export interface Ports {
  readonly database: Queries;
  readonly networks: Networks;
  readonly rates: CurrencyRates;
}
