/**
 * The meta keys that ridlkit reads. Keys from JSON Schema keep their meaning there; the rest are specific to ridlkit. Keys of
 * other tools contain a dot (`go.tag.db`) and pass through unchanged; `unknown-keys.ts` has advice for all others.
 */
import * as formatTests from "../../../runtime/src/formats.ts";
import type { MetaNode } from "../../syntax/tree.ts";
import { isIdentifier } from "../names.ts";

/** The shape of a type behind its aliases, as far as meta keys distinguish shapes. */
export type Shape = "text" | "number" | "boolean" | "list" | "map" | "struct" | "other";

export interface MetaKey {
  /** Returns undefined if the value is valid, and a description of valid values otherwise. */
  readonly expected: (value: string) => string | undefined;
  /** How to choose a valid value. */
  readonly advice?: string;
  /** Shapes that the key applies to; absent means all. */
  readonly shapes?: readonly Shape[];
  /** Not allowed on a type alias: wire names belong to fields. */
  readonly fieldOnly?: true;
  /** Not allowed on a field. */
  readonly aliasOnly?: true;
  /** May be given more than once. */
  readonly repeatable?: true;
}

export type MetaKeyName =
  | "json"
  | "pattern"
  | "minimum"
  | "maximum"
  | "minLength"
  | "maxLength"
  | "minItems"
  | "maxItems"
  | "format"
  | "default"
  | "default.empty"
  | "example"
  | "deprecated"
  | "alias"
  | "twin"
  | "oneOf"
  | "when"
  | "accepts"
  | "normalize"
  | "nullable"
  | "secret"
  | "pii"
  | "renamedFrom"
  | "message"
  | "errorData"
  | "brand"
  | "omit"
  | "pick"
  | "partial";

/** JSON forms that `accepts` can add to the type's own form. */
export const acceptedForms = ["string", "integer", "number", "boolean"] as const;
export type AcceptedForm = (typeof acceptedForms)[number];

export const metaKeys: Readonly<Record<MetaKeyName, MetaKey>> = {
  json: { expected: () => undefined, fieldOnly: true },
  pattern: { expected: regex, shapes: ["text"] },
  minimum: { expected: number, shapes: ["number"] },
  maximum: { expected: number, shapes: ["number"] },
  minLength: { expected: count, shapes: ["text"] },
  maxLength: { expected: count, shapes: ["text"] },
  minItems: { expected: count, shapes: ["list", "map"] },
  maxItems: { expected: count, shapes: ["list", "map"] },
  format: { expected: anything, shapes: ["text", "number"] },
  default: { expected: anything },
  "default.empty": { expected: flag, shapes: ["text", "list", "map", "struct"] },
  example: { expected: anything, repeatable: true },
  deprecated: { expected: anything },
  alias: { expected: plainName, fieldOnly: true, repeatable: true },
  twin: { expected: plainName, fieldOnly: true, repeatable: true },
  oneOf: { expected: plainName, fieldOnly: true },
  when: { expected: condition, fieldOnly: true, repeatable: true },
  accepts: { expected: forms, shapes: ["text", "number", "boolean"] },
  normalize: { expected: oneOf("lowercase"), shapes: ["text"] },
  nullable: {
    expected: oneOf("read", "always"),
    advice: 'Write "read" if null means that the field is absent, and "always" if responses contain null.',
  },
  secret: { expected: flag },
  pii: { expected: flag },
  renamedFrom: { expected: plainName },
  message: { expected: text, shapes: ["text", "number", "boolean", "list", "map", "other"] },
  errorData: { expected: anything, shapes: ["struct"], aliasOnly: true },
  brand: { expected: flag, shapes: ["text", "number"], aliasOnly: true },
  omit: { expected: anything, shapes: ["struct"], aliasOnly: true, repeatable: true },
  pick: { expected: anything, shapes: ["struct"], aliasOnly: true, repeatable: true },
  partial: { expected: flag, shapes: ["struct"], aliasOnly: true },
};

export function isMetaKeyName(key: string): key is MetaKeyName {
  return Object.hasOwn(metaKeys, key);
}

/** Returns the definition of a meta line's key, if ridlkit reads that key. */
export function findMetaKey({ key }: MetaNode): MetaKey | undefined {
  return isMetaKeyName(key.text) ? metaKeys[key.text] : undefined;
}

/** A format that servers check, and `ridlkit test` in responses. */
interface CheckedFormat {
  /** Name of the function in `formats.ts` of the runtime. */
  readonly test: keyof typeof formatTests;
  /** `text that is …`, for issues. */
  readonly expected: string;
}

/** The formats that servers check in text. */
export const checkedFormats: Readonly<Record<string, CheckedFormat>> = {
  date: { test: "isDateText", expected: "a date such as 2026-02-28" },
  "date-time": { test: "isDateTimeText", expected: "a date and time such as 2026-02-28T09:30:00Z" },
  time: { test: "isTimeText", expected: "a time such as 09:30:00Z" },
  duration: { test: "isDurationText", expected: "a duration such as PT90M" },
  decimal: { test: "isDecimalText", expected: "a decimal number such as 12.50" },
  uuid: { test: "isUuid", expected: "a UUID" },
  email: { test: "isEmail", expected: "an email address" },
  hostname: { test: "isHostname", expected: "a host name" },
  ipv4: { test: "isIpv4", expected: "an IPv4 address" },
  ipv6: { test: "isIpv6", expected: "an IPv6 address" },
  uri: { test: "isUri", expected: "a URI such as https://example.com" },
};

/** The checked format of a text. */
export function checkedFormat(format: string | undefined): CheckedFormat | undefined {
  return format !== undefined && Object.hasOwn(checkedFormats, format) ? checkedFormats[format] : undefined;
}

/** Whether a text has a format, or the format is none that servers check. */
export function hasFormat(text: string, format: string | undefined): boolean {
  const checked = checkedFormat(format);
  return checked === undefined || tests.get(checked.test)?.(text) === true;
}

const tests = new Map(Object.entries(formatTests));

/**
 * Formats that JSON Schema or the OpenAPI format registry define. Generated documents contain them; servers check only
 * `checkedFormats`.
 */
export const knownFormats: readonly string[] = [
  ...["date", "date-time", "duration", "http-date", "time", "unixtime"],
  ...["email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6"],
  ...["iri", "iri-reference", "uri", "uri-reference", "uri-template", "uuid"],
  ...["json-pointer", "media-range", "regex", "relative-json-pointer"],
  ...["base64url", "binary", "byte", "char", "commonmark", "html", "password"],
  ...["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "double-int"],
  ...["decimal", "decimal128", "double", "float"],
];

/** Whether the format is known, or marked as one of the schema's own: `x-sku`, `acme.sku`. */
export function isFormat(name: string): boolean {
  return knownFormats.includes(name) || name.startsWith("x-") || name.includes(".");
}

function anything(): undefined {
  return undefined;
}

function text(value: string): string | undefined {
  return value === "" ? "a text" : undefined;
}

function flag(value: string): string | undefined {
  return value === "true" || value === "false" ? undefined : '"true" or "false"';
}

function count(value: string): string | undefined {
  return /^[0-9]+$/.test(value) && Number.isSafeInteger(Number(value)) ? undefined : "a whole number from 0";
}

function number(value: string): string | undefined {
  const isNumber = /^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(value) && Number.isFinite(Number(value));
  return isNumber ? undefined : "a number";
}

function regex(value: string): string | undefined {
  // Nothing matches "/^a$/".
  if (/^\/\^|(?<!\\)\$\/[dgimsuvy]*$/.test(value)) return "a regular expression without slashes around it";
  try {
    new RegExp(value, "u");
    return undefined;
  } catch {
    return "a regular expression (ECMA-262, unicode)";
  }
}

function plainName(value: string): string | undefined {
  return isIdentifier(value) ? undefined : 'a name of letters, digits and "_"';
}

/** Reads a condition: `kind.card` if the field is required, `kind.card?` if it may be absent. */
export function readCondition(text: string): {
  readonly kind: string;
  readonly value: string;
  readonly isOptional: boolean;
} {
  const [kind = "", value = ""] = text.replace(/[?]$/, "").split(".");
  return { kind, value, isOptional: text.endsWith("?") };
}

function condition(text: string): string | undefined {
  return /^\w+[.]\w+[?]?$/.test(text)
    ? undefined
    : "a field and a value of its enum, such as kind.card, or kind.card? if the field may be absent";
}

function forms(value: string): string | undefined {
  const known: ReadonlySet<string> = new Set(acceptedForms);
  return value.split(",").every((form) => known.has(form))
    ? undefined
    : `a list such as string,integer (from ${acceptedForms.join(", ")})`;
}

function oneOf(...options: readonly string[]): (value: string) => string | undefined {
  return (value) =>
    options.includes(value) ? undefined : options.map((option) => `"${option}"`).join(" or ");
}
