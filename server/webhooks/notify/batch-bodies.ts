/** The bodies of a batch, as stored: compressed together, because the notifications of a block repeat most of their text. */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

/** The fastest level. Higher ones take several times as long, and save little of such text. */
const level = constants.Z_BEST_SPEED;

/** Bodies are JSON texts without line feeds. */
export function packBodies(bodies: readonly string[]): Buffer {
  return deflateRawSync(bodies.join("\n"), { level });
}

export function unpackBodies(packed: Uint8Array): readonly string[] {
  return inflateRawSync(packed).toString().split("\n");
}
