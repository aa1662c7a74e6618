import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readHead, request } from "./rpc.ts";

const decompress = promisify(gunzip);

export interface Dump {
  /** Hash of the chain's latest block. */
  readonly head: string;
  readonly state: Buffer;
}

/** Most dumps of a chain that mines a block during each of them. */
const maxAttempts = 3;

/**
 * Returns the state of a local chain, or undefined if the chain mines blocks without a pause: a state that is read while a block is
 * mined may have the block's changes without the block. Throws an Error if the chain does not respond.
 */
export async function dumpState(rpcUrl: string, signal: AbortSignal): Promise<Dump | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { hash } = await readHead(rpcUrl, signal);
    const compressed = await request<string>(rpcUrl, "anvil_dumpState", [], signal);
    if (hash !== (await readHead(rpcUrl, signal)).hash) continue;
    return { head: hash, state: await decompress(Buffer.from(compressed.slice(2), "hex")) };
  }
  return undefined;
}
