import type { Hex } from "../rpc/chain.ts";

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

/* Parses and prints event declarations in Solidity's syntax: `Transfer(address indexed from, address indexed to, uint256)`. */

interface EventParameter {
  /** Canonical: `uint256`, `(address,uint256)[2]`. */
  readonly type: string;
  /** As declared, or `arg1` for the first argument, and so on. */
  readonly name: string;
  readonly isIndexed: boolean;
}

interface EventText {
  readonly name: string;
  readonly parameters: readonly EventParameter[];
  /** Logs of an anonymous event do not contain its signature, so they cannot be matched. */
  readonly isAnonymous: boolean;
}

/** An invalid declaration. The message says what is wrong and where. */
export class EventTextFault extends Error {
  override readonly name = "EventTextFault";
  /** Offset in the text, from 0. */
  readonly offset: number;

  constructor(text: string, offset: number, reason: string) {
    const location =
      offset >= text.length
        ? "at its end"
        : `at character ${offset + 1}, "${text.slice(offset, offset + 20)}"`;
    super(`${reason}, ${location}`);
    this.offset = offset;
  }
}

/** In characters: three times the longest event in wide use, Seaport's OrderValidated. */
const maxTextLength = 2_000;
/** Limit for nested tuples and arrays. */
const maxDepth = 8;

/**
 * Parses a declaration. Names are optional, and so are `event` before it and `;` after it. Blanks may stand anywhere between
 * words. Throws EventTextFault.
 */
function parseEventText(text: string): EventText {
  if (text.length > maxTextLength)
    throw new EventTextFault(text, maxTextLength, `an event may have at most ${maxTextLength} characters`);
  return new Parser(text).event();
}

/** Prints a declaration with necessary blanks only, which is the form that listeners store. */
function printEventText({ name, parameters, isAnonymous }: EventText): string {
  const printed = parameters.map(({ type, name: own, isIndexed }, index) => {
    const parts = [type, isIndexed ? "indexed" : "", own === `arg${index + 1}` ? "" : own];
    return parts.filter((part) => part !== "").join(" ");
  });
  return `${name}(${printed.join(",")})${isAnonymous ? " anonymous" : ""}`;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** event = ["event"] name "(" [parameter {"," parameter}] ")" ["anonymous"] [";"] */
  event(): EventText {
    let name = this.#word("the name of an event");
    if (name === "event" && /[A-Za-z_$]/.test(this.#peek())) name = this.#word("the name of an event");
    this.#expect("(");
    const parameters = this.#list((index) => this.#parameter(index));
    const isAnonymous = this.#takeWord("anonymous");
    this.#take(";");
    if (this.#peek() !== "") this.#fail('unexpected text after the closing ")"');
    this.#check(parameters, isAnonymous);
    return { name, parameters, isAnonymous };
  }

  /** parameter = type ["indexed"] [name] */
  #parameter(index: number): EventParameter {
    const type = this.#type(0);
    const isIndexed = this.#takeWord("indexed");
    const at = this.#start();
    const name = this.#optionalName();
    if (name !== undefined && (types.test(name) || keywords.has(name)))
      throw new EventTextFault(
        this.#text,
        at,
        `"${name}" cannot be the name of an argument; expected "," or ")"`,
      );
    return { type, name: name ?? `arg${index + 1}`, isIndexed };
  }

  /** type = (elementary | ["tuple"] "(" type [name] {"," type [name]} ")") {"[" [digits] "]"} */
  #type(depth: number): string {
    if (depth > maxDepth) this.#fail(`types may be nested at most ${maxDepth} levels deep`);
    let type = this.#peek() === "(" ? this.#tuple(depth) : this.#elementary(depth);
    for (let arrays = 0; this.#take("["); arrays++) {
      if (arrays + depth >= maxDepth) this.#fail(`types may be nested at most ${maxDepth} levels deep`);
      const size = this.#digits();
      if (/^0/.test(size)) this.#fail("the length of a fixed-size array must be at least 1");
      this.#expect("]");
      type += `[${size}]`;
    }
    return type;
  }

  #tuple(depth: number): string {
    this.#expect("(");
    const parts = this.#list(() => {
      const type = this.#type(depth + 1);
      const at = this.#start();
      if (this.#optionalName() === "indexed")
        throw new EventTextFault(
          this.#text,
          at,
          "only a whole argument can be indexed, not a part of a tuple",
        );
      return type;
    });
    if (parts.length === 0) this.#fail("a tuple must have at least one part");
    return `(${parts.join(",")})`;
  }

  #elementary(depth: number): string {
    const at = this.#start();
    const word = this.#word("a type");
    if (word === "tuple" && this.#peek() === "(") return this.#tuple(depth);
    if (word === "uint" || word === "int") return `${word}256`;
    if (word === "address") {
      this.#takeWord("payable");
      return word;
    }
    if (isValidElementary(word)) return word;
    const hint = /^[A-Z]/.test(word)
      ? "write address for a contract, uint8 for an enum, and a tuple (…) for a struct"
      : "expected address, bool, string, bytes, bytes1 to bytes32, or int and uint of 8 to 256 bits";
    throw new EventTextFault(this.#text, at, `"${word}" is not a valid type of an event argument: ${hint}`);
  }

  #list<Item>(read: (index: number) => Item): readonly Item[] {
    const items: Item[] = [];
    if (this.#take(")")) return items;
    do items.push(read(items.length));
    while (this.#take(","));
    if (!this.#take(")")) this.#fail('expected "," or ")"');
    return items;
  }

  #check(parameters: readonly EventParameter[], isAnonymous: boolean): void {
    const maxIndexed = isAnonymous ? 4 : 3;
    const indexed = parameters.filter(({ isIndexed }) => isIndexed).length;
    if (indexed > maxIndexed)
      throw new EventTextFault(
        this.#text,
        0,
        `an event may have at most ${maxIndexed} indexed arguments, found ${indexed}`,
      );
    const names = parameters.map(({ name }) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined)
      throw new EventTextFault(
        this.#text,
        this.#text.lastIndexOf(duplicate),
        `two arguments have the name "${duplicate}"`,
      );
  }

  #start(): number {
    this.#peek();
    return this.#at;
  }

  /** Skips blanks and returns the next character; empty at the end. */
  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at] ?? "";
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) this.#fail(`expected "${character}"`);
  }

  #takeWord(word: string): boolean {
    const at = this.#start();
    if (this.#optionalName() === word) return true;
    this.#at = at;
    return false;
  }

  #optionalName(): string | undefined {
    const at = this.#start();
    const [word] = /^[A-Za-z_$][A-Za-z0-9_$]*/.exec(this.#text.slice(at)) ?? [];
    this.#at += word?.length ?? 0;
    return word;
  }

  #word(what: string): string {
    return this.#optionalName() ?? this.#fail(`expected ${what}`);
  }

  #digits(): string {
    const at = this.#start();
    const [digits = ""] = /^[0-9]{0,9}/.exec(this.#text.slice(at)) ?? [];
    this.#at += digits.length;
    return digits;
  }

  #fail(reason: string): never {
    throw new EventTextFault(this.#text, this.#start(), reason);
  }
}

const types = /^(address|bool|string|bytes\d*|u?int\d*|tuple)$/;
const keywords: ReadonlySet<string> = new Set([
  "indexed",
  "memory",
  "storage",
  "calldata",
  "event",
  "anonymous",
]);

function isValidElementary(word: string): boolean {
  if (["address", "bool", "string", "bytes"].includes(word)) return true;
  const [, kind, digits = ""] = /^(bytes|u?int)([1-9][0-9]{0,2})$/.exec(word) ?? [];
  const size = Number(digits);
  return kind === "bytes" ? size <= 32 : kind !== undefined && size <= 256 && size % 8 === 0;
}

/* Helpers for canonical argument types: `uint256`, `string[]`, `(address,bytes)[2]`. */

/** ABI-encodes each argument of the data separately. Returns undefined if the data does not fit the types. */
export type EncodeSeparately = (types: readonly string[], data: Hex) => readonly Hex[] | undefined;

export function isElementary(type: string): boolean {
  return !/[[(]/.test(type);
}

export function isDynamic(type: string): boolean {
  return /\[\]|string|bytes(?![0-9])/.test(type);
}

/** `(address,(bool,string)[])` → `address` and `(bool,string)[]`. */
export function tupleComponents(tuple: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < tuple.length; at++) {
    const character = tuple[at];
    if (depth === 0 && (character === "," || character === ")")) {
      parts.push(tuple.slice(start, at));
      start = at + 1;
    }
    if (character === "(") depth++;
    if (character === ")") depth--;
  }
  return parts;
}
