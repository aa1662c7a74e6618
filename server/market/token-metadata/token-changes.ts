import type { ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type { ChainTransaction, ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { LocatedTransfer } from "./owners.ts";
import type { TokenRange } from "./queue.ts";
import { decodeTokenEvent } from "./token-events.ts";

/** Followed collections by address, read while the chain is locked. */
export type Collections = ReadonlyMap<
  Hex,
  {
    readonly id: string;
    /** Events up to this block are ignored: they were counted already, or only later ones are followed. */
    readonly knownThrough: number;
  }
>;

/** Collects transfers and metadata changes from the logs of followed collections. Skips blocks up to `knownThrough`. */
export async function collectTokenChanges(
  tx: ChainTransaction,
  blocks: readonly ChainBlock[],
  collections: Collections,
  contractTypeOf: ContractTypeOf,
): Promise<{ readonly transfers: readonly LocatedTransfer[]; readonly ranges: readonly TokenRange[] }> {
  const transfers: LocatedTransfer[] = [];
  const ranges: TokenRange[] = [];
  for (const { number: block, logs } of blocks) {
    for (const log of logs) {
      const collection = collections.get(log.address);
      if (collection === undefined || block <= collection.knownThrough) continue;
      const event = decodeTokenEvent(log);
      if (event === undefined) continue;
      const { id: collectionId } = collection;
      if (event.kind === "changed") {
        ranges.push({ collectionId, first: event.first, last: event.last, block });
        continue;
      }
      const type = await contractTypeOf(tx, log.address);
      // A contract of one standard may emit events of the other; they have no meaning there.
      if ((type === "ERC721" || type === "ERC1155") && type !== event.standard) continue;
      for (const transfer of event.transfers)
        transfers.push({ ...transfer, collectionId, block, standard: event.standard });
    }
  }
  return { transfers, ranges };
}
