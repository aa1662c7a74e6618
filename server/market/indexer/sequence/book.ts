import type { SequenceKind } from "../../../chain/networks/markets.ts";
import type { Created, Invalidated, PlacedChange } from "./change.ts";

/** A request of a market on one chain; its number, which is no other's at this market, is the id of its order. */
export interface RequestName {
  readonly marketplace: SequenceKind;
  readonly collection: string;
  readonly requestId: bigint;
}

/** What a market has made of a request so far. */
export interface RequestState {
  /** None: it is filled. Never grows, so that what is told once more changes nothing. */
  readonly remaining: bigint;
  /** By its maker, or with all of its maker's; for ever. */
  readonly isCancelled: boolean;
  /** Of the block that changed it last, in seconds since 1970. */
  readonly changedAt: number;
  /** The same block's number. */
  readonly changedBlock: number;
}

export interface Request extends RequestName {
  readonly maker: string;
  state: RequestState;
  isChanged: boolean;
  /** What it was before each block that changed it, the lowest first; undefined: it was not there. */
  readonly before: { readonly block: number; readonly state: RequestState | undefined }[];
}

/** Requests in memory, until all that a range of blocks says of them is worked out. */
export class Book {
  readonly #requests = new Map<SequenceKind, Map<bigint, Request>>();
  /** Those that can still be cancelled, by market and maker. */
  readonly #open = new Map<SequenceKind, Map<string, Request[]>>();
  readonly #settledBlock: number;

  /** Up to the settled block nobody asks what was before. */
  constructor(settledBlock: number) {
    this.#settledBlock = settledBlock;
  }

  find(marketplace: SequenceKind, requestId: bigint): Request | undefined {
    return this.#requests.get(marketplace)?.get(requestId);
  }

  /** A request as it is known. */
  enter(name: RequestName, maker: string, state: RequestState): Request {
    const { marketplace, collection, requestId } = name;
    const request = { marketplace, collection, requestId, maker, state, isChanged: false, before: [] };
    const requests = childOf(this.#requests, marketplace, () => new Map<bigint, Request>());
    if (!requests.has(requestId)) requests.set(requestId, request);
    if (state.isCancelled || state.remaining === 0n) return request;
    const makers = childOf(this.#open, marketplace, () => new Map<string, Request[]>());
    childOf(makers, maker, (): Request[] => []).push(request);
    return request;
  }

  /** A request that comes into being; undefined: one of this name is there already, and stays as it is. */
  create({ block, marketplace }: PlacedChange, change: Created): Request | undefined {
    const { collection, requestId, maker } = change;
    if (this.find(marketplace, requestId) !== undefined) return undefined;
    const { timestamp: changedAt, number: changedBlock } = block;
    const state = { remaining: change.quantity, isCancelled: false, changedAt, changedBlock };
    const request = this.enter({ marketplace, collection, requestId }, maker, state);
    if (block.number > this.#settledBlock) request.before.push({ block: block.number, state: undefined });
    return request;
  }

  /** What happens to requests; those that are not in the book are passed over. */
  apply(placed: PlacedChange): void {
    const { block, marketplace, change } = placed;
    if (change.kind === "invalidated") {
      this.#invalidate(placed, change);
      return;
    }
    const request = this.find(marketplace, change.requestId);
    if (request === undefined) return;
    if (change.kind === "cancelled") this.#cancel(request, block);
    else if (change.kind === "accepted" && change.remaining < request.state.remaining)
      this.#set(request, block, { ...request.state, remaining: change.remaining });
  }

  #invalidate({ block, marketplace }: PlacedChange, { maker, collection, below }: Invalidated): void {
    const makers = this.#open.get(marketplace);
    const left = makers?.get(maker)?.filter((request) => {
      const isMeant = request.requestId < below && (collection ?? request.collection) === request.collection;
      if (isMeant) this.#cancel(request, block);
      return !isMeant;
    });
    if (left !== undefined) makers?.set(maker, left);
  }

  #cancel(request: Request, block: PlacedChange["block"]): void {
    const { remaining, isCancelled } = request.state;
    if (!isCancelled && remaining > 0n) this.#set(request, block, { remaining, isCancelled: true });
  }

  #set(
    request: Request,
    { number, timestamp }: PlacedChange["block"],
    { remaining, isCancelled }: Omit<RequestState, "changedAt" | "changedBlock">,
  ): void {
    const { state, before } = request;
    if (number > this.#settledBlock && before.at(-1)?.block !== number) before.push({ block: number, state });
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
