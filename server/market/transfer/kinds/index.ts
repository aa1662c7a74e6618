import type { RecordKind } from "../kind.ts";
import { audiences } from "./audiences.ts";
import { contacts } from "./contacts.ts";
import { contractSources } from "./contract-sources.ts";
import { contracts } from "./contracts.ts";
import { currencies } from "./currencies.ts";
import { metadata } from "./metadata.ts";
import { orders } from "./orders.ts";

/** In the order in which they can be imported into an empty database: each names records of those before it only. */
export const kinds: readonly RecordKind[] = [
  currencies,
  metadata,
  orders,
  contractSources,
  audiences,
  contacts,
  contracts,
];
