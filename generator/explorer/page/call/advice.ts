/** What to do about a failure, at the place where a person can do it. */
import { type FieldFaults, pointerOf } from "../form/wire.ts";
import type { KeyFact } from "./facts.ts";

/** The envelope of an error. */
export interface Failure {
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  readonly cause?: string;
  readonly status: number;
  /** Of a request that does not fit its type. */
  readonly issues?: readonly Issue[];
}

interface Issue {
  readonly message: string;
  /** Keys of objects and indexes of lists. */
  readonly path: readonly (string | number)[];
}

export interface Asked {
  readonly origin: string;
  readonly network: string;
  readonly networks: readonly string[];
  /** Those that the method names, and what was typed for each. */
  readonly keys: readonly KeyFact[];
  readonly keyTexts: Readonly<Record<string, string>>;
  /** Of the header Retry-After, in seconds. */
  readonly waitSeconds?: number;
}

/** Words by place: `key:accessKey`, `network`, a JSON Pointer of the body, or the answer as a whole under the empty text. */
export type Advice = FieldFaults;

export function adviceOn(failure: Failure, asked: Asked): Advice {
  switch (failure.code) {
    case 1000:
    case 1001:
    case 1002:
      return ofKeys(failure, asked);
    case 1007:
    case 1901:
      return new Map([["", `Too much at once. Try again in ${seconds(asked.waitSeconds ?? 1)}.`]]);
    case -2:
      return ofRoute(asked);
    case -4:
      return ofBody(failure);
    case 2000:
    case 2002:
      return /network|chain/i.test(failure.cause ?? "") && asked.network !== ""
        ? new Map([["network", sentence(failure.cause ?? "")]])
        : new Map();
    default:
      return new Map();
  }
}

export function adviceOnSilence(origin: string): Advice {
  return new Map([
    [
      "",
      `Nobody answers at ${origin}. Start the host again (npm start), or see whether it said why it ended; then send once more.`,
    ],
  ]);
}

/** Which of the keys it is about: causes name them. */
function ofKeys({ cause = "", code }: Failure, { keys, keyTexts }: Asked): Advice {
  const isOfSecret = /secret|account|Authorization|two keys/i.test(cause);
  const key = keys.find(({ isSecret }) => (isSecret === true) === isOfSecret) ?? keys[0];
  if (key === undefined) return new Map([["", sentence(cause)]]);
  const isTyped = (keyTexts[key.name] ?? "").trim() !== "";
  const reason =
    code === 1002 ? "This key has expired." : isTyped ? sentence(cause) : `${key.title} is missing.`;
  return new Map([[`key:${key.name}`, `${reason} ${key.help ?? "Paste one here."}`.trim()]]);
}

function ofRoute({ network, networks }: Asked): Advice {
  if (network === "" || networks.length === 0 || networks.includes(network))
    return new Map([["", "This host has no such method. Is the service among those that it hosts?"]]);
  return new Map([["network", `This host does not serve "${network}". It serves ${networks.join(", ")}.`]]);
}

function ofBody({ cause = "", issues = [] }: Failure): Advice {
  if (issues.length > 0)
    return new Map(issues.map(({ path, message }) => [pointerOf(path), sentence(message)]));
  return cause === "" ? new Map() : new Map([["", sentence(cause)]]);
}

function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase();
  return text === "" ? "" : `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function seconds(count: number): string {
  return count === 1 ? "a second" : `${count} seconds`;
}

/** The nearest field that there is: a fault inside of a value without fields of its own is shown at the value. */
export function placeFaults(faults: FieldFaults, fields: ReadonlySet<string>): FieldFaults {
  const placed = new Map<string, string>();
  for (const [path, words] of faults) {
    let at = path;
    while (at.startsWith("/") && !fields.has(at)) at = at.slice(0, at.lastIndexOf("/"));
    const before = placed.get(at);
    const told = at === path ? words : `${path}: ${words}`;
    placed.set(at, before === undefined ? told : `${before} ${told}`);
  }
  return placed;
}
