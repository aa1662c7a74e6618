/** Advice after a failed call, shown at the field where a person can act on it. */
import { type FieldErrors, pointerOf } from "../form/request-body.ts";
import type { JsonNode } from "../json/node.ts";
import type { Ir, Schema } from "../schema/ir.ts";
import { type Shape, shapeOf } from "../schema/shape.ts";
import type { KeyInfo } from "./host-info.ts";

/** The body of an error response. */
export interface Failure {
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  readonly cause?: string;
  readonly status: number;
  /** Present if the request failed validation. */
  readonly issues?: readonly Issue[];
}

interface Issue {
  readonly message: string;
  /** Keys of objects and indexes of lists. */
  readonly path: readonly (string | number)[];
}

export interface AdviceContext {
  readonly network: string;
  readonly networks: readonly string[];
  /** The keys that the method requires, and the value typed for each. */
  readonly keys: readonly KeyInfo[];
  readonly keyValues: Readonly<Record<string, string>>;
  /** From the header Retry-After, in seconds. */
  readonly waitSeconds?: number;
}

/** Advice by position: `key:accessKey`, `network`, a JSON Pointer into the body, or "" for the response as a whole. */
export type Advice = FieldErrors;

export function adviceFor(failure: Failure, context: AdviceContext): Advice {
  const { code, status, msg, cause = "" } = failure;
  if (code === -2) return routeAdvice(context);
  if (code === -4) return bodyAdvice(failure);
  switch (status) {
    case 401:
    case 403:
      return keyAdvice(cause === "" ? msg : cause, context);
    case 429:
    case 503:
      return new Map([["", `${sentence(msg)} Try again in ${seconds(context.waitSeconds ?? 1)}.`]]);
    default:
      return /network|chain/i.test(cause) && context.network !== ""
        ? new Map([["network", sentence(cause)]])
        : new Map();
  }
}

/** @param command Starts the server. */
export function adviceForNoResponse(server: string, pageOrigin: string, command?: string): Advice {
  const start = command === undefined ? "" : `: ${command}`;
  const isForeign = new URL(server).origin !== pageOrigin;
  const cors = isForeign ? ` It must allow calls of pages from ${pageOrigin} (CORS).` : "";
  return new Map([["", `No response from ${server}. Check that the server runs${start}.${cors}`]]);
}

/** Finds the key that the error is about: its reason names the key. */
function keyAdvice(reason: string, { keys, keyValues }: AdviceContext): Advice {
  const isAboutSecretKey = /secret|account|Authorization|two keys/i.test(reason);
  const key = keys.find(({ isSecret }) => (isSecret === true) === isAboutSecretKey) ?? keys[0];
  if (key === undefined) return new Map([["", sentence(reason)]]);
  const isTyped = (keyValues[key.name] ?? "").trim() !== "";
  const shown = isTyped ? sentence(reason) : `${key.title} is missing.`;
  return new Map([[`key:${key.name}`, `${shown} ${key.help ?? "Paste a key here."}`.trim()]]);
}

function routeAdvice({ network, networks }: AdviceContext): Advice {
  if (network === "" || networks.length === 0 || networks.includes(network))
    return new Map([["", "This host does not have this method. Check which services it hosts."]]);
  return new Map([["network", `This host does not serve "${network}". It serves ${networks.join(", ")}.`]]);
}

function bodyAdvice({ cause = "", issues = [] }: Failure): Advice {
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

/** Replaces regular expressions in messages by examples: `expected text such as A-7, found "z"`. `valid`: example bodies. */
export function withExamples(
  failure: Failure,
  schema: Schema,
  request: Shape,
  valid: readonly JsonNode[],
): Failure {
  const { issues } = failure;
  if (issues === undefined) return failure;
  return {
    ...failure,
    issues: issues.map((issue) => {
      const { shape, nodes } = slotAt(schema, { shape: request, nodes: valid }, issue.path);
      const {
        pattern,
        example,
        default: fallback,
      } = shape.meta as Readonly<Record<string, string | undefined>>;
      if (pattern === undefined) return issue;
      const texts = [
        example,
        fallback,
        ...nodes.map((node) => (node.kind === "string" ? node.value : undefined)),
      ];
      const shown = texts.find((text) => text !== undefined && matches(text, pattern));
      return shown === undefined
        ? issue
        : { ...issue, message: issue.message.replace(`that matches ${pattern}`, () => `such as ${shown}`) };
    }),
  };
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

/** A place in a request, and the values that the examples have there. Of lists and maps, those of the first entry. */
interface Slot {
  readonly shape: Shape;
  readonly nodes: readonly JsonNode[];
}

function slotAt(schema: Schema, slot: Slot, [key, ...rest]: Issue["path"]): Slot {
  const { shape, nodes } = slot;
  if (key === undefined) return slot;
  const field = shape.kind === "struct" ? shape.fields.find(({ name }) => name === key) : undefined;
  const use = shape.kind === "list" ? shape.item : shape.kind === "map" ? shape.value : field?.reference;
  if (use === undefined) return { shape: { kind: "any", meta: {} }, nodes: [] };
  const inside = nodes.flatMap((node) => {
    if (node.kind === "array") return node.items.slice(0, 1);
    if (node.kind !== "object") return [];
    const entry = node.entries.find(([name]) => shape.kind === "map" || name === key);
    return entry === undefined ? [] : [entry[1]];
  });
  return slotAt(schema, { shape: shapeOf(schema, use), nodes: inside }, rest);
}

/** Moves each error to the nearest form field: an error inside a value without fields of its own is shown at that value. */
export function assignToFields(errors: FieldErrors, fields: ReadonlySet<string>): FieldErrors {
  const placed = new Map<string, string>();
  for (const [path, message] of errors) {
    let at = path;
    while (at.startsWith("/") && !fields.has(at)) at = at.slice(0, at.lastIndexOf("/"));
    const before = placed.get(at);
    const text = at === path ? message : `${path}: ${message}`;
    placed.set(at, before === undefined ? text : `${before} ${text}`);
  }
  return placed;
}

/** A message if the host's contract has changed since the page was loaded. Every response names the host's version. */
export function stalenessOf(
  headers: readonly (readonly [string, string])[],
  { name, version }: Pick<Ir, "name" | "version">,
): string | undefined {
  // `webrpc@v0.48.0;ridlkit@0.1.0;platform@v0.0.1`
  const header = headers.find(([key]) => key === "webrpc")?.[1] ?? "";
  const [hostName, hostVersion] = header.split(";").at(-1)?.split("@") ?? [];
  if (hostName !== name || hostVersion === undefined || hostVersion === version) return undefined;
  return `The host now has ${name} ${hostVersion}, but this page shows ${version}. Reload the page.`;
}
