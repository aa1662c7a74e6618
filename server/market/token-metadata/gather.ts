import type { ChainBlock, ChainTransaction, ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { PlacedMove } from "./owners.ts";
import type { TokenRange } from "./queue.ts";
import { readTokenEvent } from "./token-events.ts";

/** By address, as it is while the chain is locked. */
export type Collections = ReadonlyMap<Hex, { readonly id: string; readonly knownThrough: number }>;

/** What a log means, for those that are of followed collections and not known yet. */
export async function gather(
  tx: ChainTransaction,
  blocks: readonly ChainBlock[],
  collections: Collections,
  contractTypeOf: ContractTypeOf,
): Promise<{ readonly moves: readonly PlacedMove[]; readonly ranges: readonly TokenRange[] }> {
  const moves: PlacedMove[] = [];
  const ranges: TokenRange[] = [];
  for (const { number: block, logs } of blocks) {
    for (const log of logs) {
      const collection = collections.get(log.address);
      if (collection === undefined || block <= collection.knownThrough) continue;
      const event = readTokenEvent(log);
      if (event === undefined) continue;
      const { id: collectionId } = collection;
      if (event.kind === "changed") {
        ranges.push({ collectionId, first: event.first, last: event.last, block });
        continue;
      }
      const type = await contractTypeOf(tx, log.address);
      // A contract of one standard may emit the events of the other: they mean nothing there.
      if ((type === "ERC721" || type === "ERC1155") && type !== event.standard) continue;
      for (const move of event.moves) moves.push({ ...move, collectionId, block, standard: event.standard });
    }
  }
  return { moves, ranges };
}
