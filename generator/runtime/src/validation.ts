import {
  type Issue,
  type IssuePath,
  type Issues,
  issue,
  maxCountedIssues,
  maxListedIssues,
  withCode,
} from "./errors.ts";
import { type Fields, hasOwn, isJsonObject, isStorable, jsonFault } from "./json.ts";
import { isDate } from "./time.ts";

export type { Issues } from "./errors.ts";
export * from "./formats.ts";
export { type Fields, isJsonObject, isObject } from "./json.ts";
export { dateOf, isDate } from "./time.ts";

/* The interface between generated validators and the server. */

/** The validators of an API. */
export interface Validators {
  readonly requests: RequestValidators;
  readonly responses: ResponseValidators;
  /** By the name of the error. */
  readonly errorData?: ResponseValidators;
}

/** By path. Each decodes aliases, other accepted forms and defaults in place, deletes unknown fields, and checks the request. */
export type RequestValidators = Readonly<Record<string, Check>>;

/** By path. */
export type ResponseValidators = Readonly<Record<string, ResponseValidator>>;

/** Returns the issues of a body; undefined if it is valid. */
export type Check = (value: unknown) => Issues | undefined;

/** By path: like `RequestValidators`, but finds faults, in a value at a depth. */
export type RequestFaults = Readonly<Record<string, (value: unknown, depth: number) => Faults | undefined>>;

/** By the path of the method, or by the name of the error: copies a response, like `ResponseValidator.write`. */
export type ResponseWriters = Readonly<Record<string, ResponseValidator["write"]>>;

/** The functions for the responses of a method. */
export interface ResponseValidator {
  /** Checks a response as the handler returned it. Called if `checkResponses` is set, and to explain why `write` threw. */
  readonly check: Check;
  /**
   * Copies the declared fields of a response for JSON.stringify, with additional names, null for absent values, and text
   * for bigints and Dates. Throws at a value that JSON would change.
   */
  readonly write: (value: unknown) => unknown;
}

/* Describes values for faults. */

/** Longest description of a value, in UTF-16 units. */
const descriptionMaxLength = 60;

/** 10^30. Larger bigints are described as `a bigint`. */
const printedBigintLimit = /* @__PURE__ */ BigInt("1000000000000000000000000000000");

/** Describes a value in at most 60 characters: `"0x12…" (66 characters)`, `12`, `a list of 3`, `nothing`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return describeText(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value > -printedBigintLimit && value < printedBigintLimit ? `${value}n` : "a bigint";
    case "object":
      return Array.isArray(value) ? `a list of ${value.length}` : kindOf(value);
    default:
      return kindOf(value);
  }
}

/** Describes the kind of a value without its content. */
export function kindOf(value: unknown): string {
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
  if (text.length <= descriptionMaxLength) {
    const whole = JSON.stringify(text);
    if (whole.length <= descriptionMaxLength) return whole;
  }
  const length = ` (${text.length} characters)`;
  // Escapes take up to six characters, hence the second cut. It may split an escape, which does no harm in text for
  // people.
  const start = JSON.stringify(text.slice(0, descriptionMaxLength)).slice(
    0,
    descriptionMaxLength - length.length - 2,
  );
  return `${start}…"${length}`;
}

/* Collects validation errors. Each level of a body prepends its step to the paths of the faults inside. */

/** The faults found so far. */
export interface Faults {
  readonly listed: Fault[];
  /** Number of all faults, listed or not. */
  count: number;
}

export interface Fault {
  path: IssuePath;
  readonly expected: string;
  readonly value: unknown;
  readonly rules: Rules | undefined;
  /** If true, only the kind of the value is reported. */
  isSecret: boolean;
}

/** The rules of a value that decide what its issue says. Integers beyond 2^53 - 1 are text. */
export interface Rules {
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** What text breaks that has a valid length. */
  readonly text?: "pattern" | "format" | "enum";
  /** Finds the broken rule where the type of the value does not tell. A function, so that bundles have those that they use. */
  readonly find?: (value: unknown, rules: Rules) => BrokenRule;
  /** From `+ message`. Groups and kinds have none: their faults tell which other field is missing or set. */
  readonly message?: string | undefined;
}

type BrokenRule = Pick<Issue, "code" | "params">;

/** The ends of the names of limits, by the type of value that they apply to. */
const limitNames: Readonly<Partial<Record<string, "Length" | "Items" | "imum">>> = {
  string: "Length",
  object: "Items",
  number: "imum",
  bigint: "imum",
};

/** Returns the rule that an invalid value breaks. */
function brokenRule(value: unknown, rules: Rules): BrokenRule {
  const limited = limitNames[typeof value];
  const size = typeof value === "string" ? [...value].length : Object.keys(Object(value)).length;
  const measured = limited === "imum" ? (value as number) : size;
  for (const end of ["min", "max"] as const) {
    // Values of other types have no limits.
    const code = `${end}${limited}` as `${typeof end}${NonNullable<typeof limited>}`;
    const limit = rules[code];
    if (limit === undefined) continue;
    // Integers beyond 2^53 - 1 are compared as text.
    if (end === "min" ? measured < (limit as number) : measured > (limit as number))
      return { code, params: { [code]: limit } };
  }
  if (value === undefined) return { code: "required" };
  return { code: (typeof value === "string" && rules.text) || "type" };
}

/** The `find` of enums with numbers. */
export function findInEnum(value: unknown, rules: Rules): BrokenRule {
  return typeof value === "number" ? { code: "enum" } : brokenRule(value, rules);
}

/** The `find` of integers that may be text. */
export function findInText(value: unknown, rules: Rules): BrokenRule {
  return brokenRule(bigintOf(value), rules);
}

/** Adds a fault. `path` starts at the value being validated: `[]`, `["name"]`. */
export function fault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
  rules?: Rules,
): Faults {
  return addFault(faults, { path, expected, value, rules, isSecret: false });
}

/** Adds the faults inside a field. */
export function inField(
  faults: Faults | undefined,
  name: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, name, inner);
}

/** Returns the issues of a body; undefined if it is valid. */
export function issuesOf(faults: Faults | undefined): Issues | undefined {
  if (faults === undefined) return undefined;
  const listed = faults.listed.map(({ path, expected, value, rules = {}, isSecret }) => ({
    ...issue(path, expected, isSecret ? kindOf(value) : describe(value)),
    ...(rules.message !== undefined && { message: rules.message }),
    ...(rules.find ?? brokenRule)(value, rules),
  }));
  return { listed, more: faults.count - listed.length };
}

/** Adds a fault. Only the first are listed. */
export function addFault(faults: Faults | undefined, found: Fault): Faults {
  if (faults === undefined) return { listed: [found], count: 1 };
  if (faults.listed.length < maxListedIssues) faults.listed.push(found);
  faults.count++;
  return faults;
}

/** Adds faults inside of a value at `step`. */
function addInside(faults: Faults | undefined, step: string | number, inner: Faults): Faults {
  for (const found of inner.listed) found.path = [step, ...found.path];
  if (faults === undefined) return inner;
  faults.listed.push(...inner.listed.slice(0, maxListedIssues - faults.listed.length));
  faults.count += inner.count;
  return faults;
}

/* Validators as Standard Schemas (https://standardschema.dev), which forms and servers of other makers accept. */

/** Compatible with `StandardSchemaV1` of `@standard-schema/spec`. `Input` is what callers write. */
export interface StandardSchema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** For types only; undefined at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Returns a copy with defaults, or the first 20 issues. Neither throws nor changes the input. */
    readonly validate: (value: unknown) => StandardResult<Output>;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Holds a value, so that a reader can replace it. */
export interface Holder {
  value: unknown;
}

/** `read` decodes the value in place and returns its faults. */
export function standardSchema<Input, Output>(
  read: (holder: Holder) => Faults | undefined,
): StandardSchema<Input, Output> {
  return { "~standard": { version: 1, vendor: "ridlkit", validate: (value) => validate(value, read) } };
}

function validate<Output>(
  value: unknown,
  read: (holder: Holder) => Faults | undefined,
): StandardResult<Output> {
  try {
    const holder = { value: copyOf(value) };
    const issues = issuesOf(read(holder));
    return issues === undefined ? { value: holder.value as Output } : { issues: issues.listed };
  } catch {
    // A cycle overflows the stack, and a getter or a proxy may throw anything.
    return { issues: [withCode(issue([], "a value that JSON can represent", "one that cannot be copied"))] };
  }
}

/** Copies a value as JSON would: objects without undefined fields, and Dates as text. Bigints stay bigints. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, copyOf(field)]));
}

/** Deepest nesting of recursive types, far below the stack limit of recursive code. */
export const maxDepth = 64;

/** What a fault reports as expected if nesting is too deep. Bundlers keep an unused template, but no pure call. */
export const tooDeep: string = /* @__PURE__ */ ["at most", maxDepth, "levels of nesting"].join(" ");

/* Lists and maps, and the faults inside. */

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** Adds the faults inside a list item. */
export function inItem(
  faults: Faults | undefined,
  index: number,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, index, inner);
}

/** Adds the faults inside a map entry. */
export function inEntry(
  faults: Faults | undefined,
  key: string,
  inner: Faults | undefined,
): Faults | undefined {
  return inner === undefined ? faults : addInside(faults, pathKey(key), inner);
}

/** Whether enough faults were found to stop validating. */
export function hasMaxFaults(faults: Faults | undefined): boolean {
  return faults !== undefined && faults.count >= maxCountedIssues;
}

/** Returns a map key as a step of a path. Callers choose keys, so long ones are truncated to 60 UTF-16 units. */
export function pathKey(key: string): string {
  return key.length <= descriptionMaxLength ? key : `${key.slice(0, descriptionMaxLength - 1)}…`;
}

/** Deletes unknown fields. Other versions of the contract may have them; handlers must not get them. */
export function keepOnly(value: Fields, names: ReadonlySet<string>): void {
  for (const name in value) if (!names.has(name)) Reflect.deleteProperty(value, name);
}

/* Fields whose names every object inherits, such as `constructor` and `__proto__`. */

/** Reads a field whose name is inherited by every object, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

/** Sets an own property, even for the name `__proto__`. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

/* Faults of secret values, which are not quoted. */

/** Adds a fault without quoting its value. */
export function secretFault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
  rules?: Rules,
): Faults {
  return addFault(faults, { path, expected, value, rules, isSecret: true });
}

/**
 * Adds the faults inside a field, item or entry that is secret as a whole. The path ends there, because keys inside may
 * be secret, too.
 */
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
  return addInside(faults, step, inner);
}

/* Groups of fields. */

/** Adds the faults of a group of fields unless exactly one is set. `null` means absent. */
export function notOne(
  faults: Faults | undefined,
  value: Fields,
  fields: readonly string[],
): Faults | undefined {
  const [first, ...surplus] = fields.filter((name) => (own(value, name) ?? undefined) !== undefined);
  const rules: Rules = { find: () => ({ code: "oneOf", params: { fields } }) };
  if (first === undefined) return fault(faults, [], `one of ${fields.join(", ")}`, undefined, rules);
  return surplus.reduce<Faults | undefined>(
    (all, name) => secretFault(all, [name], `nothing, because "${first}" is set`, value[name], rules),
    faults,
  );
}

/** Adds the faults of a struct that lacks fields of its kind, or has some of other kinds. `null` means absent. */
export function notOfKind(
  faults: Faults | undefined,
  value: Fields,
  kind: string,
  required: readonly string[],
  optional: readonly string[],
  /** All fields that depend on the kind. */
  members: readonly string[],
): Faults | undefined {
  const params = { kind, value: String(own(value, kind)) };
  const reason = `because "${kind}" is ${JSON.stringify(params.value)}`;
  const isSet = (name: string): boolean => (own(value, name) ?? undefined) !== undefined;
  const isExcluded = (name: string): boolean => !required.includes(name) && !optional.includes(name);
  const wrong = [
    ...required.filter((name) => !isSet(name)),
    ...members.filter((name) => isExcluded(name) && isSet(name)),
  ];
  return wrong.reduce<Faults | undefined>((all, name) => {
    const given = own(value, name) ?? undefined;
    const expected = `${given === undefined ? "a value" : "nothing"}, ${reason}`;
    const find = (found: unknown): BrokenRule => ({
      code: found === undefined ? "required" : "when",
      params,
    });
    return secretFault(all, [name], expected, given, { find });
  }, faults);
}

/* Other names of fields. */

/**
 * Moves a field from an alias to its own name and deletes the alias, so that logs redact it by its own name. If both
 * names are present, both values must be equal, and the own name's is kept. A number equals its decimal text. Null
 * counts as absent, unless it is a value of its own (`hasNull`).
 */
export function rename(
  faults: Faults | undefined,
  value: Fields,
  other: string,
  name: string,
  hasNull = false,
): Faults | undefined {
  if (!hasOwn(value, other)) return faults;
  const given = value[other];
  const kept = own(value, name);
  Reflect.deleteProperty(value, other);
  if (!hasOwn(value, name) || (kept === null && !hasNull)) set(value, name, given);
  else if (given === null || kept === null ? hasNull && given !== kept : !isSame(given, kept, 0))
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

const unstorable = "NUL or lone surrogates";

/**
 * Validates a value of type `any`: every text and key must be storable, and nesting is limited. `depth` is the level of
 * the value, 1 for a body.
 */
export function faultsInAny(value: unknown, depth: number): Faults | undefined {
  if (typeof value === "string")
    return isStorable(value) ? undefined : fault(undefined, [], `text without ${unstorable}`, value);
  // `JSON.parse` reads 1e999 as Infinity.
  if (typeof value === "number" && !Number.isFinite(value))
    return fault(undefined, [], "a finite number", value);
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return fault(undefined, [], tooDeep, value);
  return Array.isArray(value) ? faultsInItems(value, depth) : faultsInEntries(value, depth);
}

/** Validates a value of type `any` in a response: JSON must not change it. */
export function faultsInJson(value: unknown): Faults | undefined {
  return faultsBeforePrint(value, false);
}

/** Validates a value of type `any` in a response that may contain 64-bit integers as bigints. */
export function faultsInInt64Json(value: unknown): Faults | undefined {
  return faultsBeforePrint(value, true);
}

function faultsBeforePrint(value: unknown, takesBigints: boolean): Faults | undefined {
  const path: (string | number)[] = [];
  const found = jsonFault(value, path, takesBigints);
  return (
    found &&
    fault(
      undefined,
      path.map((step) => (typeof step === "string" ? pathKey(step) : step)),
      found[0],
      found[1],
    )
  );
}

function faultsInItems(list: readonly unknown[], depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (let index = 0; index < list.length && !hasMaxFaults(faults); index++) {
    faults = inItem(faults, index, faultsInAny(list[index], depth + 1));
  }
  return faults;
}

function faultsInEntries(map: object, depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (const [key, value] of Object.entries(map)) {
    if (hasMaxFaults(faults)) break;
    if (!isStorable(key))
      faults = inEntry(faults, key, fault(undefined, [], `a key without ${unstorable}`, key));
    faults = inEntry(faults, key, faultsInAny(value, depth + 1));
  }
  return faults;
}

/*
 * Converts accepted forms of a value to its own type. Other values are returned unchanged; the check that follows
 * rejects them.
 */

/**
 * Converting text to a big integer takes more than linear time, so CPython limits it to 4,300 digits, too. Only the
 * canonical spelling is accepted: no `+`, no `-0`, and no leading zero, which Go would read as octal.
 */
const bigintText = /^(?:0|-?[1-9][0-9]{0,4299})$/;

/** Converts a decimal string or a safe integer to a bigint. */
export function bigintOf(value: unknown): unknown {
  if (typeof value === "string") return bigintText.test(value) ? BigInt(value) : value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Converts a safe integer to a bigint. `parseInt64Json` returns bigints only for larger integers. */
export function int64Of(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Converts an integer beyond the precision of numbers to the nearest number. */
export function numberOfBigint(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** Converts `5` to `"5"`. */
export function textOfInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** Converts `1.5` to `"1.5"`. */
export function textOfNumber(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value;
}

/** Converts `true` to `"true"`. */
export function textOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

const integerText = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Converts `"5"` to `5`. Accepts decimal text without leading zeros. */
export function integerOfText(value: unknown): unknown {
  return typeof value === "string" && integerText.test(value) ? Number(value) : value;
}

/** A number as JSON writes it. The length is limited to keep parsing fast. */
const numberText = /^-?(?:0|[1-9][0-9]{0,99})(?:[.][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?$/;

/** Converts `"1.5"` to `1.5`. */
export function numberOfText(value: unknown): unknown {
  return typeof value === "string" && numberText.test(value) ? Number(value) : value;
}

/** Converts `true` to `1`. */
export function numberOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Converts `"true"` to `true`. */
export function booleanOfText(value: unknown): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}

/** Converts `1` to `true` and `0` to `false`. */
export function booleanOfNumber(value: unknown): unknown {
  return value === 1 ? true : value === 0 ? false : value;
}

/* Tests of strings. Lengths are in Unicode code points; those above U+FFFF take two UTF-16 units. */

/** Whether a value of a request is storable text. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

/** Whether a text has at most this many code points. Counts them only if the number of UTF-16 units does not decide. */
export function hasAtMost(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return true;
  return text.length <= codePoints * 2 && countOf(text) <= codePoints;
}

/** Whether a text has at least this many code points. */
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
    // A second low surrogate does not pair with the same high one.
    index++;
  }
  return count;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a value is base64 as Go writes it: the standard alphabet, padded to a multiple of four characters. */
export function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length % 4 === 0 && base64.test(value);
}

/** Returns the number of bytes that base64 text encodes. */
export function byteCount(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

const integerKey = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Whether a map key is an integer in the given range: decimal text without leading zeros. */
export function isIntegerKey(key: string, low: number, high: number): boolean {
  if (!integerKey.test(key)) return false;
  const value = Number(key);
  return value >= low && value <= high;
}

const int64Key = /^(?:0|-?[1-9][0-9]{0,19})$/;

/** Whether a map key is a 64-bit integer in the given range. */
export function isInt64Key(key: string, low: number | bigint, high: number | bigint): boolean {
  if (!int64Key.test(key)) return false;
  const value = BigInt(key);
  return value >= low && value <= high;
}

/** Timestamps as text, in the RFC 3339 profile that Go uses. */
const timestamp =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

/**
 * Whether a value is an RFC 3339 timestamp with up to 9 fraction digits and any offset: `2024-02-29T12:00:00.5+02:00`.
 * The day must exist, and `T` and `Z` are upper case, as in Go. Leap seconds are rejected: neither Go's `time.Time` nor
 * JavaScript's `Date` can represent `23:59:60`.
 */
function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && timestamp.test(value) && isRealDay(value);
}

/** Whether a value is a timestamp in UTC, which ends with `Z`. Responses and decoded requests use this form. */
export function isUtcTimestamp(value: unknown): value is string {
  return isTimestamp(value) && endsInZ(value);
}

/**
 * Converts a timestamp to UTC and keeps its fraction digits: `2025-01-31T12:00:00.50+02:00` →
 * `2025-01-31T10:00:00.50Z`. Returns any other value unchanged, as well as timestamps that are outside of the years
 * 0000 to 9999 in UTC, which RFC 3339 cannot represent.
 */
export function utcOf(value: unknown): unknown {
  if (typeof value !== "string" || endsInZ(value) || !isTimestamp(value)) return value;
  const [hours, minutes] = value.slice(-5).split(":");
  const minutesEast = (Number(hours) * 60 + Number(minutes)) * (value.slice(-6, -5) === "-" ? -1 : 1);
  const local = Date.parse(`${value.slice(0, 19)}Z`);
  const utc = new Date(local - minutesEast * 60_000).toISOString();
  // Other years have a sign and six digits.
  return utc.length === 24 ? `${utc.slice(0, 19)}${value.slice(19, -6)}Z` : value;
}

function endsInZ(text: string): boolean {
  return text.charCodeAt(text.length - 1) === 0x5a;
}

const monthsOf30Days: readonly string[] = ["04", "06", "09", "11"];

/** Expects text in the form of a timestamp. */
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

/*
 * Converts responses for `JSON.stringify`. Generated code copies the declared fields of each struct with these functions,
 * because handlers may reuse their objects, and may return more than the schema declares. They throw a `TypeError` at a
 * value that JSON would change, or that may have fields of its own where the schema declares none. Other wrong types are
 * only found by the check of responses.
 */

/** Writes text, a number, a boolean or null. Bigints are left to the printer. */
export function writeScalar(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
    case "undefined":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      break;
    case "object":
      if (value === null) return value;
  }
  return unwritable();
}

function unwritable(): never {
  throw new TypeError("the response contains a value that JSON cannot represent as the schema declares");
}

/** Writes the items of a list. JSON would write undefined items, and those that the list lacks, as null. */
export function writeItems(value: unknown, write: (item: unknown) => unknown): unknown {
  if (!isList(value)) return writeScalar(value);
  const written: unknown[] = [];
  for (let index = 0; index < value.length; index++) {
    const item: unknown = value[index];
    written.push(item === undefined ? unwritable() : write(item));
  }
  return written;
}

/** Writes the values of a map. */
export function writeEntries(value: unknown, write: (item: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return writeScalar(value);
  const written: Fields = {};
  for (const key of Object.keys(value)) {
    const entry = write(value[key]);
    if (key === "__proto__") set(written, key, entry);
    else written[key] = entry;
  }
  return written;
}

/** Writes a value of type `any` as it is. */
export function writeAny(value: unknown): unknown {
  return value === undefined || jsonFault(value, [], false) === undefined ? value : unwritable();
}

/** Writes a value of type `any` that may contain 64-bit integers as bigints. */
export function writeAnyInt64(value: unknown): unknown {
  return value === undefined || jsonFault(value, [], true) === undefined ? value : unwritable();
}

/** Writes a bigint as decimal text. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : writeScalar(value);
}

/** Writes a Date as text. RFC 3339 has the years 0000 to 9999. */
export function writeDate(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  return isDate(value) ? value.toISOString() : unwritable();
}

/* JSON Schemas of Standard Schemas, as `StandardJSONSchemaV1` of https://standardschema.dev returns them. */

export type JsonSchema = Record<string, unknown>;

/** Options of a conversion. The only supported target is `draft-2020-12`. */
export interface JsonSchemaOptions {
  readonly target: string;
}

/** Compatible with `StandardSchemaV1` and `StandardJSONSchemaV1` of `@standard-schema/spec`. */
export interface StandardJsonSchema<Input, Output> {
  readonly "~standard": StandardSchema<Input, Output>["~standard"] & {
    readonly jsonSchema: {
      /** The JSON that requests accept. */
      readonly input: (options: JsonSchemaOptions) => JsonSchema;
      /** The JSON of a validated value. */
      readonly output: (options: JsonSchemaOptions) => JsonSchema;
    };
  };
}

/** The JSON Schema of a type. Its references start with `#/$defs/`. */
export interface Definition {
  readonly name: string;
  readonly schema: Readonly<JsonSchema>;
  /** The definitions to which the schema refers. */
  readonly uses: () => readonly Definition[];
}

/** `output` is undefined if validated values contain bigints or Dates. */
export function withJsonSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  input: Definition,
  output: Definition | undefined,
): StandardJsonSchema<Input, Output> {
  return {
    "~standard": {
      ...schema["~standard"],
      jsonSchema: {
        input: ({ target }) => documentOf(input, target),
        output: ({ target }) => {
          if (output !== undefined) return documentOf(output, target);
          throw new Error(
            `JSON Schema cannot describe the output of "${input.name}": it contains bigints or Dates.`,
          );
        },
      },
    },
  };
}

function documentOf({ schema, uses }: Definition, target: string): JsonSchema {
  if (target !== "draft-2020-12")
    throw new Error(`The JSON Schema target "${target}" is not supported. Use "draft-2020-12".`);
  const found = new Set(uses());
  // Iterating a Set includes elements added during the loop.
  for (const definition of found) for (const used of definition.uses()) found.add(used);
  const $defs = Object.fromEntries([...found].map((one) => [one.name, one.schema]));
  const whole = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schema,
    ...(found.size === 0 ? {} : { $defs }),
  };
  // A copy: callers may change what they get.
  return JSON.parse(JSON.stringify(whole));
}
