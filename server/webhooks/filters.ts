import type { Keccak } from "../base/keccak.ts";
import { uint256Max } from "../base/uint256.ts";
import { type ContractEvent, readContractEvent } from "../chain/events/contract-event.ts";
import { EventTextFault } from "../chain/events/event-text.ts";
import { eventTextMax, type Filters, ListenerRefusal } from "./listener.ts";
import { planOf, tokenWord } from "./matching/arguments.ts";
import type { Wish, WishedEvent } from "./matching/wish.ts";

/** Filters as a call gives them; addresses and hashes are in lower case already. */
export interface GivenFilters {
  readonly contractAddresses: readonly string[];
  readonly events: readonly string[];
  readonly tokenIDs?: readonly string[] | undefined;
  readonly accounts?: readonly string[] | undefined;
  readonly topicHashes?: readonly string[] | undefined;
}

/** As they are kept and answered: events without needless blanks, each value once, empty kinds left out. Throws ListenerRefusal. */
export function readFilters(given: GivenFilters, keccak: Keccak): Filters {
  const events = given.events.map((text, index) => readEvent(text, `events[${index}]`, keccak).text);
  for (const [index, id] of (given.tokenIDs ?? []).entries())
    if (BigInt(id) > uint256Max)
      throw new ListenerRefusal(`filters.tokenIDs[${index}]: ${id} is more than 2^256 - 1, the largest id`);
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
      throw new ListenerRefusal(
        `filters.${at}: logs of an anonymous event do not name it, so they cannot be matched; leave the event out`,
      );
    // `uint` becomes `uint256`.
    if (event.text.length > eventTextMax)
      throw new ListenerRefusal(
        `filters.${at}: ${event.text.length} characters with its types written out, at most ${eventTextMax} are taken`,
      );
    return event;
  } catch (err) {
    if (err instanceof EventTextFault) throw new ListenerRefusal(`filters.${at}: ${err.message}`);
    throw err;
  }
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function isSet(values: readonly string[] | undefined): values is readonly string[] {
  return values !== undefined && values.length > 0;
}

/** Filters that are kept, ready to be held against logs. `read` reads the text of an event, and may remember it. */
export function wishOf(
  { id, host, filters }: { readonly id: number; readonly host: string; readonly filters: Filters },
  read: (text: string) => WishedEvent,
): Wish {
  const topics = filters.topicHashes && new Set(filters.topicHashes);
  const events = new Map<string, WishedEvent>();
  for (const text of filters.events) {
    const wished = read(text);
    const { topicHash, isAnonymous } = wished.event;
    const key = `${topicHash}${wished.plan.shape}`;
    // A log is told once, whichever of two spellings of its event it is found by.
    if (!isAnonymous && topics?.has(topicHash) !== false && !events.has(key)) events.set(key, wished);
  }
  return {
    listenerId: id,
    host,
    addresses: filters.contractAddresses,
    events: [...events.values()],
    accounts: filters.accounts,
    tokens: filters.tokenIDs?.map(tokenWord),
  };
}

/** Remembers what it read: thousands of listeners write the same few events. */
export function rememberEvents(keccak: Keccak): (text: string) => WishedEvent {
  const known = new Map<string, WishedEvent>();
  return (text) => {
    let wished = known.get(text);
    if (wished === undefined) {
      const event = readContractEvent(text, keccak);
      wished = { event, plan: planOf(event) };
      if (known.size >= rememberedMax) known.clear();
      known.set(text, wished);
    }
    return wished;
  };
}

const rememberedMax = 10_000;
