/** Bodies of notifications, as schema/types/notification.ridl defines them, without the sequence number. */
import { createHash } from "node:crypto";
import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { ChainBlock, ChainLog } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

export interface NotificationInput {
  readonly chainId: number;
  readonly block: Pick<ChainBlock, "number" | "hash" | "parentHash" | "timestamp">;
  readonly log: ChainLog;
  readonly event: ContractEvent;
  readonly values: readonly Hex[];
  readonly contractType: string;
}

type NotificationType = "BLOCK_ADDED" | "BLOCK_REMOVED";

/** Identifies an event: the same for every listener and format. SHA-256 of the log's location and the type. */
export function uidOf(chainId: number, blockHash: Hex, logIndex: number, type: NotificationType): string {
  return createHash("sha256").update(`${chainId}/${blockHash}/${logIndex}/${type}`).digest("hex");
}

export function additionBody({
  chainId,
  block,
  log,
  event,
  values,
  contractType,
}: NotificationInput): string {
  return JSON.stringify({
    uid: uidOf(chainId, block.hash, log.logIndex, "BLOCK_ADDED"),
    type: "BLOCK_ADDED",
    blockNumber: block.number,
    blockHash: block.hash,
    parentBlockHash: block.parentHash,
    contractAddress: log.address,
    contractType,
    txnHash: log.transactionHash,
    txnIndex: log.transactionIndex,
    txnLogIndex: String(log.indexInTransaction ?? log.logIndex),
    ts: new Date(block.timestamp * 1_000).toISOString(),
    event: {
      topicHash: event.topicHash,
      eventSig: event.eventSig,
      types: event.types,
      names: event.names,
      values,
    },
    logDataType: isTransfer(event, contractType) ? "TOKEN_TRANSFER" : "EVENT",
    rawLog: { data: log.data, topics: log.topics },
  });
}

/** A removal repeats the addition with its own uid and type. */
export function removalBody(addition: string, uid: string): string {
  return JSON.stringify({ ...(JSON.parse(addition) as object), uid, type: "BLOCK_REMOVED" });
}

/** Transfer events of the token standards, by the type of their contract. */
const transfers: Readonly<Record<string, readonly string[]>> = {
  ERC20: ["Transfer(address,address,uint256)/2"],
  ERC721: ["Transfer(address,address,uint256)/3"],
  ERC1155: [
    "TransferSingle(address,address,address,uint256,uint256)/3",
    "TransferBatch(address,address,address,uint256[],uint256[])/3",
  ],
  ERC6909: ["Transfer(address,address,address,uint256,uint256)/3"],
};

function isTransfer({ eventSig, indexedCount }: ContractEvent, contractType: string): boolean {
  return transfers[contractType]?.includes(`${eventSig}/${indexedCount}`) === true;
}
