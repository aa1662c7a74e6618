import { readHead, request } from "./rpc.ts";

export interface LostBlocks {
  readonly from: number;
  readonly to: number;
}

/**
 * After a host was killed, the saved state may lack the last blocks that its follower has read. The follower would take the chain for
 * one that is only behind, so this mines a block in place of the first lost one, which makes the follower undo the lost blocks. Returns
 * undefined if the chain has at least as many blocks as the follower has read.
 */
export async function replaceLostBlocks(rpcUrl: string, lastRead: number): Promise<LostBlocks | undefined> {
  const { number } = await readHead(rpcUrl);
  if (number >= lastRead) return undefined;
  await request(rpcUrl, "evm_mine", []);
  return { from: number + 1, to: lastRead };
}
