/** A filled request as text, for links and for the history: `network=polygon&form={"id":1}`, encoded. It contains no keys. */
import { keptOf, type Omitted } from "../form/kept.ts";
import { type JsonNode, JsonSyntaxError, parseJson, writeJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";

export interface FilledRequest {
  readonly body: JsonNode;
  /** Whether the body was edited as JSON. */
  readonly isJson: boolean;
  /** By name, such as `network`. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface SavedRequest {
  readonly text: string;
  readonly omitted: readonly Omitted[];
}

export function saveRequest(
  schema: Schema,
  shape: Shape,
  { body, isJson, settings }: FilledRequest,
): SavedRequest {
  const { node, omitted } = keptOf(schema, shape, body);
  const parts = new URLSearchParams({ ...settings, [isJson ? "json" : "form"]: writeJson(node) });
  return { text: parts.toString(), omitted };
}

/** The settings that a saved request may have: whether a value is one that this page could have saved. */
export type SettingChecks = Readonly<Record<string, (value: string) => boolean>>;

export interface ReadRequest {
  /** Undefined if the text has no body, or an invalid one. */
  readonly body: JsonNode | undefined;
  readonly isJson: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** What could not be used, as sentences. */
  readonly faults: readonly string[];
}

/** Reads any text: links are old, cut off, or written by hand. */
export function readRequest(schema: Schema, shape: Shape, text: string, checks: SettingChecks): ReadRequest {
  const settings: Record<string, string> = {};
  const faults: string[] = [];
  let body: JsonNode | undefined;
  let isJson = false;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === "form" || name === "json") {
      isJson = name === "json";
      try {
        const { node, omitted } = keptOf(schema, shape, parseJson(value));
        body = node;
        if (omitted.length > 0) faults.push(`Not used: ${omittedText(omitted)}.`);
      } catch (err) {
        if (!(err instanceof JsonSyntaxError)) throw err;
        faults.push(`The request is not valid JSON: ${err.message}.`);
      }
    } else if (Object.hasOwn(checks, name) && checks[name]?.(value) === true) settings[name] = value;
    else faults.push(`Not used: ${name}=${value}.`);
  }
  return { body, isJson, settings, faults };
}

/** Number of paths that are listed. */
const listedMax = 5;

/** `/code (private), /picture (file)` */
export function omittedText(omitted: readonly Omitted[]): string {
  const reasons = { private: "private", file: "file", undeclared: "not in the contract" };
  const listed = omitted
    .slice(0, listedMax)
    .map(({ path, reason }) => `${path === "" ? "the body" : path} (${reasons[reason]})`);
  const others = omitted.length - listedMax;
  return [...listed, ...(others > 0 ? [`${others} more`] : [])].join(", ");
}

/** Longest link, in characters: the length of a URL that every HTTP program should accept (RFC 9110, section 4.1). */
export const maxLinkLength = 8_000;

export type Link = { readonly url: string } | { readonly tooLong: number };

/** @param page The URL of the method's page. */
export function linkOf(page: string, saved: string): Link {
  const url = `${page}?${saved}`;
  return url.length > maxLinkLength ? { tooLong: url.length } : { url };
}
