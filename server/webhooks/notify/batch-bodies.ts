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

export interface StoredEvent {
  readonly chainId: number;
  readonly blockHash: Buffer;
  readonly logIndex: number;
  readonly isRemoval: boolean;
  /** From the batch. */
  readonly body: string;
}

/** The notification of an event, without the fields that differ between listeners. */
export function withUid({ chainId, blockHash, logIndex, isRemoval, body }: StoredEvent): {
  readonly uid: string;
  readonly body: string;
} {
  const hash: Hex = `0x${blockHash.toString("hex")}`;
  const uid = uidOf(chainId, hash, logIndex, isRemoval ? "BLOCK_REMOVED" : "BLOCK_ADDED");
  return { uid, body: `{"uid":"${uid}",${body.slice(1)}` };
}
