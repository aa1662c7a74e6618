/** What may stand in a log: nothing that is a secret, or about a person. */

import { hideUrlSecrets } from "../../base/url-secrets.ts";
import { NodeFault, RpcError } from "../../chain/rpc/nodes/faults.ts";

/**
 * Texts that are secrets wherever they stand: tokens, keys and passwords by their form, and addresses of mail. Each has a part that it
 * is never without, and most texts have none of these.
 */
const secretForms: readonly { readonly part: string; readonly pattern: RegExp }[] = [
  // JSON Web Tokens.
  { part: "eyJ", pattern: /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g },
  // Access keys: version byte 1 and a project id below 2^40.
  { part: "AQAAA", pattern: /\bAQAAA[\w-]{30}(?![\w-])/g },
  // Secrets of webhooks.
  { part: "whsec_", pattern: /\bwhsec_[\w+/=-]+/g },
  // User and password of an address.
  { part: "@", pattern: /(?<=:\/\/)[^\s/@"']+(?=@)/g },
  { part: "@", pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g },
];

/** Headers and settings that are secrets. Fields of the schema are added by their marks. */
const secretKeys = [
  "authorization",
  "x-access-key",
  "cookie",
  "password",
  "accesskey",
  "secretkey",
  "signingkey",
  "token",
  "databaseurl",
  "redisurl",
  "rpcurls",
];

/** What an error is made of in a log, beside its type. Anything else on it may be a row of the database. */
const errorKeys = ["code", "syscall", "severity", "routine", "table", "column", "constraint"];

const hidden = "[redacted]";
/** Longest text in a line, in characters. */
const textMax = 2_000;
const depthMax = 6;
const entriesMax = 100;

export interface RedactOptions {
  /** Names of the fields that the schema marks as secret or personal. */
  readonly fields: readonly string[];
  /** Whether the message of an error is told. It may quote anything, as a row that broke a rule, so only a sandbox tells it. */
  readonly errorMessages: boolean;
}

/** A copy that is fit for a log: values of secret fields are hidden at any depth, errors are cut down to their frames. */
export class Redactor {
  readonly #keys: ReadonlySet<string>;
  readonly #errorMessages: boolean;

  constructor({ fields, errorMessages }: RedactOptions) {
    this.#keys = new Set([...secretKeys, ...fields.map((field) => field.toLowerCase())]);
    this.#errorMessages = errorMessages;
  }

  value(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= depthMax) return "[deeper]";
    if (value instanceof Error) return this.error(value, depth);
    if (Array.isArray(value)) return value.slice(0, entriesMax).map((item) => this.value(item, depth + 1));
    return this.fields(value, depth);
  }

  fields(record: object, depth = 0): Record<string, unknown> {
    // Put together in place of `Object.fromEntries`, which takes several times as long. A key "__proto__" is left out by it.
    const told: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record).slice(0, entriesMax))
      told[key] = this.#keys.has(key.toLowerCase()) ? hidden : this.value(value, depth + 1);
    return told;
  }

  text(text: string): string {
    const cut = text.length > textMax ? `${text.slice(0, textMax)}…` : text;
    return secretForms.reduce(
      (rest, { part, pattern }) => (rest.includes(part) ? rest.replace(pattern, hidden) : rest),
      cut.includes("://") ? hideUrlSecrets(cut) : cut,
    );
  }

  /** Its type, its codes, the places in the code, and the same of what caused it. */
  error(error: Error, depth = 0): Record<string, unknown> {
    const told: Record<string, unknown> = { type: error.constructor.name };
    for (const key of errorKeys) {
      const value = (error as unknown as Readonly<Record<string, unknown>>)[key];
      if (typeof value === "string" || typeof value === "number") told[key] = value;
    }
    if (this.#errorMessages) told["message"] = this.text(error.message);
    // A provider's words about its own limits and keys: an operator cannot do without them.
    if (error instanceof NodeFault || error instanceof RpcError) told["reason"] = this.text(error.reason);
    told["frames"] = framesOf(error);
    if (error.cause !== undefined && depth < depthMax)
      told["cause"] = error.cause instanceof Error ? this.error(error.cause, depth + 1) : typeof error.cause;
    return told;
  }
}

/** Most frames that are told. */
const framesMax = 12;

/** `at read (file:///…/x.ts:3:5)`. The message stands in the stack too, and its lines may look like frames. */
function framesOf({ message, stack = "" }: Error): readonly string[] {
  const end = message === "" ? -1 : stack.indexOf(message);
  const rest = end === -1 ? stack : stack.slice(end + message.length);
  const lines = rest.split("\n").map((line) => line.trim());
  return lines.filter((line) => /^at .*(:\d+:\d+\)?|<anonymous>\)|native\))$/.test(line)).slice(0, framesMax);
}
