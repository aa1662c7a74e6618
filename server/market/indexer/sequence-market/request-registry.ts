import type { SequenceKind } from "../../../chain/networks/markets.ts";
import type { LocatedEvent, RequestCreated, RequestsInvalidated } from "./events.ts";

/** Identifies a request of a market on one chain. The id is unique per market, and is the order id. */
export interface RequestKey {
  readonly marketplace: SequenceKind;
  readonly collection: string;
  readonly requestId: bigint;
}

export interface RequestState {
  /** Zero once filled. Never grows, so that applying an event twice changes nothing. */
  readonly remaining: bigint;
  /** Cancelled by its maker, alone or together with other requests. Final. */
  readonly isCancelled: boolean;
  /** Timestamp of the block that last changed the request, in seconds since 1970. */
  readonly changedAt: number;
  readonly changedBlock: number;
}

export interface Request extends RequestKey {
  readonly maker: string;
  state: RequestState;
  isChanged: boolean;
  /** States before each block that changed the request, lowest block first. Undefined: the request did not exist. */
  readonly previous: { readonly block: number; readonly state: RequestState | undefined }[];
}

/** Requests in memory, while the events of a block range are applied to them. */
export class RequestRegistry {
  readonly #requests = new Map<SequenceKind, Map<bigint, Request>>();
  /** Requests that can still be cancelled, by market and maker. */
  readonly #open = new Map<SequenceKind, Map<string, Request[]>>();
  readonly #finalBlock: number;

  /** Previous states are recorded only above `finalBlock`: older blocks cannot be reorganized. */
  constructor(finalBlock: number) {
    this.#finalBlock = finalBlock;
  }

  find(marketplace: SequenceKind, requestId: bigint): Request | undefined {
    return this.#requests.get(marketplace)?.get(requestId);
  }

  register(key: RequestKey, maker: string, state: RequestState): Request {
    const { marketplace, collection, requestId } = key;
    const request = { marketplace, collection, requestId, maker, state, isChanged: false, previous: [] };
    const requests = childOf(this.#requests, marketplace, () => new Map<bigint, Request>());
    if (!requests.has(requestId)) requests.set(requestId, request);
    if (state.isCancelled || state.remaining === 0n) return request;
    const makers = childOf(this.#open, marketplace, () => new Map<string, Request[]>());
    childOf(makers, maker, (): Request[] => []).push(request);
    return request;
  }

  /** Adds a new request. Returns undefined, and changes nothing, if the id is taken. */
  create({ block, marketplace }: LocatedEvent, change: RequestCreated): Request | undefined {
    const { collection, requestId, maker } = change;
    if (this.find(marketplace, requestId) !== undefined) return undefined;
    const { timestamp: changedAt, number: changedBlock } = block;
    const state = { remaining: change.quantity, isCancelled: false, changedAt, changedBlock };
    const request = this.register({ marketplace, collection, requestId }, maker, state);
    if (block.number > this.#finalBlock) request.previous.push({ block: block.number, state: undefined });
    return request;
  }

  /** Applies an event. Ignores requests that are not registered. */
  apply(located: LocatedEvent): void {
    const { block, marketplace, event } = located;
    if (event.kind === "invalidated") {
      this.#invalidate(located, event);
      return;
    }
    const request = this.find(marketplace, event.requestId);
    if (request === undefined) return;
    if (event.kind === "cancelled") this.#cancel(request, block);
    else if (event.kind === "accepted" && event.remaining < request.state.remaining)
      this.#set(request, block, { ...request.state, remaining: event.remaining });
  }

  #invalidate({ block, marketplace }: LocatedEvent, { maker, collection, below }: RequestsInvalidated): void {
    const makers = this.#open.get(marketplace);
    const remaining = makers?.get(maker)?.filter((request) => {
      const isAffected =
        request.requestId < below && (collection ?? request.collection) === request.collection;
      if (isAffected) this.#cancel(request, block);
      return !isAffected;
    });
    if (remaining !== undefined) makers?.set(maker, remaining);
  }

  #cancel(request: Request, block: LocatedEvent["block"]): void {
    const { remaining, isCancelled } = request.state;
    if (!isCancelled && remaining > 0n) this.#set(request, block, { remaining, isCancelled: true });
  }

  #set(
    request: Request,
    { number, timestamp }: LocatedEvent["block"],
    { remaining, isCancelled }: Omit<RequestState, "changedAt" | "changedBlock">,
  ): void {
    const { state, previous } = request;
    if (number > this.#finalBlock && previous.at(-1)?.block !== number)
      previous.push({ block: number, state });
    request.state = { remaining, isCancelled, changedAt: timestamp, changedBlock: number };
    request.isChanged = true;
  }
}

function childOf<Key, Child>(parents: Map<Key, Child>, key: Key, make: () => Child): Child {
  let child = parents.get(key);
  if (child === undefined) {
    child = make();
    parents.set(key, child);
  }
  return child;
}
