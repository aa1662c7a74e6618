import { AbiCoder, EventFragment, Interface, keccak256, type ParamType, toUtf8Bytes } from "ethers";
import { describe, expect, test } from "vitest";
import { loadKeccak } from "../../../../server/base/keccak.ts";
import { EventTextFault, readContractEvent } from "../../../../server/chain/events/contract-event.ts";
import { loadDecode } from "../../../../server/chain/events/decode.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const keccak = await loadKeccak();
const decode = await loadDecode();
const read = (text: string) => readContractEvent(text, keccak);

describe("a declaration is parsed", () => {
  test.each([
    [
      "Transfer(address indexed from, address indexed to, uint256 value)",
      "Transfer(address indexed from,address indexed to,uint256 value)",
    ],
    [
      "event Transfer(address indexed,address indexed,uint256);",
      "Transfer(address indexed,address indexed,uint256)",
    ],
    [
      "  Batch ( uint [ ] ids , (address a, bytes)[2] indexed what ) ",
      "Batch(uint256[] ids,(address,bytes)[2] indexed what)",
    ],
    ["E(tuple(uint8 a, tuple(bool) b) t)", "E((uint8,(bool)) t)"],
    ["event()", "event()"],
    ["Paid(address payable who)\n", "Paid(address who)"],
    ["Hidden(uint256) anonymous", "Hidden(uint256) anonymous"],
    ["Small(uint8,int256,bytes1,bytes32)", "Small(uint8,int256,bytes1,bytes32)"],
    ["Topics(bool indexed,bool indexed,bool indexed)", "Topics(bool indexed,bool indexed,bool indexed)"],
    [
      "Topics(bool indexed,bool indexed,bool indexed,bool indexed) anonymous",
      "Topics(bool indexed,bool indexed,bool indexed,bool indexed) anonymous",
    ],
    [`Deep(${"(".repeat(8)}bool${")".repeat(8)})`, `Deep(${"(".repeat(8)}bool${")".repeat(8)})`],
    [`Deep(bool${"[]".repeat(8)})`, `Deep(bool${"[]".repeat(8)})`],
    [`${"T".repeat(1_994)}(bool)`, `${"T".repeat(1_994)}(bool)`],
  ])("%s", (text, normal) => {
    expect(read(text).text).toBe(normal);
    expect(read(normal)).toEqual(read(text));
  });

  test("unnamed arguments are named by their position", () => {
    const event = read(
      "TransferSingle(address indexed,address indexed,address indexed to,uint256,uint256 value)",
    );
    expect(event.names).toEqual(["arg1", "arg2", "to", "arg4", "value"]);
    expect(event.eventSig).toBe("TransferSingle(address,address,address,uint256,uint256)");
    expect(event.topicHash).toBe("0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62");
  });
});

describe("an error has its location", () => {
  test.each<[string, number, RegExp]>([
    ["", 0, /expected the name of an event, at its end/],
    ["Transfer", 8, /expected "\("/],
    ["Transfer(adress from)", 9, /"adress" is not a valid type of an event argument: expected address/],
    ["Transfer(IERC20 token)", 9, /write address for a contract/],
    ["Transfer(uint7 x)", 9, /"uint7" is not a valid type/],
    ["Transfer(bytes33 x)", 9, /"bytes33" is not a valid type/],
    ["Transfer(address from to)", 22, /expected "," or "\)", at character 23, "to\)"/],
    ["Transfer(address address)", 17, /cannot be the name/],
    ["Transfer(address,)", 17, /expected a type/],
    ["Transfer(address", 16, /expected "," or "\)", at its end/],
    ["Transfer(address) returns (uint256)", 18, /unexpected text after the closing/],
    ["T((uint256 indexed a) t)", 11, /only a whole argument can be indexed/],
    ["T(())", 4, /at least one part/],
    ["T(uint256[0] a)", 11, /must be at least 1/],
    ["T(uint256 a, uint256 a)", 21, /two arguments have the name "a"/],
    ["T(bool indexed,bool indexed,bool indexed,bool indexed)", 0, /at most 3 indexed arguments, found 4/],
    ["T(uint264 x)", 2, /"uint264" is not a valid type/],
    ["T(uint0 x)", 2, /"uint0" is not a valid type/],
    ["T(bytes0 x)", 2, /"bytes0" is not a valid type/],
    [
      "T(bool indexed,bool indexed,bool indexed,bool indexed,bool indexed) anonymous",
      0,
      /at most 4 indexed arguments, found 5/,
    ],
    [`T(${"(".repeat(9)}bool${")".repeat(9)})`, 11, /nested at most 8 levels deep/],
    [`T(bool${"[]".repeat(9)})`, 23, /nested at most 8 levels deep/],
    [`${"T".repeat(1_995)}(bool)`, 2_000, /at most 2000 characters/],
    [`T(${"(".repeat(20)}`, 11, /nested at most 8 levels deep/],
    [`T(${"bool,".repeat(1_000)}bool)`, 2_000, /at most 2000 characters/],
  ])("%s", (text, offset, message) => {
    const fault = caught(() => read(text));
    expect(fault).toBeInstanceOf(EventTextFault);
    expect((fault as EventTextFault).message).toMatch(message);
    expect((fault as EventTextFault).offset).toBe(offset);
  });
});

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (err) {
    return err;
  }
}

const pad = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;
const transfer = read("Transfer(address indexed from,address indexed to,uint256 value)");

test("addresses are 20 bytes and other values 32, unless there is an array", () => {
  const topics = [transfer.topicHash, pad("aa".repeat(20)), pad("bb".repeat(20))];
  expect(decode(transfer, { topics, data: pad("01") })).toEqual([
    `0x${"aa".repeat(20)}`,
    `0x${"bb".repeat(20)}`,
    pad("01"),
  ]);
  const withArray = read("Seen(address indexed who,uint256[] ids)");
  const data = AbiCoder.defaultAbiCoder().encode(["uint256[]"], [[7]]) as Hex;
  expect(decode(withArray, { topics: [withArray.topicHash, pad("aa".repeat(20))], data })).toEqual([
    pad("aa".repeat(20)),
    data,
  ]);
});

test("a log of another event, with another number of indexed arguments, or with too little data does not match", () => {
  const topics = [transfer.topicHash, pad("aa"), pad("bb")];
  expect(decode(transfer, { topics: [...topics, pad("01")], data: "0x" })).toBeUndefined();
  expect(decode(transfer, { topics: topics.slice(0, 2), data: pad("01") })).toBeUndefined();
  expect(decode(transfer, { topics, data: "0x01" })).toBeUndefined();
  expect(decode(transfer, { topics: [pad("01"), ...topics.slice(1)], data: pad("01") })).toBeUndefined();
  const hidden = read("Transfer(address indexed from,address indexed to,uint256 value) anonymous");
  expect(decode(hidden, { topics, data: pad("01") })).toBeUndefined();
  const text = read("Said(string what)");
  expect(decode(text, { topics: [text.topicHash], data: pad("ffffffff") })).toBeUndefined();
});

/** FUZZ_EVENTS=20000 is the long form. */
const rounds = Number(process.env["FUZZ_EVENTS"] ?? 400);
const seed = Number(process.env["SEED"] ?? 9);

test(`${rounds} random events are parsed and decoded like ethers does, seed ${seed}`, () => {
  const random = seededRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const text = randomEvent(random);
    const fragment = EventFragment.from(text);
    const event = read(text);
    expect(event.eventSig, text).toBe(fragment.format("sighash"));
    expect(event.topicHash, text).toBe(fragment.topicHash);
    const values = fragment.inputs.map((input) => randomValue(random, input));
    const log = new Interface([fragment]).encodeEventLog(fragment, values) as { topics: Hex[]; data: Hex };
    const isShort = fragment.inputs.every(({ baseType }) => baseType !== "array" && baseType !== "tuple");
    const expected = fragment.inputs.map((input, index) => {
      const encoded = AbiCoder.defaultAbiCoder().encode([input], [values[index]]);
      if (input.indexed === true && isHashed(input))
        return log.topics[1 + fragment.inputs.slice(0, index).filter(({ indexed }) => indexed).length];
      return isShort && input.type === "address" ? `0x${encoded.slice(26)}` : encoded;
    });
    expect(decode(event, log), text).toEqual(expected);
  }
});

const isHashed = ({ baseType, type }: ParamType): boolean =>
  baseType === "array" || baseType === "tuple" || type === "string" || type === "bytes";

function randomEvent(random: Random): string {
  let indexed = 0;
  const count = random.below(6);
  const parameters = Array.from({ length: count }, (_, index) => {
    const type = randomType(random, 2);
    // Ethers handles indexed arrays and tuples differently, so they are left out.
    const isIndexed = indexed < 3 && random.chance(40) && !/[[(]/.test(type);
    if (isIndexed) indexed++;
    return `${type}${isIndexed ? " indexed" : ""}${random.chance(50) ? ` name${index}` : ""}`;
  });
  return `${random.chance(50) ? "event " : ""}E${random.below(1_000)}(${parameters.join(random.chance(50) ? ", " : ",")})`;
}

function randomType(random: Random, depth: number): string {
  if (depth > 0 && random.chance(25))
    return `${randomType(random, depth - 1)}[${random.chance(50) ? random.below(3) + 1 : ""}]`;
  if (depth > 0 && random.chance(20)) {
    const parts = Array.from({ length: random.below(3) + 1 }, () => randomType(random, depth - 1));
    return `(${parts.join(", ")})`;
  }
  const bits = 8 * (random.below(32) + 1);
  return random.pick([
    "address",
    "bool",
    "string",
    "bytes",
    `bytes${bits / 8}`,
    `uint${bits}`,
    `int${bits}`,
    "uint",
    "int",
  ]);
}

function randomValue(random: Random, type: ParamType): unknown {
  if (type.baseType === "array" && type.arrayChildren !== null) {
    const { arrayChildren: item } = type;
    const length = type.arrayLength === -1 || type.arrayLength === null ? random.below(4) : type.arrayLength;
    return Array.from({ length }, () => randomValue(random, item));
  }
  if (type.baseType === "tuple") return (type.components ?? []).map((part) => randomValue(random, part));
  const bytes = keccak256(toUtf8Bytes(String(random.below(1_000_000))));
  if (type.type === "address") return bytes.slice(0, 42);
  if (type.type === "bool") return random.chance(50);
  if (type.type === "string") return "é".repeat(random.below(40));
  if (type.type === "bytes") return bytes.slice(0, 2 + 2 * random.below(33));
  const [, size = ""] = /^bytes([0-9]+)$/.exec(type.type) ?? [];
  if (size !== "") return bytes.slice(0, 2 + 2 * Number(size));
  const bits = Number(type.type.replace(/\D/g, ""));
  return type.type.startsWith("u") ? BigInt.asUintN(bits, BigInt(bytes)) : BigInt.asIntN(bits, BigInt(bytes));
}
