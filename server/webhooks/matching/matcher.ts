import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { Timing } from "../listener.ts";
import { type ArgumentLayout, visitAccounts, visitTokens } from "./arguments.ts";

export interface MatchableLog {
  /** Lower case, like all hex in this module. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface Match {
  readonly subscription: Subscription;
  /** As the listener declares it. */
  readonly event: ContractEvent;
}

/** An entry of the index: one event of a subscription. */
interface IndexEntry extends Match {
  readonly accounts: ReadonlySet<string> | undefined;
  readonly tokens: ReadonlySet<string> | undefined;
}

/** Entries for one event and one layout of its arguments. */
interface Group {
  readonly layout: ArgumentLayout;
  readonly indexedCount: number;
  readonly unfiltered: Set<IndexEntry>;
  readonly byAccount: Map<string, Set<IndexEntry>>;
  readonly byToken: Map<string, Set<IndexEntry>>;
}

/**
 * Maximum number of index entries of one listener. A listener that needs more, such as a thousand contracts times a thousand events, is indexed
 * by contract alone and compared with each log of its contracts.
 */
const maxIndexEntries = 5_000;

/**
 * Finds the listeners that match a log. Listeners are indexed by contract, event, and wallet or token id, so that the cost grows
 * with the number of matching listeners, not of all listeners. Callers add and remove the subscriptions.
 */
export class Matcher {
  readonly #subscriptions = new Map<number, Subscription>();
  /** By contract and first topic, then by the layout of arguments. */
  readonly #groups = new Map<string, Map<string, Group>>();
  readonly #broad = new Map<string, Set<BroadSubscription>>();
  readonly #addresses = new Multiset();
  readonly #topics = new Multiset();

  get size(): number {
    return this.#subscriptions.size;
  }

  /** Contracts and first topics of all subscriptions, for the follower's log filter. */
  get addresses(): Iterable<string> {
    return this.#addresses.keys();
  }

  get topics(): Iterable<string> {
    return this.#topics.keys();
  }

  set(subscription: Subscription): void {
    this.delete(subscription.listenerId);
    this.#subscriptions.set(subscription.listenerId, subscription);
    for (const address of subscription.addresses) this.#addresses.add(address);
    for (const { event } of subscription.events) this.#topics.add(event.topicHash);
    if (indexEntriesOf(subscription) > maxIndexEntries) {
      const broad = broadSubscriptionOf(subscription);
      for (const address of subscription.addresses) addTo(this.#broad, address, broad);
      return;
    }
    const accounts = subscription.accounts && new Set(subscription.accounts);
    const tokens = subscription.tokens && new Set(subscription.tokens);
    for (const subscribed of subscription.events) {
      const entry: IndexEntry = { subscription, event: subscribed.event, accounts, tokens };
      for (const address of subscription.addresses) {
        const group = this.#group(address, subscribed);
        if (accounts !== undefined) for (const account of accounts) addTo(group.byAccount, account, entry);
        else if (tokens !== undefined) for (const token of tokens) addTo(group.byToken, token, entry);
        else group.unfiltered.add(entry);
      }
    }
  }

  delete(listenerId: number): void {
    const subscription = this.#subscriptions.get(listenerId);
    if (subscription === undefined) return;
    this.#subscriptions.delete(listenerId);
    for (const address of subscription.addresses) this.#addresses.remove(address);
    for (const { event } of subscription.events) this.#topics.remove(event.topicHash);
    const isBroad = indexEntriesOf(subscription) > maxIndexEntries;
    for (const address of subscription.addresses) {
      if (isBroad) removeFrom(this.#broad, address, (broad) => broad.subscription === subscription);
      else for (const subscribed of subscription.events) this.#clear(address, subscribed, subscription);
    }
  }

  /** Returns each listener once, even if several of its events match. */
  match(log: MatchableLog): readonly Match[] {
    const [topic] = log.topics;
    if (topic === undefined) return none;
    const broad = this.#broad.get(log.address);
    const groups = this.#groups.get(log.address + topic);
    if (broad === undefined && groups === undefined) return none;
    const found = new Matches();
    if (groups !== undefined)
      for (const group of groups.values())
        if (group.indexedCount === log.topics.length - 1) matchGroup(group, log, found);
    if (broad !== undefined) for (const each of broad) matchBroad(each, topic, log, found);
    return found.list;
  }

  #group(address: string, { event, layout }: SubscribedEvent): Group {
    const key = address + event.topicHash;
    let groups = this.#groups.get(key);
    if (groups === undefined) {
      groups = new Map();
      this.#groups.set(key, groups);
    }
    let group = groups.get(layout.key);
    if (group === undefined) {
      const { indexedCount } = event;
      group = { layout, indexedCount, unfiltered: new Set(), byAccount: new Map(), byToken: new Map() };
      groups.set(layout.key, group);
    }
    return group;
  }

  #clear(address: string, { event, layout }: SubscribedEvent, subscription: Subscription): void {
    const key = address + event.topicHash;
    const groups = this.#groups.get(key);
    const group = groups?.get(layout.key);
    if (groups === undefined || group === undefined) return;
    const belongs = (entry: IndexEntry): boolean => entry.subscription === subscription;
    for (const entry of group.unfiltered) if (belongs(entry)) group.unfiltered.delete(entry);
    for (const account of subscription.accounts ?? []) removeFrom(group.byAccount, account, belongs);
    for (const token of subscription.tokens ?? []) removeFrom(group.byToken, token, belongs);
    if (group.unfiltered.size + group.byAccount.size + group.byToken.size > 0) return;
    groups.delete(layout.key);
    if (groups.size === 0) this.#groups.delete(key);
  }
}

const none: readonly Match[] = [];

/** The matches of a log, one for each listener. */
class Matches {
  readonly list: Match[] = [];
  readonly #listeners = new Set<number>();

  add(match: Match): void {
    const { size } = this.#listeners;
    if (this.#listeners.add(match.subscription.listenerId).size > size) this.list.push(match);
  }
}

function matchGroup(group: Group, log: MatchableLog, found: Matches): void {
  for (const entry of group.unfiltered) found.add(entry);
  if (group.byAccount.size > 0)
    visitAccounts(group.layout, log, (account) => {
      for (const entry of group.byAccount.get(account) ?? [])
        if (entry.tokens === undefined || hasToken(group.layout, log, entry.tokens)) found.add(entry);
    });
  if (group.byToken.size > 0)
    visitTokens(group.layout, log, (token) => {
      for (const entry of group.byToken.get(token) ?? []) found.add(entry);
    });
}

function hasToken(layout: ArgumentLayout, log: MatchableLog, tokens: ReadonlySet<string>): boolean {
  let isFound = false;
  visitTokens(layout, log, (token) => {
    isFound ||= tokens.has(token);
  });
  return isFound;
}

/** A subscription that would need too many index entries. It is compared with each log of its contracts. */
interface BroadSubscription {
  readonly subscription: Subscription;
  readonly events: ReadonlyMap<string, readonly SubscribedEvent[]>;
  readonly accounts: ReadonlySet<string> | undefined;
  readonly tokens: ReadonlySet<string> | undefined;
}

function broadSubscriptionOf(subscription: Subscription): BroadSubscription {
  const events = new Map<string, readonly SubscribedEvent[]>();
  for (const subscribed of subscription.events) {
    const { topicHash } = subscribed.event;
    events.set(topicHash, [...(events.get(topicHash) ?? []), subscribed]);
  }
  return {
    subscription,
    events,
    accounts: subscription.accounts && new Set(subscription.accounts),
    tokens: subscription.tokens && new Set(subscription.tokens),
  };
}

function matchBroad(
  { subscription, events, accounts, tokens }: BroadSubscription,
  topic: string,
  log: MatchableLog,
  found: Matches,
): void {
  for (const { event, layout } of events.get(topic) ?? []) {
    if (event.indexedCount !== log.topics.length - 1) continue;
    let hasAccount = accounts === undefined;
    if (accounts !== undefined)
      visitAccounts(layout, log, (account) => {
        hasAccount ||= accounts.has(account);
      });
    if (hasAccount && (tokens === undefined || hasToken(layout, log, tokens)))
      found.add({ subscription, event });
  }
}

function indexEntriesOf({ addresses, events, accounts, tokens }: Subscription): number {
  return addresses.length * events.length * (accounts?.length ?? tokens?.length ?? 1);
}

/** Counts how often each key was added. */
class Multiset {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  keys(): Iterable<string> {
    return this.#counts.keys();
  }
}

function addTo<Item>(map: Map<string, Set<Item>>, key: string, item: Item): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([item]));
  else set.add(item);
}

function removeFrom<Item>(map: Map<string, Set<Item>>, key: string, isMatch: (item: Item) => boolean): void {
  const set = map.get(key);
  if (set === undefined) return;
  for (const item of set) if (isMatch(item)) set.delete(item);
  if (set.size === 0) map.delete(key);
}

export interface SubscribedEvent {
  readonly event: ContractEvent;
  readonly layout: ArgumentLayout;
}

/** A listener's filters, compiled for matching. */
export interface Subscription extends Timing {
  readonly listenerId: number;
  /** The host name of the listener's URL, without its port. Undefined: the subscription is a stream, and `listenerId` its id. */
  readonly destination: string | undefined;
  readonly addresses: readonly string[];
  /**
   * The events that can match: without anonymous events, and without events that the topic hashes exclude. One for each topic
   * and choice of indexed arguments.
   */
  readonly events: readonly SubscribedEvent[];
  /** Undefined: any account. */
  readonly accounts: readonly string[] | undefined;
  /** Words of 32 bytes in hex, without `0x`. Undefined: any token. */
  readonly tokens: readonly string[] | undefined;
}
