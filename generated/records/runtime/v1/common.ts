/** Timestamps as Dates. */

/** A moment that RFC 3339 can write: years 0000 to 9999. An invalid Date is none. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date && value.getTime() >= first && value.getTime() <= last;
}

/** 0000-01-01T00:00:00Z. */
const first = -62_167_219_200_000;
/** 9999-12-31T23:59:59.999Z. */
const last = 253_402_300_799_999;

/** Text of a timestamp → its moment, cut to milliseconds. */
export function dateOf(text: string): Date {
  return new Date(text.replace(/([.][0-9]{3})[0-9]+/, "$1"));
}

/**
 * One fault of a value against its type. A superset of an issue of [Standard Schema](https://standardschema.dev), so that libraries for
 * forms can show it at its field.
 */
export interface Issue {
  /** `expected text of 1 to 64 characters, found nothing`. */
  readonly message: string;
  /** Keys of objects and indexes of lists, from the body inwards: `["input", 3, "orderId"]`; `[]` for the whole body. */
  readonly path: IssuePath;
  /** What the schema wants there: `text of 1 to 64 characters`, `a list of at most 100 items`. */
  readonly expected: string;
  /** What stands there instead, in at most 60 characters: `"0x12…" (66 characters)`, `nothing`. Of a secret field only its kind: `text`. */
  readonly found: string;
}

export type IssuePath = readonly (string | number)[];

/** The faults of one body. */
export interface Issues {
  /** The first `maxListedIssues`. */
  readonly listed: readonly Issue[];
  /** Number of those that are not listed; from `maxCountedIssues` in all on, there may be more. */
  readonly more: number;
}

/** A body of 1 MiB may hold half a million faults, and nobody reads on past the first few. */
export const maxListedIssues = 20;

/** Lists are not read on past it, so that a hostile body costs no more than a good one. */
export const maxCountedIssues = 1_000;

export function issue(path: IssuePath, expected: string, found: string): Issue {
  return { message: `expected ${expected}, found ${found}`, path, expected, found };
}

export function issuesOfAll(all: readonly Issue[]): Issues {
  const listed = all.slice(0, maxListedIssues);
  return { listed, more: all.length - listed.length };
}

/** All faults as one text: `/input/3/orderId: expected text, found 5; /page: expected an object, found a list of 0; and 4 more`. */
export function describeIssues({ listed, more }: Issues): string {
  const described = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`).join("; ");
  if (more === 0) return described;
  return `${described}; and ${listed.length + more < maxCountedIssues ? "" : "at least "}${more} more`;
}

/** A path as a JSON Pointer: `["input", 3]` → `/input/3`, `[]` → `""`. */
export function pointerOf(path: IssuePath): string {
  return path.map((step) => `/${`${step}`.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

/** Text that a database can hold: PostgreSQL stores neither NUL nor half a surrogate pair, and UTF-8 has no bytes for the latter. */

const surrogate = /[\ud800-\udfff]/;
/** The flag `u` reads a pair as one code point, so only a half without its other half matches. */
const loneSurrogate = /\p{Surrogate}/u;

/** The first search is fast on plain text; only text with surrogates needs the second one. */
export function hasLoneSurrogate(text: string): boolean {
  return surrogate.test(text) && loneSurrogate.test(text);
}

export function isStorable(text: string): boolean {
  return !text.includes("\0") && !hasLoneSurrogate(text);
}

/* Faults on their way from the value that has them up to the body, each level putting its step in front of the path. */

/** Longest description of a value, in UTF-16 units. */
const mostDescribed = 60;

export interface Faults {
  readonly listed: Fault[];
  /** All that were found, listed or not. */
  count: number;
}

interface Fault {
  path: IssuePath;
  readonly expected: string;
  readonly value: unknown;
  /** Whether only the kind of the value may be told. */
  isSecret: boolean;
}

/** Adds a fault. `path` leads there from the value that is being read: `[]`, `["name"]`. */
export function fault(faults: Faults | undefined, path: IssuePath, expected: string, value: unknown): Faults {
  return add(faults, { path, expected, value, isSecret: false });
}

/** The same for a value that must not be repeated. */
export function secretFault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
): Faults {
  return add(faults, { path, expected, value, isSecret: true });
}

/** Adds what is wrong inside of a field, if anything is. */
export function inField(
  faults: Faults | undefined,
  name: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, name, inner);
}

/** The same for a field, an item or an entry that is secret as a whole. The path ends there: keys inside may be secret as well. */
export function inSecret(
  faults: Faults | undefined,
  step: string | number,
  inner: Faults | undefined,
): Faults | undefined {
  if (inner === undefined) return faults;
  for (const fault of inner.listed) {
    fault.path = [];
    fault.isSecret = true;
  }
  return merge(faults, step, inner);
}

/** Adds what is wrong inside of an item of a list, if anything is. */
export function inItem(
  faults: Faults | undefined,
  index: number,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, index, inner);
}

/** Adds what is wrong inside of an entry of a map, if anything is. */
export function inEntry(
  faults: Faults | undefined,
  key: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : merge(faults, shownKey(key), inner);
}

/** Whether so much is wrong that reading on tells nothing new. */
export function isEnough(faults: Faults | undefined): boolean {
  return faults !== undefined && faults.count >= maxCountedIssues;
}

/** A key of a map as a step of a path. Callers choose keys, so long ones are cut to 60 UTF-16 units. */
export function shownKey(key: string): string {
  return key.length <= mostDescribed ? key : `${key.slice(0, mostDescribed - 1)}…`;
}

/** The faults of a body; undefined if there are none. */
export function issuesOf(faults: Faults | undefined): Issues | undefined {
  if (faults === undefined) return undefined;
  const listed = faults.listed.map(({ path, expected, value, isSecret }) =>
    issue(path, expected, isSecret ? kindOf(value) : describe(value)),
  );
  return { listed, more: faults.count - listed.length };
}

/** Bigints from here on are not shown. */
const shownMax = /* @__PURE__ */ BigInt(`1${"0".repeat(30)}`);

/** A value in at most 60 characters: `"0x12…" (66 characters)`, `12`, `a list of 3`, `nothing`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return describeText(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value > -shownMax && value < shownMax ? `${value}n` : "a bigint";
    case "object":
      return Array.isArray(value) ? `a list of ${value.length}` : kindOf(value);
    default:
      return kindOf(value);
  }
}

/** What a value is, without what it says. */
function kindOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    case "bigint":
      return "a bigint";
    case "undefined":
      return "nothing";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

function describeText(text: string): string {
  if (text.length <= mostDescribed) {
    const whole = JSON.stringify(text);
    if (whole.length <= mostDescribed) return whole;
  }
  const length = ` (${text.length} characters)`;
  // Escapes take up to six characters each, hence the second cut; it may halve an escape, which only people read.
  const start = JSON.stringify(text.slice(0, mostDescribed)).slice(0, mostDescribed - length.length - 2);
  return `${start}…"${length}`;
}

function add(faults: Faults | undefined, found: Fault): Faults {
  if (faults === undefined) return { listed: [found], count: 1 };
  if (faults.listed.length < maxListedIssues) faults.listed.push(found);
  faults.count++;
  return faults;
}

function merge(faults: Faults | undefined, step: string | number, inner: Faults): Faults {
  for (const found of inner.listed) found.path = [step, ...found.path];
  if (faults === undefined) return inner;
  faults.listed.push(...inner.listed.slice(0, maxListedIssues - faults.listed.length));
  faults.count += inner.count;
  return faults;
}

/** `Object.hasOwn`, which libraries of types before ES2022 do not know. */
export const hasOwn: (record: object, name: PropertyKey) => boolean = /* @__PURE__ */ (() =>
  (Object as unknown as { readonly hasOwn: typeof hasOwn }).hasOwn)();

/* Objects and lists of JSON, and the fields of objects. */

export type Fields = Record<string, unknown>;

/** Deepest nesting of lists and objects that a type which holds itself is followed to: any walk stays far from the end of the stack. */
export const maxDepth = 64;

export const tooDeep: string = `at most ${maxDepth} levels of nesting`;

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** A field whose name every object inherits something under, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

/** Writes a field as one of the object's own, `__proto__` too. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

/**
 * Moves a field from another of its names to its own. Under both names it must have one value, unless one is null; a number and its
 * decimal text are the same. The own name rules where both are there. The other name goes: what is later logged is redacted by the field's own.
 */
export function rename(
  faults: Faults | undefined,
  value: Fields,
  other: string,
  name: string,
): Faults | undefined {
  if (!hasOwn(value, other)) return faults;
  const given = value[other];
  delete value[other];
  if (!hasOwn(value, name)) set(value, name, given);
  else if (given !== null && value[name] !== null && !isSame(given, value[name], 0))
    return secretFault(faults, [other], `the same value as "${name}", or only one of the two`, given);
  return faults;
}

function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null)
    return String(a) === String(b);
  const [left, right] = [Object.entries(a), b as Fields];
  if (depth > maxDepth || isList(a) !== isList(b) || left.length !== Object.keys(b).length) return false;
  return left.every(([key, each]) => hasOwn(right, key) && isSame(each, right[key], depth + 1));
}

const unstorable = "NUL and lone surrogates";

/** Any JSON value is fine, unless a text or a key in it cannot be stored, or it is nested too deep. `depth` is the level of the value itself, 1 for a body. */
export function faultsInAny(value: unknown, depth: number): Faults | undefined {
  if (typeof value === "string")
    return isStorable(value) ? undefined : fault(undefined, [], `text without ${unstorable}`, value);
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return fault(undefined, [], tooDeep, value);
  return Array.isArray(value) ? faultsInItems(value, depth) : faultsInEntries(value, depth);
}

function faultsInItems(list: readonly unknown[], depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (let index = 0; index < list.length && !isEnough(faults); index++) {
    faults = inItem(faults, index, faultsInAny(list[index], depth + 1));
  }
  return faults;
}

function faultsInEntries(map: object, depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (const [key, value] of Object.entries(map)) {
    if (isEnough(faults)) break;
    if (!isStorable(key))
      faults = inEntry(faults, key, fault(undefined, [], `a key without ${unstorable}`, key));
    faults = inEntry(faults, key, faultsInAny(value, depth + 1));
  }
  return faults;
}

/** Other forms of a value, turned into its own. What fits none of them comes back as it is, for the check that follows to refuse. */

/**
 * The 4,300 digits are the bound that CPython sets for the same reason: turning text into a big integer takes more than linear
 * time. Only the one canonical spelling is read: no `+`, no `-0`, and no leading zero, which Go's reader would take for octal.
 */
const bigintText = /^(?:0|-?[1-9][0-9]{0,4299})$/;

/** A decimal string or a safe integer → bigint. */
export function bigintOf(value: unknown): unknown {
  if (typeof value === "string") return bigintText.test(value) ? BigInt(value) : value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** A safe integer → bigint: what `parseWide` gives for an integer of 64 bits is either. */
export function int64Of(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** An integer with more digits than a number holds → the nearest number. */
export function numberOfBigint(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** `5` → `"5"`, for text that is read from safe integers too. */
export function textOfInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** `1.5` → `"1.5"`. */
export function textOfNumber(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value;
}

/** `true` → `"true"`. */
export function textOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

const integerText = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** `"5"` → `5`; decimal, without leading zeros. */
export function integerOfText(value: unknown): unknown {
  return typeof value === "string" && integerText.test(value) ? Number(value) : value;
}

/** A number as JSON writes it, bounded so that it is read in no time. */
const numberText = /^-?(?:0|[1-9][0-9]{0,99})(?:[.][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?$/;

/** `"1.5"` → `1.5`. */
export function numberOfText(value: unknown): unknown {
  return typeof value === "string" && numberText.test(value) ? Number(value) : value;
}

/** `true` → `1`. */
export function numberOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** `"true"` → `true`. */
export function booleanOfText(value: unknown): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}

/** `1` → `true`, `0` → `false`. */
export function booleanOfNumber(value: unknown): unknown {
  return value === 1 ? true : value === 0 ? false : value;
}

/* What a string can be asked. Lengths are in Unicode code points; one outside of the first 65,536 takes two units of a string. */

/** Text of a request. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

/** Counts only where the units leave it open. */
export function hasAtMost(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return true;
  return text.length <= codePoints * 2 && countOf(text) <= codePoints;
}

export function hasAtLeast(text: string, codePoints: number): boolean {
  if (text.length < codePoints) return false;
  return text.length >= codePoints * 2 || countOf(text) >= codePoints;
}

function countOf(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00 || (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800)
      continue;
    count--;
    // The pair is spent: a second low half does not pair with the same first.
    index++;
  }
  return count;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes as Go writes them: the standard alphabet, padded to a multiple of four. */
export function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length % 4 === 0 && base64.test(value);
}

/** Number of bytes that base64 text holds. */
export function byteCount(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

const integerKey = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** A map key of an integer type: decimal text without leading zeros, within the bounds of the type. */
export function isIntegerKey(key: string, low: number, high: number): boolean {
  if (!integerKey.test(key)) return false;
  const value = Number(key);
  return value >= low && value <= high;
}

const wideKey = /^(?:0|-?[1-9][0-9]{0,19})$/;

/** The same of a type with 64 bits. */
export function isWideKey(key: string, low: number | bigint, high: number | bigint): boolean {
  if (!wideKey.test(key)) return false;
  const value = BigInt(key);
  return value >= low && value <= high;
}

/** Timestamps as text, in the profile of RFC 3339 that Go writes. */
const timestamp =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

/**
 * RFC 3339 with 0 to 9 fraction digits and any offset, on a day that the calendar has: `2024-02-29T12:00:00.5+02:00`. `T` and `Z`
 * are upper case, as Go reads them. No leap second: neither Go's `time.Time` nor JavaScript's `Date` can hold `23:59:60`.
 */
function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && timestamp.test(value) && isRealDay(value);
}

/** The form of responses, and the form in which handlers read requests: `Z` and no other offset. */
export function isUtcTimestamp(value: unknown): value is string {
  return isTimestamp(value) && endsInZ(value);
}

/**
 * The same moment in UTC, with the same fraction digits: `2025-01-31T12:00:00.50+02:00` → `2025-01-31T10:00:00.50Z`. Returns the value
 * itself if it is no timestamp, or if UTC puts it outside the years 0000 to 9999, which RFC 3339 cannot write.
 */
export function utcOf(value: unknown): unknown {
  if (typeof value !== "string" || endsInZ(value) || !isTimestamp(value)) return value;
  const [hours, minutes] = value.slice(-5).split(":");
  const minutesEast = (Number(hours) * 60 + Number(minutes)) * (value.at(-6) === "-" ? -1 : 1);
  const local = Date.parse(`${value.slice(0, 19)}Z`);
  const utc = new Date(local - minutesEast * 60_000).toISOString();
  // Other years have a sign and six digits.
  return utc.length === 24 ? `${utc.slice(0, 19)}${value.slice(19, -6)}Z` : value;
}

function endsInZ(text: string): boolean {
  return text.charCodeAt(text.length - 1) === 0x5a;
}

const monthsOf30Days: readonly string[] = ["04", "06", "09", "11"];

/** Of a text that has the form of a timestamp. */
function isRealDay(text: string): boolean {
  const tens = text.charCodeAt(8) - 0x30;
  if (tens < 2) return true;
  const day = tens * 10 + text.charCodeAt(9) - 0x30;
  if (day <= 28) return true;
  const month = text.slice(5, 7);
  if (month === "02") return day === 29 && isLeapYear(Number(text.slice(0, 4)));
  return day <= 30 || !monthsOf30Days.includes(month);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/* Parts of an answer on their way to `JSON.stringify`. A handler may answer an object that it keeps, so nothing is changed in place. */

/** Every item of a list, written. What is no list stays, since answers are not always checked. */
export function writeItems(value: unknown, write: (item: unknown) => unknown): unknown {
  return isList(value) ? value.map((item) => write(item)) : value;
}

/** Every value of a map, written. */
export function writeEntries(value: unknown, write: (item: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const written: Fields = {};
  for (const key of Object.keys(value)) set(written, key, write(value[key]));
  return written;
}

/** bigint → decimal text. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** A Date → text. Throws for one that RFC 3339 cannot write. */
export function writeDate(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!isDate(value))
    throw new TypeError("a timestamp of the response is no valid Date of the years 0000 to 9999");
  return value.toISOString();
}

/*
 * What generated validators stand on; they import this file as `v`. The way of a value that is fine allocates nothing but the
 * key list of a map: paths and descriptions are made only once a fault was found.
 */



/* What generated validators are to the server's core. */

/** By name of the service. */
export type Validators = Readonly<Record<string, ServiceValidators>>;

/** The validators of one service, loaded with the first call that needs them. */
export interface ServiceValidators {
  readonly requests: () => Promise<{ readonly requests: RequestValidators }>;
  readonly responses: () => Promise<{ readonly responses: ResponseValidators }>;
  /** An answer of some method is written by a function. Without it they are loaded only to be checked. */
  readonly isWriting?: boolean;
}

/** By path of the method: decodes other names, other forms and defaults in place, then checks. */
export type RequestValidators = Readonly<Record<string, Check>>;

/** By path of the method. */
export type ResponseValidators = Readonly<Record<string, ResponseValidator>>;

/** The faults of a body; undefined if it has none. */
export type Check = (value: unknown) => Issues | undefined;

export interface ResponseValidator {
  /** Of a reply as its handler answered it. Called only if responses are checked. */
  readonly check: Check;
  /** The reply as it goes over the wire: second names, null where the schema wants it. */
  readonly write?: (value: unknown) => unknown;
}
