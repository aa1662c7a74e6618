import type { Hex } from "../rpc/chain.ts";
import { type EventText, parseEventText, printEventText } from "./event-text.ts";

/** An event declaration, parsed for matching and decoding logs. */
export interface ContractEvent {
  /** Hash of `eventSig`; the first topic of its logs. */
  readonly topicHash: Hex;
  /** Canonical, without names: `Transfer(address,address,uint256)`. */
  readonly eventSig: string;
  /** The declaration with needless blanks removed. */
  readonly text: string;
  readonly types: readonly string[];
  /** As declared, or `arg1`, `arg2`, … */
  readonly names: readonly string[];
  readonly isIndexed: readonly boolean[];
  readonly indexedCount: number;
  readonly isAnonymous: boolean;
}

/** Parses an event declaration. Throws EventTextFault. `keccak` hashes text. */
export function readContractEvent(text: string, keccak: (text: string) => Uint8Array): ContractEvent {
  const parsed: EventText = parseEventText(text);
  const types = parsed.parameters.map(({ type }) => type);
  const eventSig = `${parsed.name}(${types.join(",")})`;
  const isIndexed = parsed.parameters.map((parameter) => parameter.isIndexed);
  return {
    topicHash: `0x${Buffer.from(keccak(eventSig)).toString("hex")}`,
    eventSig,
    text: printEventText(parsed),
    types,
    names: parsed.parameters.map(({ name }) => name),
    isIndexed,
    indexedCount: isIndexed.filter(Boolean).length,
    isAnonymous: parsed.isAnonymous,
  };
}
