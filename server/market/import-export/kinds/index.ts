import type { RecordKind } from "../record-kind.ts";
import { audiences } from "./audiences.ts";
import { contacts } from "./contacts.ts";
import { contractSources } from "./contract-sources.ts";
import { contracts } from "./contracts.ts";
import { currencies } from "./currencies.ts";
import { metadata } from "./metadata.ts";
import { orders } from "./orders.ts";

/** Kinds in import order for an empty database: each refers only to records of those before it. */
export const kinds: readonly RecordKind[] = [
  currencies,
  metadata,
  orders,
  contractSources,
  audiences,
  contacts,
  contracts,
];
