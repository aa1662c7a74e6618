import type { Keccak } from "../base/keccak.ts";
import { RequestRejection } from "../base/request-rejection.ts";
import { uint256Max } from "../base/uint256.ts";
import { type ContractEvent, EventTextFault, readContractEvent } from "../chain/events/contract-event.ts";
import { type Filters, maxEventTextLength, type Timing } from "./listener.ts";
import { layoutOf, tokenWord } from "./matching/arguments.ts";
import type { SubscribedEvent, Subscription } from "./matching/matcher.ts";

/** Filters as sent by a caller. Addresses and hashes are in lower case already. */
export interface FiltersInput {
  readonly contractAddresses: readonly string[];
  readonly events: readonly string[];
  readonly tokenIDs?: readonly string[] | undefined;
  readonly accounts?: readonly string[] | undefined;
  readonly topicHashes?: readonly string[] | undefined;
}

/**
 * Normalizes filters for storage: events without needless blanks, no duplicates, empty lists omitted. `at` is the pointer of the filters in
 * the request. Throws RequestRejection.
 */
export function readFilters(given: FiltersInput, keccak: Keccak, at = "/filters"): Filters {
  const events = given.events.map((text, index) => readEvent(text, `${at}/events/${index}`, keccak).text);
  for (const [index, id] of (given.tokenIDs ?? []).entries())
    if (BigInt(id) > uint256Max)
      throw new RequestRejection(`${at}/tokenIDs/${index}: ${id} exceeds 2^256 - 1, the largest token id`);
  return {
    contractAddresses: unique(given.contractAddresses),
    events: unique(events),
    ...(isSet(given.tokenIDs) ? { tokenIDs: unique(given.tokenIDs) } : {}),
    ...(isSet(given.accounts) ? { accounts: unique(given.accounts) } : {}),
    ...(isSet(given.topicHashes) ? { topicHashes: unique(given.topicHashes) } : {}),
  };
}

function readEvent(text: string, at: string, keccak: Keccak): ContractEvent {
  try {
    const event = readContractEvent(text, keccak);
    if (event.isAnonymous)
      throw new RequestRejection(
        `${at}: anonymous events cannot be matched, because their logs do not contain the event's signature; remove the event`,
      );
    // Normalizing can lengthen the text: `uint` becomes `uint256`.
    if (event.text.length > maxEventTextLength)
      throw new RequestRejection(
        `${at}: the event has ${event.text.length} characters with its types written in full; at most ${maxEventTextLength} are allowed`,
      );
    return event;
  } catch (err) {
    if (err instanceof EventTextFault) throw new RequestRejection(`${at}: ${err.message}`);
    throw err;
  }
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function isSet(values: readonly string[] | undefined): values is readonly string[] {
  return values !== undefined && values.length > 0;
}

/** Compiles a listener's stored filters for matching. `read` parses the text of an event; pass a cached reader. */
export function subscriptionOf(
  {
    id,
    destination,
    delivery,
    confirmations,
    filters,
  }: Timing & {
    readonly id: number;
    readonly destination: string | undefined;
    readonly filters: Filters;
  },
  read: (text: string) => SubscribedEvent,
): Subscription {
  const topics = filters.topicHashes && new Set(filters.topicHashes);
  const events = new Map<string, SubscribedEvent>();
  for (const text of filters.events) {
    const subscribed = read(text);
    const { topicHash, isAnonymous } = subscribed.event;
    const key = `${topicHash}${subscribed.layout.key}`;
    // Two spellings of one event must not match a log twice.
    if (!isAnonymous && topics?.has(topicHash) !== false && !events.has(key)) events.set(key, subscribed);
  }
  return {
    listenerId: id,
    destination,
    delivery,
    confirmations,
    addresses: filters.contractAddresses,
    events: [...events.values()],
    accounts: filters.accounts,
    tokens: filters.tokenIDs?.map(tokenWord),
  };
}

/** Returns a function that parses events and caches the results: thousands of listeners use the same few events. */
export function createEventReader(keccak: Keccak): (text: string) => SubscribedEvent {
  const known = new Map<string, SubscribedEvent>();
  return (text) => {
    let subscribed = known.get(text);
    if (subscribed === undefined) {
      const event = readContractEvent(text, keccak);
      subscribed = { event, layout: layoutOf(event) };
      if (known.size >= maxCachedEvents) known.clear();
      known.set(text, subscribed);
    }
    return subscribed;
  };
}

const maxCachedEvents = 10_000;
