/** Checks that the contract cannot express but the database needs. Each returns an error message, or undefined. */

import { type Issue, type Issues, pointerOf } from "ridlkit-runtime/errors";
import { hasLoneSurrogate } from "ridlkit-runtime/json";
import { uint256Max } from "../../base/uint256.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import { isTimestamp } from "../records/project-page.ts";

const uint256Text = String(uint256Max);

/** Compares digits as text: of two numbers of 78 digits the larger one sorts later. */
export function uint256Error(field: string, value: string | undefined): string | undefined {
  return value !== undefined && value.length === uint256Text.length && value > uint256Text
    ? `/${field}: more than 2^256 - 1`
    : undefined;
}

/** Checks timestamps: Postgres rejects the year 0 and offsets of 16 hours and more. */
export function timestampError(
  line: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): string | undefined {
  for (const field of fields) {
    const value = line[field];
    if (typeof value !== "string") continue;
    const isPlain = value.endsWith("Z") && !value.startsWith("0000");
    if (!isPlain && !isTimestamp(value))
      return `/${field}: expected a timestamp between the years 1 and 9999`;
  }
  return undefined;
}

/** Deepest nesting that is checked. The contract rejects deeper values. */
const maxDepth = 72;

/**
 * Finds JSON that cannot be stored: NUL, lone surrogates, a key `__proto__`, and numbers above 1.8e308, which JavaScript parses as
 * `Infinity` and writes as `null`. Returns the path and the reason.
 */
export function jsonError(value: unknown, path = "", depthLeft: number = maxDepth): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\0")) return `${path}: U+0000 cannot be stored`;
    return hasLoneSurrogate(value) ? `${path}: a lone surrogate cannot be stored` : undefined;
  }
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : `${path}: a number above 1.8e308; write it as a string`;
  if (typeof value !== "object" || value === null) return undefined;
  if (depthLeft === 0) return `${path.slice(0, 64)}…: nested too deeply`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__") return `${path}: the key "__proto__" is not allowed`;
    const error = jsonError(key, `${path}/…`) ?? jsonError(inner, `${path}/${key}`, depthLeft - 1);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Matches escapes (needed for NUL and surrogates), the rejected key, and numbers with many digits or a large exponent. */
const suspicious = /\\u|__proto__|\d[eE]\+?\d\d|\d{300}/;

/** Whether a JSON text may contain what `jsonError` finds. Most texts need no deep check. */
export function mayHoldJsonError(text: string): boolean {
  return suspicious.test(text);
}

/** Chain ids by the names in lines, cached: lines of a file name few chains, many times. */
export class ChainLookup {
  readonly #networks: Networks;
  readonly #cache = new Map<string, number | undefined>();

  constructor(networks: Networks) {
    this.#networks = networks;
  }

  /** Undefined if this host does not serve the chain. */
  find(name: string): number | undefined {
    if (!this.#cache.has(name)) {
      // Bounds the cache for files of random names.
      if (this.#cache.size > 10_000) this.#cache.clear();
      this.#cache.set(name, this.#networks.find(name)?.chainId);
    }
    return this.#cache.get(name);
  }
}

export function chainNotServed(name: string): string {
  return `/chainId: this host does not serve "${name}"; add it to its networks`;
}

/** `/priceAmount: expected text that matches …, found nothing`; `expected an object, found 5` for the whole line. */
export function describeIssue({ path, message }: Issue): string {
  return path.length === 0 ? message : `${pointerOf(path)}: ${message}`;
}

export function describeIssues({ listed, more }: Issues): string {
  return [...listed.map(describeIssue), ...(more === 0 ? [] : [`and ${more} more`])].join("; ");
}
