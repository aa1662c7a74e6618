import type { Keccak } from "../../../../base/keccak.ts";
import { FalseResponse } from "../../../rpc/nodes/faults.ts";
import { CheckUnsupported } from "../../source.ts";
import type { BlockNodes, NodeRequest } from "../block-nodes.ts";
import { isRejected } from "../too-many-logs.ts";
import { readCheckedHeader } from "./checked-header.ts";

/** Throws CheckUnsupported if no node offers receipts, or headers that have their hash. */
export async function ensureReceipts(nodes: BlockNodes, keccak: Keccak): Promise<void> {
  const header: NodeRequest<boolean> = {
    method: "eth_getBlockByNumber",
    params: ["latest", false],
    isBatchable: true,
    read: (response) => hasItsHash(response, keccak),
  };
  const areHashed = [await nodes.request(header), ...(await nodes.requestFromOthers(header))];
  if (!areHashed.includes(true))
    throw new CheckUnsupported(
      "the headers of this chain are not hashed like those of Ethereum, which checkReceipts needs; set it to false for this network",
    );
  const params = ["latest"];
  try {
    await nodes.request({ method: "eth_getBlockReceipts", params, isBatchable: true, read: () => undefined });
  } catch (err) {
    if (!isRejected(err)) throw err;
    throw new CheckUnsupported(
      "no node offers eth_getBlockReceipts, which checkReceipts needs; add a node that does, or set checkReceipts to false for this network",
      { cause: err },
    );
  }
}

function hasItsHash(response: unknown, keccak: Keccak): boolean {
  try {
    readCheckedHeader(response, keccak);
    return true;
  } catch (err) {
    if (err instanceof FalseResponse) return false;
    throw err;
  }
}
