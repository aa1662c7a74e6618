import type { Command } from "../command.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";
import { audit } from "./audit.ts";
import { collections } from "./collections.ts";
import { contacts } from "./contacts.ts";
import { currencies } from "./currencies.ts";
import { exports } from "./export.ts";
import { follow } from "./follow.ts";
import { imports } from "./import.ts";
import { keys } from "./keys.ts";
import { metadata } from "./metadata.ts";
import { migration } from "./migration.ts";
import { networks } from "./networks.ts";
import { orders } from "./orders.ts";
import { origins } from "./origins.ts";
import { projects } from "./projects.ts";
import { rates } from "./rates.ts";
import { replicas } from "./replicas.ts";
import { secrets } from "./secrets.ts";
import { signingKeys } from "./signing-keys.ts";
import { sources } from "./sources.ts";
import { webhooks } from "./webhooks.ts";

export const commands: readonly Command[] = [
  ...projects,
  ...keys,
  ...accounts,
  ...secrets,
  ...signingKeys,
  ...origins,
  ...networks,
  ...replicas,
  ...sources,
  ...collections,
  ...metadata,
  ...orders,
  ...currencies,
  ...rates,
  ...audiences,
  ...contacts,
  ...imports,
  ...exports,
  ...follow,
  ...webhooks,
  ...audit,
  ...migration,
];
