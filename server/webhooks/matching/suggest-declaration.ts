import type { Keccak } from "../../base/keccak.ts";
import { type ContractEvent, readContractEvent } from "../../chain/events/contract-event.ts";
import type { loadDecode } from "../../chain/events/decode.ts";
import { maxEventTextLength } from "../listener.ts";
import type { MatchableLog } from "./matcher.ts";

/** Events of the token standards, with the standards' argument names. */
const standardEvents: readonly string[] = [
  "Transfer(address indexed from,address indexed to,uint256 value)",
  "Approval(address indexed owner,address indexed spender,uint256 value)",
  "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)",
  "Approval(address indexed owner,address indexed approved,uint256 indexed tokenId)",
  "ApprovalForAll(address indexed owner,address indexed operator,bool approved)",
  "TransferSingle(address indexed operator,address indexed from,address indexed to,uint256 id,uint256 value)",
  "TransferBatch(address indexed operator,address indexed from,address indexed to,uint256[] ids,uint256[] values)",
  "URI(string value,uint256 indexed id)",
];

/** Most combinations of `indexed` that are tried: choosing 3 of 32 arguments gives 4,960. */
const combinationsMax = 5_000;

/**
 * Returns the declaration of this event that would match a log: that of a token standard, or else the one with the only choice of
 * indexed arguments that fits the log. Returns undefined if several choices fit (for example, if one of two addresses is indexed),
 * or if the declaration would be too long to register.
 */
export function matchingEvent(
  { eventSig, types, text: registered }: ContractEvent,
  log: MatchableLog,
  { keccak, decode }: { readonly keccak: Keccak; readonly decode: Awaited<ReturnType<typeof loadDecode>> },
): string | undefined {
  const indexedCount = log.topics.length - 1;
  const standard = standardEvents
    .map((each) => readContractEvent(each, keccak))
    .find((each) => each.eventSig === eventSig && each.indexedCount === indexedCount);
  if (standard !== undefined) return standard.text;
  const name = registered.slice(0, registered.indexOf("("));
  const fitting: string[] = [];
  let tried = 0;
  for (const indexed of combinations(types.length, indexedCount)) {
    if (++tried > combinationsMax) return undefined;
    const candidate = `${name}(${types.map((type, index) => (indexed.includes(index) ? `${type} indexed` : type)).join(",")})`;
    const values = decode(readContractEvent(candidate, keccak), log);
    if (values === undefined || !isPlausible(types, indexed, log)) continue;
    fitting.push(candidate);
    if (fitting.length > 1) return undefined;
  }
  const [text] = fitting;
  return text !== undefined && text.length <= maxEventTextLength ? text : undefined;
}

/** Whether the data has as many words as the arguments that are not indexed need, and each word is valid for its type. */
function isPlausible(types: readonly string[], indexed: readonly number[], log: MatchableLog): boolean {
  const dataTypes = types.filter((_, index) => !indexed.includes(index));
  const isStatic = dataTypes.every((type) => /^(address|bool|u?int[0-9]*|bytes[0-9]+)$/.test(type));
  if (isStatic && log.data.length !== 2 + 64 * dataTypes.length) return false;
  const topicsFit = indexed.every((position, index) =>
    isWordOf(types[position], log.topics[index + 1]?.slice(2)),
  );
  const dataFits = dataTypes.every((type, index) =>
    isWordOf(type, log.data.slice(2 + 64 * index, 66 + 64 * index)),
  );
  return topicsFit && (!isStatic || dataFits);
}

/** Whether a word of 32 bytes is valid for its type. Only addresses and booleans are checked; all other types accept any word. */
function isWordOf(type: string | undefined, word = ""): boolean {
  if (type === "address") return /^0{24}/.test(word);
  return type !== "bool" || /^0{63}[01]$/.test(word);
}

/** All choices of `count` positions out of `length`, in order. */
function* combinations(length: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) yield [];
  else
    for (let first = from; first <= length - count; first++)
      for (const rest of combinations(length, count - 1, first + 1)) yield [first, ...rest];
}
