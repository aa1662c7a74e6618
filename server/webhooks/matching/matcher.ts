import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { type ArgumentPlan, accountsIn, tokensIn } from "./arguments.ts";
import type { Wish, WishedEvent } from "./wish.ts";

export interface MatchableLog {
  /** Lower case, as all hex here. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface Match {
  readonly wish: Wish;
  /** In the spelling of the listener. */
  readonly event: ContractEvent;
}

/** Takes a listener and that event of it which can never match a log. */
type Missed = (wish: Wish, event: ContractEvent) => void;

/** A wish for one event, as it stands in the index. */
interface Entry extends Match {
  readonly accounts: ReadonlySet<string> | undefined;
  readonly tokens: ReadonlySet<string> | undefined;
}

/** Entries whose arguments stand at the same places. */
interface Group {
  readonly plan: ArgumentPlan;
  readonly indexedCount: number;
  readonly open: Set<Entry>;
  readonly byAccount: Map<string, Set<Entry>>;
  readonly byToken: Map<string, Set<Entry>>;
}

/**
 * Most places in the index that one listener takes. One with more, such as a thousand contracts times a thousand events, stands
 * there by contract alone and is looked at for each log of these.
 */
const placesMax = 5_000;

/**
 * Which listeners want a log. Each is found by the contract, the event, and the wallet or token id that it names, so that the work
 * grows with those that match and not with those that are there. Pure: who fills it says what stands in it.
 */
export class Matcher {
  readonly #wishes = new Map<number, Wish>();
  /** By contract and first topic, then by the places of arguments. */
  readonly #groups = new Map<string, Map<string, Group>>();
  readonly #wide = new Map<string, Set<Wide>>();
  readonly #addresses = new Counted();
  readonly #topics = new Counted();

  get size(): number {
    return this.#wishes.size;
  }

  /** Contracts and events that are wanted. */
  get addresses(): Iterable<string> {
    return this.#addresses.keys();
  }

  get topics(): Iterable<string> {
    return this.#topics.keys();
  }

  set(wish: Wish): void {
    this.delete(wish.listenerId);
    this.#wishes.set(wish.listenerId, wish);
    for (const address of wish.addresses) this.#addresses.add(address);
    for (const { event } of wish.events) this.#topics.add(event.topicHash);
    if (placesOf(wish) > placesMax) {
      const wide = wideOf(wish);
      for (const address of wish.addresses) addTo(this.#wide, address, wide);
      return;
    }
    const accounts = wish.accounts && new Set(wish.accounts);
    const tokens = wish.tokens && new Set(wish.tokens);
    for (const wished of wish.events) {
      const entry: Entry = { wish, event: wished.event, accounts, tokens };
      for (const address of wish.addresses) {
        const group = this.#group(address, wished);
        if (accounts !== undefined) for (const account of accounts) addTo(group.byAccount, account, entry);
        else if (tokens !== undefined) for (const token of tokens) addTo(group.byToken, token, entry);
        else group.open.add(entry);
      }
    }
  }

  delete(listenerId: number): void {
    const wish = this.#wishes.get(listenerId);
    if (wish === undefined) return;
    this.#wishes.delete(listenerId);
    for (const address of wish.addresses) this.#addresses.remove(address);
    for (const { event } of wish.events) this.#topics.remove(event.topicHash);
    const isWide = placesOf(wish) > placesMax;
    for (const address of wish.addresses) {
      if (isWide) removeFrom(this.#wide, address, (wide) => wide.wish === wish);
      else for (const wished of wish.events) this.#clear(address, wished, wish);
    }
  }

  /**
   * Each listener once, whichever of its events it was. `missed` gets those that name the event of the log and can never match it,
   * because they index another number of its arguments.
   */
  match(log: MatchableLog, missed?: Missed): readonly Match[] {
    const [topic] = log.topics;
    if (topic === undefined) return none;
    const wide = this.#wide.get(log.address);
    const groups = this.#groups.get(log.address + topic);
    if (wide === undefined && groups === undefined) return none;
    const found = new Map<number, Match>();
    const add = (match: Match): void => {
      if (!found.has(match.wish.listenerId)) found.set(match.wish.listenerId, match);
    };
    const misses: Match[] = [];
    if (groups !== undefined)
      for (const group of groups.values())
        if (group.indexedCount === log.topics.length - 1) matchGroup(group, log, add);
        else if (missed !== undefined) misses.push(...entriesOf(group));
    if (wide !== undefined)
      for (const each of wide) matchWide(each, topic, log, add, (match) => misses.push(match));
    if (missed !== undefined) tellMisses(misses, log, missed);
    return [...found.values()];
  }

  #group(address: string, { event, plan }: WishedEvent): Group {
    const key = address + event.topicHash;
    let groups = this.#groups.get(key);
    if (groups === undefined) {
      groups = new Map();
      this.#groups.set(key, groups);
    }
    let group = groups.get(plan.shape);
    if (group === undefined) {
      const { indexedCount } = event;
      group = { plan, indexedCount, open: new Set(), byAccount: new Map(), byToken: new Map() };
      groups.set(plan.shape, group);
    }
    return group;
  }

  #clear(address: string, { event, plan }: WishedEvent, wish: Wish): void {
    const key = address + event.topicHash;
    const groups = this.#groups.get(key);
    const group = groups?.get(plan.shape);
    if (groups === undefined || group === undefined) return;
    const isOfWish = (entry: Entry): boolean => entry.wish === wish;
    for (const entry of group.open) if (isOfWish(entry)) group.open.delete(entry);
    for (const account of wish.accounts ?? []) removeFrom(group.byAccount, account, isOfWish);
    for (const token of wish.tokens ?? []) removeFrom(group.byToken, token, isOfWish);
    if (group.open.size + group.byAccount.size + group.byToken.size > 0) return;
    groups.delete(plan.shape);
    if (groups.size === 0) this.#groups.delete(key);
  }
}

const none: readonly Match[] = [];

function entriesOf({ open, byAccount, byToken }: Group): ReadonlySet<Entry> {
  const entries = new Set(open);
  for (const set of [...byAccount.values(), ...byToken.values()]) for (const entry of set) entries.add(entry);
  return entries;
}

/** A listener that names the event in the right spelling too misses nothing. */
function tellMisses(misses: readonly Match[], log: MatchableLog, missed: Missed): void {
  const told = new Set<Wish>();
  for (const miss of misses) {
    const { wish } = miss;
    if (told.has(wish)) continue;
    told.add(wish);
    const isRight = ({ event }: WishedEvent): boolean =>
      event.topicHash === log.topics[0] && event.indexedCount === log.topics.length - 1;
    if (!wish.events.some(isRight)) missed(wish, miss.event);
  }
}

function matchGroup(group: Group, log: MatchableLog, add: (match: Match) => void): void {
  for (const entry of group.open) add(entry);
  if (group.byAccount.size > 0)
    accountsIn(group.plan, log, (account) => {
      for (const entry of group.byAccount.get(account) ?? [])
        if (entry.tokens === undefined || hasToken(group.plan, log, entry.tokens)) add(entry);
    });
  if (group.byToken.size > 0)
    tokensIn(group.plan, log, (token) => {
      for (const entry of group.byToken.get(token) ?? []) add(entry);
    });
}

function hasToken(plan: ArgumentPlan, log: MatchableLog, tokens: ReadonlySet<string>): boolean {
  let isThere = false;
  tokensIn(plan, log, (token) => {
    isThere ||= tokens.has(token);
  });
  return isThere;
}

/** A wish with more combinations than the index takes: asked one by one. */
interface Wide {
  readonly wish: Wish;
  readonly events: ReadonlyMap<string, readonly WishedEvent[]>;
  readonly accounts: ReadonlySet<string> | undefined;
  readonly tokens: ReadonlySet<string> | undefined;
}

function wideOf(wish: Wish): Wide {
  const events = new Map<string, readonly WishedEvent[]>();
  for (const wished of wish.events) {
    const { topicHash } = wished.event;
    events.set(topicHash, [...(events.get(topicHash) ?? []), wished]);
  }
  return {
    wish,
    events,
    accounts: wish.accounts && new Set(wish.accounts),
    tokens: wish.tokens && new Set(wish.tokens),
  };
}

function matchWide(
  { wish, events, accounts, tokens }: Wide,
  topic: string,
  log: MatchableLog,
  add: (match: Match) => void,
  missed: (match: Match) => void,
): void {
  for (const { event, plan } of events.get(topic) ?? []) {
    if (event.indexedCount !== log.topics.length - 1) {
      missed({ wish, event });
      continue;
    }
    let isOfAccount = accounts === undefined;
    if (accounts !== undefined)
      accountsIn(plan, log, (account) => {
        isOfAccount ||= accounts.has(account);
      });
    if (isOfAccount && (tokens === undefined || hasToken(plan, log, tokens))) add({ wish, event });
  }
}

function placesOf({ addresses, events, accounts, tokens }: Wish): number {
  return addresses.length * events.length * (accounts?.length ?? tokens?.length ?? 1);
}

/** How often each is there. */
class Counted {
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

function removeFrom<Item>(map: Map<string, Set<Item>>, key: string, isIt: (item: Item) => boolean): void {
  const set = map.get(key);
  if (set === undefined) return;
  for (const item of set) if (isIt(item)) set.delete(item);
  if (set.size === 0) map.delete(key);
}
