import { validateHeaderName, validateHeaderValue } from "node:http";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import type { schemaOptions } from "../options.ts";
import { addressMessage, readAddress, readHeaders } from "../servers/server-options.ts";
import type { callOptions } from "./options.ts";

export type CallCall = CommandCall<typeof callOptions & typeof schemaOptions>;

/** Where and how to call. */
export interface CallSettings {
  /** Without a slash at the end. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In milliseconds. 0: no limit. Undefined: the default of the client. */
  readonly timeoutMs: number | undefined;
}

/** Reads options, environment and configuration. Returns a message if a setting is invalid. */
export function readSettings({ options, env }: CallCall, schema: Schema | undefined): CallSettings | string {
  const server = schema?.generation?.openapi.servers?.[0]?.url;
  const [where, url] =
    options.url !== undefined
      ? (["--url", options.url] as const)
      : env["RIDLKIT_URL"]
        ? (["RIDLKIT_URL", env["RIDLKIT_URL"]] as const)
        : (["openapi.servers", server] as const);
  if (url === undefined)
    return "Missing server: use --url http://HOST:PORT, RIDLKIT_URL, or openapi.servers in the configuration.";
  const address = readAddress(url);
  if (address === undefined) return addressMessage(where, url);
  const headers = readHeaders(options.header ?? []);
  if (headers === undefined) return "--header takes NAME:VALUE, such as X-Access-Key:abc.";
  const bad = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  if (bad !== undefined) return `The header "${bad[0]}" contains characters that HTTP does not allow.`;
  const timeoutMs = options.timeout === undefined ? undefined : readTime(options.timeout);
  if (options.timeout !== undefined && timeoutMs === undefined)
    return `--timeout takes a time such as 500ms, 30s or 2m, or 0 for no limit; found "${options.timeout}".`;
  return { address, headers, timeoutMs };
}

export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Parses `500ms`, `1.5s`, `2m` or `0` to milliseconds. Undefined if the text is invalid. */
function readTime(text: string): number | undefined {
  if (text === "0") return 0;
  const [, number, unit = ""] = /^([0-9]{1,6}(?:[.][0-9]{1,3})?)(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(number) * (units[unit] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}
