/** The bodies of a batch, as stored: compressed together, because the notifications of a block repeat most of their text. */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Hex } from "../../chain/rpc/chain.ts";
import { uidOf } from "./notification.ts";

/** The fastest level. Higher ones take several times as long, and save little of such text. */
const level = constants.Z_BEST_SPEED;

/** Bodies are JSON texts without line feeds and without their uids, which can be computed and cannot be compressed. */
export function packBodies(bodies: readonly string[]): Buffer {
  return deflateRawSync(bodies.join("\n"), { level });
}

export function unpackBodies(packed: Uint8Array): readonly string[] {
  return inflateRawSync(packed).toString().split("\n");
}

export interface PackedBatch {
  readonly chainId: number;
  readonly blockHash: Buffer;
  readonly logIndexes: readonly number[];
  readonly isRemoval: boolean;
  readonly bodies: Uint8Array;
}

/** The notifications of a batch, without the fields that differ between listeners. */
export function openBatch({ chainId, blockHash, logIndexes, isRemoval, bodies }: PackedBatch): {
  readonly at: (position: number) => { readonly uid: string; readonly body: string };
} {
  const unpacked = unpackBodies(bodies);
  const hash: Hex = `0x${blockHash.toString("hex")}`;
  return {
    at(position) {
      const [body, logIndex] = [unpacked[position], logIndexes[position]];
      if (body === undefined || logIndex === undefined)
        throw new Error(`a batch of block ${hash} has no event at ${position}`);
      const uid = uidOf(chainId, hash, logIndex, isRemoval ? "BLOCK_REMOVED" : "BLOCK_ADDED");
      return { uid, body: `{"uid":"${uid}",${body.slice(1)}` };
    },
  };
}
