import projects from "./0001-projects.sql";
import credentialChanges from "./0002-credential-changes.sql";
import market from "./0003-market.sql";
import properties from "./0004-properties.sql";
import projectRecords from "./0005-project-records.sql";
import follower from "./0006-follower.sql";
import replicas from "./0007-replicas.sql";
import webhooks from "./0008-webhooks.sql";
import followerRewind from "./0009-follower-rewind.sql";
import propertyVersions from "./0010-property-versions.sql";
import marketChanges from "./0011-market-changes.sql";
import marketWrites from "./0012-market-writes.sql";
import tokenMetadata from "./0013-token-metadata.sql";
import orderFacts from "./0014-order-facts.sql";
import seaport from "./0015-seaport.sql";
import currencyRates from "./0016-currency-rates.sql";
import keptRows from "./0017-kept-rows.sql";
import undoneTokens from "./0018-undone-tokens.sql";
import rewoundBlocks from "./0019-rewound-blocks.sql";
import sandboxProject from "./0020-sandbox-project.sql";
import orderEnds from "./0021-order-ends.sql";
import marketUndo from "./0022-market-undo.sql";
import collectionHistory from "./0023-collection-history.sql";
import namedTokens from "./0024-named-tokens.sql";
import leftMarkets from "./0025-left-markets.sql";
import nearMisses from "./0026-near-misses.sql";
import orderChanges from "./0027-order-changes.sql";
import marketChange from "./0028-market-change.sql";
import keptResponses from "./0029-kept-responses.sql";
import webhookEventIndexes from "./0030-webhook-event-indexes.sql";
import catchUp from "./0031-catch-up.sql";
import blockHistory from "./0032-block-history.sql";
import listenerDelivery from "./0033-listener-delivery.sql";
import webhookBatches from "./0034-webhook-batches.sql";
import logArchive from "./0035-log-archive.sql";
import webhookPast from "./0036-webhook-past.sql";
import followerHealth from "./0037-follower-health.sql";
import confirmations from "./0038-confirmations.sql";
import skippedRecords from "./0039-skipped-records.sql";
import pausedListeners from "./0040-paused-listeners.sql";

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Forward only. Released migrations never change; a later migration corrects mistakes. */
export const migrations: readonly Migration[] = [
  { version: 1, name: "projects", sql: projects },
  { version: 2, name: "credential-changes", sql: credentialChanges },
  { version: 3, name: "market", sql: market },
  { version: 4, name: "properties", sql: properties },
  { version: 5, name: "project-records", sql: projectRecords },
  { version: 6, name: "follower", sql: follower },
  { version: 7, name: "replicas", sql: replicas },
  { version: 8, name: "webhooks", sql: webhooks },
  { version: 9, name: "follower-rewind", sql: followerRewind },
  { version: 10, name: "property-versions", sql: propertyVersions },
  { version: 11, name: "market-changes", sql: marketChanges },
  { version: 12, name: "market-writes", sql: marketWrites },
  { version: 13, name: "token-metadata", sql: tokenMetadata },
  { version: 14, name: "order-facts", sql: orderFacts },
  { version: 15, name: "seaport", sql: seaport },
  { version: 16, name: "currency-rates", sql: currencyRates },
  { version: 17, name: "kept-rows", sql: keptRows },
  { version: 18, name: "undone-tokens", sql: undoneTokens },
  { version: 19, name: "rewound-blocks", sql: rewoundBlocks },
  { version: 20, name: "sandbox-project", sql: sandboxProject },
  { version: 21, name: "order-ends", sql: orderEnds },
  { version: 22, name: "market-undo", sql: marketUndo },
  { version: 23, name: "collection-history", sql: collectionHistory },
  { version: 24, name: "named-tokens", sql: namedTokens },
  { version: 25, name: "left-markets", sql: leftMarkets },
  { version: 26, name: "near-misses", sql: nearMisses },
  { version: 27, name: "order-changes", sql: orderChanges },
  { version: 28, name: "market-change", sql: marketChange },
  { version: 29, name: "kept-responses", sql: keptResponses },
  { version: 30, name: "webhook-event-indexes", sql: webhookEventIndexes },
  { version: 31, name: "catch-up", sql: catchUp },
  { version: 32, name: "block-history", sql: blockHistory },
  { version: 33, name: "listener-delivery", sql: listenerDelivery },
  { version: 34, name: "webhook-batches", sql: webhookBatches },
  { version: 35, name: "log-archive", sql: logArchive },
  { version: 36, name: "webhook-past", sql: webhookPast },
  { version: 37, name: "follower-health", sql: followerHealth },
  { version: 38, name: "confirmations", sql: confirmations },
  { version: 39, name: "skipped-records", sql: skippedRecords },
  { version: 40, name: "paused-listeners", sql: pausedListeners },
];
