import type { AnnotationNode, MethodNode, ServiceNode } from "../syntax/tree.ts";
import type { AnnotationModel, MethodModel } from "./model.ts";
import { pagingName } from "./paging.ts";
import { resumeName } from "./resume.ts";

export const deprecatedName = "deprecated";
export const sunsetName = "sunset";

/** When a method was deprecated, and when it stops working, as `2027-01-31`: the start of the day in UTC. */
export interface DeprecationDates {
  readonly deprecated?: string;
  readonly sunset?: string;
}

export interface DateFault {
  readonly annotation: typeof deprecatedName | typeof sunsetName;
  readonly reason: string;
}

/** Reads `@deprecated:"2026-11-26, use Find"` and `@sunset:"2027-01-31"`. A fault excludes its date. */
export function readDeprecation(annotations: readonly AnnotationModel[]): {
  readonly dates: DeprecationDates;
  readonly faults: readonly DateFault[];
} {
  const faults: DateFault[] = [];
  const textOf = (wanted: string): string | undefined => {
    const found = annotations.find(({ name }) => name === wanted);
    return found && (found.value ?? "").trim();
  };
  // A reason without a date is common, so only what looks like a date is checked.
  const start = dateLike.exec(textOf(deprecatedName) ?? "")?.[0];
  const deprecated = start !== undefined && isDate(start) ? start : undefined;
  if (start !== undefined && deprecated === undefined)
    faults.push({ annotation: deprecatedName, reason: `"${start}" is not a date` });
  const value = textOf(sunsetName);
  const reason = value === undefined ? undefined : sunsetFault(value, deprecated);
  if (reason !== undefined) faults.push({ annotation: sunsetName, reason });
  return {
    dates: {
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(value === undefined || reason !== undefined ? {} : { sunset: value }),
    },
    faults,
  };
}

function sunsetFault(value: string, deprecated: string | undefined): string | undefined {
  if (!isDate(value)) return value === "" ? "it has no date" : `"${value}" is not a date`;
  // RFC 9745, section 4.
  return deprecated !== undefined && value < deprecated ? "it is before the deprecation" : undefined;
}

const dateLike = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?![0-9])/;

/** Whether a text is a day of the calendar: `2027-02-29` is not. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/* Reads `@cache`: how long caches may keep the response of a read. */

/** `@cache:"60s, public, vary X-Access-Key"`. */
export interface CacheRule {
  /** 0: caches ask the server each time. */
  readonly seconds: number;
  readonly scope: "public" | "private" | undefined;
  /** Names of request headers, as written. */
  readonly vary: readonly string[];
}

/** Why a text is not a rule. */
type CacheTextFault =
  | { readonly fault: "duration"; readonly text: string }
  | { readonly fault: "word"; readonly text: string; readonly reason: string };

/** Why `@cache` of a method has no effect. */
export type CacheFault = CacheTextFault | { readonly fault: "write" } | { readonly fault: "shared" };

/** What decides whether a method can be cached. */
export interface CachedMethod {
  readonly annotations: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly verb: string | undefined;
  readonly isStream: boolean;
  readonly takesFiles: boolean;
}

export const cacheName = "cache";

/** One year, the longest time that RFC 9111 and its predecessors recommend. */
const maxSeconds = 365 * 24 * 60 * 60;

const secondsOf = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;

/** Reads `@cache` of a method. Undefined if the method has none. */
export function readCache(method: CachedMethod): CacheRule | CacheFault | undefined {
  const { annotations, verb, isStream, takesFiles } = method;
  const annotation = annotations.find(({ name }) => name === cacheName);
  if (annotation === undefined) return undefined;
  const isReadonly = annotations.some(({ name }) => name === "readonly");
  const isRead =
    verb === undefined ? isReadonly && !isStream && !takesFiles : verb === "GET" || verb === "QUERY";
  if (!isRead) return { fault: "write" };
  const rule = cacheRuleOf(annotation.value);
  if ("fault" in rule || rule.scope === "private" || rule.vary.length > 0) return rule;
  const auth = annotations.find(({ name }) => name === "auth");
  const needsCredentials =
    auth !== undefined && (auth.value === undefined || credentialNames(auth.value).length > 0);
  return needsCredentials ? { fault: "shared" } : rule;
}

/** Returns the usable `@cache` of a method. */
export function cacheOf(method: MethodModel): CacheRule | undefined {
  const { annotations, route, streamInput, streamOutput, files } = method;
  const isStream = streamInput || streamOutput;
  const rule = readCache({ annotations, verb: route?.verb, isStream, takesFiles: files.length > 0 });
  return rule === undefined || "fault" in rule ? undefined : rule;
}

/** Reads the value of `@cache`. Undefined is an annotation without a value. */
function cacheRuleOf(value: string | undefined): CacheRule | CacheTextFault {
  const [duration = "", ...words] = (value ?? "").split(",").map((word) => word.trim());
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(duration) ?? [];
  const seconds = Number(digits) * secondsOf[unit as keyof typeof secondsOf];
  if (digits === "" || seconds > maxSeconds) return { fault: "duration", text: duration };
  let scope: CacheRule["scope"];
  const vary: string[] = [];
  for (const word of words) {
    const header = /^vary[ \t]+([\w!#$%&'+.^`|~-]+)$/.exec(word)?.[1];
    if (header !== undefined) vary.push(header);
    else if ((word === "public" || word === "private") && scope === undefined) scope = word;
    else return { fault: "word", text: word, reason: faultOfWord(word, scope) };
  }
  return { seconds, scope, vary };
}

function faultOfWord(word: string, scope: CacheRule["scope"]): string {
  if (word === scope) return "which is repeated";
  if (word === "public" || word === "private") return 'but "public" and "private" exclude each other';
  return /^vary([ \t]|$)/.test(word) ? "which needs the name of a header" : "which has no meaning there";
}

/** The value of the header `Cache-Control`. */
export function cacheControl({ seconds, scope }: CacheRule): string {
  const age = seconds === 0 ? "no-cache" : `max-age=${seconds}`;
  return scope === undefined ? age : `${scope}, ${age}`;
}

/** Annotation of a write whose calls may have an idempotency key. */
export const idempotencyKeyName = "idempotencyKey";

interface KeyedMethod {
  readonly annotations: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly verb: string | undefined;
  readonly isStream: boolean;
  readonly hasFiles: boolean;
}

/** Returns why `@idempotencyKey` of a method has no effect. */
export function keyFault({ annotations, verb, isStream, hasFiles }: KeyedMethod): string | undefined {
  const value = annotations.find(({ name }) => name === idempotencyKeyName)?.value ?? "";
  if (value !== "") return "the annotation has a value";
  const repeatable = annotations.find(({ name }) => name === "readonly" || name === "idempotent");
  if (repeatable !== undefined)
    return `calls can be repeated without a key, because it has "@${repeatable.name}"`;
  if (verb === "GET" || verb === "QUERY")
    return `calls can be repeated without a key, because it has a ${verb} route`;
  if (isStream) return "streams are not kept";
  return hasFiles ? "files are not kept" : undefined;
}

/** Annotation of a method that returns no schema error. An `errors` clause cannot be empty, so it needs its own syntax. */
export const noErrorsName = "noErrors";

export function hasValue({ value }: AnnotationNode): boolean {
  return value !== undefined && value.value !== "";
}

/**
 * Returns the errors that a method lists, without duplicates. Empty with `@noErrors` (ignored if it has a value); undefined
 * without either.
 */
export function listedErrors(method: MethodNode): readonly string[] | undefined {
  if (method.errors.length > 0) return [...new Set(method.errors.map(({ text }) => text))];
  const isMarked = method.annotations.some((one) => one.name.text === noErrorsName && !hasValue(one));
  return isMarked ? [] : undefined;
}

/** Returns the errors that at least one method of a service lists. */
export function errorsListedBy({ methods }: ServiceNode): readonly string[] {
  return [...new Set(methods.flatMap(({ errors }) => errors.map(({ text }) => text)))];
}

/** Splits the value of `@auth`: `accessKey,secretKey` → both names; undefined → none. */
export function credentialNames(auth: string | undefined): readonly string[] {
  return (auth ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** An annotation that ridlkit knows. Schemas may use any other one. */
export interface KnownAnnotation {
  readonly name: string;
  readonly meaning: string;
  readonly hasValue?: true;
  /** The hooks of a server decide what it means, as for all other names. */
  readonly hooks?: true;
}

export const knownAnnotations: readonly KnownAnnotation[] = [
  {
    name: deprecatedName,
    meaning: "still works; the text names the replacement, after a date if it has one",
    hasValue: true,
  },
  { name: sunsetName, meaning: "the day on which it stops working", hasValue: true },
  { name: "readonly", meaning: "changes no data" },
  { name: "idempotent", meaning: "safe to repeat" },
  { name: idempotencyKeyName, meaning: "safe to repeat with the same idempotency key" },
  { name: cacheName, meaning: "how long caches may keep the response", hasValue: true },
  { name: pagingName, meaning: "how a list is read page by page", hasValue: true },
  { name: resumeName, meaning: "how clients continue a broken stream", hasValue: true },
  { name: noErrorsName, meaning: "returns no errors of the schema" },
  { name: "internal", meaning: "not part of the public API", hooks: true },
  { name: "auth", meaning: "needs these credentials", hasValue: true, hooks: true },
  { name: "mcp", meaning: "agents may call it; mcp:off: they may not" },
];
