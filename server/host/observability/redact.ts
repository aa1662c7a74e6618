/** Removes secrets and personal data from log lines. */

import pg from "pg";
import { DatabaseFault, reasonOf, statementOf } from "../../base/storage/fault.ts";
import { hideUrlSecrets } from "../../base/url-secrets.ts";
import { NodeFault, NodeRpcError } from "../../chain/rpc/nodes/faults.ts";

/**
 * Secrets that are recognized in any text by their form: tokens, keys, passwords, and email addresses. `part` occurs in every
 * match and in few other texts, so most texts skip the pattern.
 */
const secretForms: readonly { readonly part: string; readonly pattern: RegExp }[] = [
  { part: "eyJ", pattern: /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g },
  // Access keys: version byte 1 and a project id below 2^40.
  { part: "AQAAA", pattern: /\bAQAAA[\w-]{30}(?![\w-])/g },
  { part: "whsec_", pattern: /\bwhsec_[\w+/=-]+/g },
  { part: "@", pattern: /(?<=:\/\/)[^\s/@"']+(?=@)/g },
  { part: "@", pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g },
];

/** Headers and settings that are secret. Fields that the schema marks are added. */
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

/** Properties of an error that are logged, in addition to its type. Other properties may hold a database row. */
const errorKeys = ["code", "syscall", "severity", "routine", "table", "column", "constraint"];

const hidden = "[redacted]";
const textMax = 2_000;
const depthMax = 6;
const entriesMax = 100;

export interface RedactOptions {
  /** Names of the fields that the schema marks as secret or personal. */
  readonly fields: readonly string[];
  /**
   * Whether error messages are logged. A message may quote anything, such as a row that broke a constraint, so only a sandbox
   * logs them.
   */
  readonly errorMessages: boolean;
}

/**
 * Makes a copy that is safe to log: hides the values of secret fields at any depth, and reduces errors to type, codes and frames.
 */
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
    // Several times as fast as `Object.fromEntries`. Assignment drops a key "__proto__".
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record).slice(0, entriesMax))
      copy[key] = this.#keys.has(key.toLowerCase()) ? hidden : this.value(value, depth + 1);
    return copy;
  }

  text(text: string): string {
    const cut = text.length > textMax ? `${text.slice(0, textMax)}…` : text;
    return secretForms.reduce(
      (rest, { part, pattern }) => (rest.includes(part) ? rest.replace(pattern, hidden) : rest),
      cut.includes("://") ? hideUrlSecrets(cut) : cut,
    );
  }

  /** Type, codes and stack frames of an error and of its causes. */
  error(error: Error, depth = 0): Record<string, unknown> {
    if (error instanceof DatabaseFault || error instanceof pg.DatabaseError)
      return this.#databaseError(error, depth);
    const copy: Record<string, unknown> = { type: error.constructor.name };
    for (const key of errorKeys) {
      const value = (error as unknown as ErrorFields)[key];
      if (typeof value === "string" || typeof value === "number") copy[key] = value;
    }
    // A provider's message about its limits and keys: operators need it.
    if (error instanceof NodeFault || error instanceof NodeRpcError) copy["reason"] = this.text(error.reason);
    else if (this.#errorMessages) copy["message"] = this.text(error.message);
    copy["frames"] = framesOf(error);
    if (error.cause !== undefined && depth < depthMax)
      copy["cause"] = error.cause instanceof Error ? this.error(error.cause, depth + 1) : typeof error.cause;
    return copy;
  }

  /** In one object and without frames, which are those of the driver: the statement says which code failed. */
  #databaseError(error: DatabaseFault | pg.DatabaseError, depth: number): Record<string, unknown> {
    const { cause, message } = error;
    // The bundler renames the driver's class.
    const copy: Record<string, unknown> = {
      type: error instanceof DatabaseFault ? error.name : "DatabaseError",
    };
    const reported = (error instanceof DatabaseFault ? cause : error) as ErrorFields | undefined;
    for (const key of databaseKeys) {
      const value = reported?.[key];
      if (typeof value === "string") copy[key] = value;
    }
    const statement = statementOf(error);
    if (statement !== undefined) copy["statement"] = statement;
    const reason = reasonOf(error);
    if (this.#errorMessages) copy["message"] = this.text(message);
    else if (reason !== undefined) copy["reason"] = this.text(reason);
    if (cause instanceof Error && !isDriverError(cause) && depth < depthMax)
      copy["cause"] = this.error(cause, depth + 1);
    return copy;
  }
}

type ErrorFields = Readonly<Record<string, unknown>>;

/** Properties of a database driver's error that are logged. */
const databaseKeys = ["code", "table", "column", "constraint"];

/** Errors of the driver are a plain Error, or have a code. Other causes say more. */
function isDriverError(error: Error): boolean {
  return error.constructor === Error || "code" in error;
}

const framesMax = 12;

/** `at read (file:///…/x.ts:3:5)`. The stack also contains the message, whose lines may look like frames. */
function framesOf({ message, stack = "" }: Error): readonly string[] {
  const end = message === "" ? -1 : stack.indexOf(message);
  const rest = end === -1 ? stack : stack.slice(end + message.length);
  const lines = rest.split("\n").map((line) => line.trim());
  return lines.filter((line) => /^at .*(:\d+:\d+\)?|<anonymous>\)|native\))$/.test(line)).slice(0, framesMax);
}
