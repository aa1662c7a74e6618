import { describe, expect, test } from "vitest";
import type {
  LocatedEvent,
  MarketEvent,
  RequestCreated,
} from "../../../../server/market/indexer/sequence-market/events.ts";
import { RequestRegistry } from "../../../../server/market/indexer/sequence-market/request-registry.ts";

const marketplace = "sequence_marketplace_v2";
const [collection, other, maker] = ["0xc0", "0xc1", "0xa1"];

function at(block: number, event: MarketEvent): LocatedEvent {
  return { block: { number: block, timestamp: 1_000 + block }, market: "0x01", marketplace, event };
}

function created(requestId: bigint, more: Partial<RequestCreated> = {}): RequestCreated {
  const what = {
    collection,
    tokenId: 1n,
    isListing: true,
    quantity: 10n,
    currency: "0x0",
    pricePerToken: 1n,
  };
  return { kind: "created", requestId, maker, expiry: 99n, ...what, ...more };
}

/** Applies all events to a registry. */
function book(changes: readonly LocatedEvent[], lastSettledBlock = 0): RequestRegistry {
  const own = new RequestRegistry(lastSettledBlock);
  for (const placed of changes) {
    if (placed.event.kind === "created") own.create(placed, placed.event);
    else own.apply(placed);
  }
  return own;
}

describe("the request registry", () => {
  test("tracks the remaining units, which never grow, so that a range can be applied twice", () => {
    const changes = [
      at(1, created(7n)),
      at(2, { kind: "accepted", requestId: 7n, collection, remaining: 6n }),
      at(3, { kind: "accepted", requestId: 7n, collection, remaining: 2n }),
    ];
    const state = { remaining: 2n, isCancelled: false, changedAt: 1_003, changedBlock: 3 };
    expect(book(changes).find(marketplace, 7n)?.state).toEqual(state);
    expect(book([...changes, ...changes]).find(marketplace, 7n)?.state).toEqual(state);
  });

  test("records the previous state once per block that can be reorganized, and none for older blocks", () => {
    const changes = [
      at(4, created(7n)),
      at(5, { kind: "accepted", requestId: 7n, collection, remaining: 6n }),
      at(5, { kind: "accepted", requestId: 7n, collection, remaining: 5n }),
      at(6, { kind: "cancelled", requestId: 7n, collection }),
    ];
    expect(book(changes).find(marketplace, 7n)?.previous).toEqual([
      { block: 4, state: undefined },
      { block: 5, state: { remaining: 10n, isCancelled: false, changedAt: 1_004, changedBlock: 4 } },
      { block: 6, state: { remaining: 5n, isCancelled: false, changedAt: 1_005, changedBlock: 5 } },
    ]);
    expect(
      book(changes, 5)
        .find(marketplace, 7n)
        ?.previous.map(({ block }) => block),
    ).toEqual([6]);
  });

  test("voids a maker's open requests, in one collection or in all", () => {
    const own = book([
      at(1, created(1n)),
      at(1, created(2n, { collection: other })),
      at(1, created(3n)),
      at(1, created(4n, { maker: "0xa2" })),
      at(1, created(5n)),
      at(2, { kind: "accepted", requestId: 3n, collection, remaining: 0n }),
      at(3, { kind: "invalidated", maker, collection, below: 5n }),
    ]);
    const cancelled = (): readonly bigint[] =>
      [1n, 2n, 3n, 4n, 5n].filter((id) => own.find(marketplace, id)?.state.isCancelled);
    expect(cancelled()).toEqual([1n]);
    own.apply(at(4, { kind: "invalidated", maker, collection: undefined, below: 6n }));
    expect(cancelled()).toEqual([1n, 2n, 5n]);
  });

  test("ignores a repeated creation, and events of unknown requests", () => {
    const own = book([
      at(1, created(1n)),
      at(1, created(1n, { quantity: 3n })),
      at(2, { kind: "cancelled", requestId: 9n, collection }),
    ]);
    expect(own.find(marketplace, 1n)?.state.remaining).toBe(10n);
    expect(own.find(marketplace, 9n)).toBeUndefined();
  });
});
