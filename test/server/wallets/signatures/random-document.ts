import type { TypedDataInput } from "../../../../server/wallets/signatures/typed-data/hash.ts";
import type { TypedField } from "../../../../server/wallets/signatures/typed-data/types.ts";
import type { Random } from "../../../support/random.ts";

/** One document in two forms: as JSON, and as libraries expect it, with bigint integers. */
export interface RandomDocument {
  readonly loose: TypedDataInput;
  readonly strict: {
    readonly domainType: readonly TypedField[];
    readonly types: Record<string, readonly TypedField[]>;
    readonly primaryType: string;
    readonly domain: Record<string, unknown>;
    readonly message: Record<string, unknown>;
  };
}

interface Spelled {
  readonly loose: unknown;
  readonly strict: unknown;
}

const standardDomain: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** Nested structs, lists of both kinds, every elementary type, integers at their extremes, domains of any subset of keys. */
export function randomDocument(random: Random): RandomDocument {
  const types = randomTypes(random);
  const domainType = standardDomain.filter(() => random.chance(60));
  const isDomainGiven = random.chance(50);
  const domain = struct(random, domainType, {});
  const message = struct(random, types["T0"] ?? [], types);
  const all = isDomainGiven ? { EIP712Domain: domainType, ...types } : types;
  return {
    loose: {
      types: all,
      ...(random.chance(70) || Object.keys(types).length > 1 ? { primaryType: "T0" } : {}),
      domain: domain.loose as Record<string, unknown>,
      message: message.loose as Record<string, unknown>,
    },
    strict: {
      domainType,
      types,
      primaryType: "T0",
      domain: domain.strict as Record<string, unknown>,
      message: message.strict as Record<string, unknown>,
    },
  };
}

/** T0 is the root. Every other type is used by an earlier one, and there are no cycles. */
function randomTypes(random: Random): Record<string, readonly TypedField[]> {
  const count = 1 + random.below(5);
  const fields = Array.from({ length: count }, (_, index) =>
    Array.from({ length: 1 + random.below(5) }, (_, field) => ({
      name: random.pick([`f${field}`, `_${field}`, `$${field}`, `aField${field}`]),
      type: randomElementary(random) + randomBrackets(random),
    })).concat(
      // Sometimes a struct type that comes later.
      index + 1 < count && random.chance(30)
        ? [{ name: "more", type: `T${index + 1 + random.below(count - index - 1)}${randomBrackets(random)}` }]
        : [],
    ),
  );
  for (let index = 1; index < count; index++)
    fields[random.below(index)]?.push({ name: `t${index}`, type: `T${index}${randomBrackets(random)}` });
  return Object.fromEntries(fields.map((list, index) => [`T${index}`, random.shuffle(list)]));
}

function randomElementary(random: Random): string {
  const kind = random.pick(["string", "bytes", "bool", "address", "uint", "int", "bytesN"]);
  if (kind === "bytesN") return `bytes${1 + random.below(32)}`;
  if (kind === "uint" || kind === "int") return `${kind}${8 * (1 + random.below(32))}`;
  return kind;
}

function randomBrackets(random: Random): string {
  if (random.chance(70)) return "";
  return Array.from({ length: 1 + random.below(2) }, () =>
    random.chance(50) ? "[]" : `[${1 + random.below(3)}]`,
  ).join("");
}

function struct(
  random: Random,
  fields: readonly TypedField[],
  types: Readonly<Record<string, readonly TypedField[]>>,
): Spelled {
  const values = fields.map(({ name, type }) => [name, value(random, type, types)] as const);
  return {
    loose: Object.fromEntries(random.shuffle(values).map(([name, { loose }]) => [name, loose])),
    strict: Object.fromEntries(values.map(([name, { strict }]) => [name, strict])),
  };
}

function value(
  random: Random,
  type: string,
  types: Readonly<Record<string, readonly TypedField[]>>,
): Spelled {
  const [, element, length = ""] = /^(.+)\[([0-9]*)\]$/.exec(type) ?? [];
  if (element !== undefined) {
    const count = length === "" ? random.below(4) : Number(length);
    const items = Array.from({ length: count }, () => value(random, element, types));
    return { loose: items.map(({ loose }) => loose), strict: items.map(({ strict }) => strict) };
  }
  const fields = types[type];
  return fields === undefined ? elementary(random, type) : struct(random, fields, types);
}

function elementary(random: Random, type: string): Spelled {
  const same = (one: unknown): Spelled => ({ loose: one, strict: one });
  if (type === "string") return same(randomText(random));
  if (type === "bytes") return same(hex(random, random.below(70)));
  if (type === "bool") return same(random.chance(50));
  if (type === "address") return same(hex(random, 20));
  if (type.startsWith("bytes")) return same(hex(random, Number(type.slice(5))));
  const isSigned = type.startsWith("int");
  const integer = randomInteger(random, isSigned, BigInt(type.replace(/[a-z]+/, "")));
  const spellings: unknown[] = [String(integer)];
  if (integer >= 0n) spellings.push(`0x${integer.toString(16)}`);
  if (integer >= 0n) spellings.push(`0X${integer.toString(16).toUpperCase().padStart(64, "0")}`);
  if (Number.isSafeInteger(Number(integer))) spellings.push(Number(integer), Number(integer));
  return { loose: random.pick(spellings), strict: integer };
}

/** An integer at its limits, 0 or 1, near the limits of JSON numbers, or random. */
function randomInteger(random: Random, isSigned: boolean, bits: bigint): bigint {
  const low = isSigned ? -(1n << (bits - 1n)) : 0n;
  const high = (1n << (isSigned ? bits - 1n : bits)) - 1n;
  const anywhere = low + (BigInt(hex(random, 32)) % (high - low + 1n));
  const chosen = random.pick([
    low,
    high,
    low + 1n,
    high - 1n,
    0n,
    1n,
    -1n,
    2n ** 53n,
    2n ** 32n,
    anywhere,
    anywhere,
  ]);
  return chosen < low || chosen > high ? anywhere : chosen;
}

function randomText(random: Random): string {
  return Array.from({ length: random.below(40) }, () =>
    random.pick(["a", "Z", " ", '"', "\n", "é", "漢", "🦄", "\u0001", "/"]),
  ).join("");
}

export function hex(random: Random, bytes: number): string {
  return `0x${Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, "0")).join("")}`;
}
