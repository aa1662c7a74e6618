/** Random listeners and logs, generated and matched by ethers, independently of the matcher. */
import { EventFragment, Interface, id, type Result } from "ethers";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import type { Filters } from "../../../server/webhooks/listener.ts";
import type { MatchableLog } from "../../../server/webhooks/matching/matcher.ts";
import type { Random } from "../../support/random.ts";

interface Kind {
  readonly text: string;
  /** Indexes of the arguments that are token ids, listed by hand. */
  readonly tokens: readonly number[];
}

const kinds: readonly Kind[] = [
  { text: "Transfer(address indexed from,address indexed to,uint256 value)", tokens: [] },
  { text: "Transfer(address indexed,address indexed,uint256)", tokens: [] },
  { text: "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)", tokens: [2] },
  { text: "Transfer(address from,address to,uint256 value)", tokens: [] },
  {
    text: "TransferSingle(address indexed operator,address indexed from,address indexed to,uint256 id,uint256 value)",
    tokens: [3],
  },
  { text: "TransferBatch(address indexed,address indexed,address indexed,uint256[],uint256[])", tokens: [3] },
  { text: "ApprovalForAll(address indexed owner,address indexed operator,bool approved)", tokens: [] },
  { text: "URI(string value,uint256 indexed id)", tokens: [1] },
  {
    text: "Sold(uint256 indexed token_id,(address seller,(address,uint256)[2] shares) deal,string note,address[] others)",
    tokens: [0],
  },
  { text: "Sold(uint256,address)", tokens: [0] },
  { text: "Listed(uint256 indexed price,uint256[] _tokenIds,address by)", tokens: [1] },
  { text: "Nothing()", tokens: [] },
];

const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(bytes * 2, "0")}`;
const wallet = (random: Random): string => hex(0xa000 + random.below(8), 20);
const contract = (random: Random): Hex => hex(0xc000 + random.below(6), 20);
const token = (random: Random): string =>
  random.chance(10) ? String(2n ** 256n - 1n) : String(random.below(8));

export function randomFilters(random: Random): Filters {
  const some = <Item>(count: number, make: () => Item): Item[] => [
    ...new Set(Array.from({ length: 1 + random.below(count) }, make)),
  ];
  return {
    contractAddresses: some(3, () => contract(random)),
    events: some(3, () => random.pick(kinds).text),
    ...(random.chance(40) ? { tokenIDs: some(3, () => token(random)) } : {}),
    ...(random.chance(40) ? { accounts: some(2, () => wallet(random)) } : {}),
    ...(random.chance(15) ? { topicHashes: some(3, () => topicOf(random.pick(kinds).text)) } : {}),
  };
}

const topicOf = (text: string): string => id(EventFragment.from(text).format("sighash"));

export function randomLog(random: Random): MatchableLog {
  const fragment = EventFragment.from(random.pick(kinds).text);
  const value = (type: string): unknown => {
    const list = /^(.*)\[([0-9]*)\]$/.exec(type);
    if (list !== null) {
      const count = list[2] === "" ? random.below(4) : Number(list[2]);
      return Array.from({ length: count }, () => value(list[1] ?? ""));
    }
    if (type.startsWith("tuple")) throw new Error("tuples are made part by part");
    if (type === "address") return wallet(random);
    if (type === "bool") return random.chance(50);
    return type === "string" ? "x".repeat(random.below(50)) : token(random);
  };
  type Param = (typeof fragment.inputs)[number];
  const make = (param: Param): unknown => {
    if (param.isTuple()) return param.components.map(make);
    if (!param.isArray()) return value(param.type);
    const count = param.arrayLength === -1 ? random.below(4) : param.arrayLength;
    return Array.from({ length: count }, () => make(param.arrayChildren));
  };
  const { topics, data } = new Interface([fragment]).encodeEventLog(fragment, fragment.inputs.map(make));
  return { address: contract(random), topics: topics as Hex[], data: data.toLowerCase() as Hex };
}

/** The filter rules of the contract, written out. */
export function isWanted(filters: Filters, log: MatchableLog): boolean {
  if (!filters.contractAddresses.includes(log.address)) return false;
  if (filters.topicHashes !== undefined && !filters.topicHashes.includes(log.topics[0] ?? "")) return false;
  return filters.events.some((text) => {
    const fragment = EventFragment.from(text);
    if (topicOf(text) !== log.topics[0]) return false;
    if (fragment.inputs.filter(({ indexed }) => indexed).length !== log.topics.length - 1) return false;
    const { args } = new Interface([fragment]).parseLog(log) ?? {};
    if (args === undefined) return false;
    const flat = (item: unknown): string[] =>
      Array.isArray(item)
        ? (item as unknown as Result).toArray().flatMap(flat)
        : [String(item).toLowerCase()];
    const accounts = args
      .toArray()
      .flatMap(flat)
      .filter((item) => /^0x[0-9a-f]{40}$/.test(item));
    const tokens = (kinds.find((kind) => kind.text === text)?.tokens ?? []).flatMap((index) =>
      flat(args[index]),
    );
    return (
      (filters.accounts === undefined || filters.accounts.some((account) => accounts.includes(account))) &&
      (filters.tokenIDs === undefined || filters.tokenIDs.some((each) => tokens.includes(each)))
    );
  });
}
