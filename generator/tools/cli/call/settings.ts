import { validateHeaderName, validateHeaderValue } from "node:http";
import { credentialNames } from "../../../language/model/annotations.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import type { schemaOptions } from "../options.ts";
import {
  credentialHeaders,
  credentialWords,
  customHeader,
  isKeyName,
  type SecurityScheme,
} from "../servers/credential-headers.ts";
import { addressMessage, readAddress, readHeaders } from "../servers/server-options.ts";

/** The options of `call`, in addition to those of all commands that read schemas. */
export const callOptions = {
  url: {
    kind: "text",
    value: "URL",
    description: "Base URL of the server, without the basepath of the schema",
  },
  schema: { kind: "text", value: "FILE", description: "Use this schema instead of the configuration's" },
  header: {
    kind: "texts",
    short: "H",
    value: "NAME:VALUE",
    description: "Header of the request; repeatable",
  },
  timeout: {
    kind: "text",
    value: "TIME",
    description: "Time limit, such as 500ms or 2m; default: 30s, none for files; 0: none",
  },
  include: { kind: "flag", short: "i", description: "Print status and headers of the response, too" },
  output: { kind: "text", short: "o", value: "FILE", description: "Write the response to FILE" },
  pretty: {
    kind: "flag",
    description: "Indent JSON (default in a terminal); --no-pretty prints one line",
  },
  check: { kind: "flag", description: "Check the request first (default); --no-check sends it as it is" },
  get: { kind: "flag", description: "Call a read with @cache by GET, so that caches can answer" },
  idempotencyKey: {
    kind: "text",
    value: "KEY",
    description: "Key of a call that may be repeated; default: a random one",
  },
  curl: { kind: "flag", description: "Print the call as a curl command instead" },
} as const;

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

/** A credential from the environment, and the header that carries it. */
export interface Credential {
  readonly header: string;
  /** `Bearer `, or nothing. */
  readonly prefix: string;
  /** The environment variable that holds the value. */
  readonly variable: string;
  readonly value: string;
}

export interface CredentialInput {
  /** Value of the method's annotation `@auth`. */
  readonly auth: string | undefined;
  /** Whether any method of the schema has `@auth`. */
  readonly isUsed: boolean;
  /** Absent if the schema came from a server. */
  readonly schema: Schema | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the credentials for a method: of each name in `@auth`, the value of RIDLKIT_AUTH_<NAME>, or of RIDLKIT_AUTH if there
 * is one name. Other methods get none, unless the schema does not use `@auth` at all.
 *
 * The header is that of the security scheme in the configuration. Otherwise, as in the explorer, it is a header such as
 * `X-Access-Key` if the name ends with "key", and `Authorization` for another name. Several other names get a header each.
 */
export function credentialsFor({ auth, isUsed, schema, env }: CredentialInput): readonly Credential[] {
  const names = credentialNames(auth);
  if (names.length === 0)
    return isUsed
      ? []
      : credentialOf({ name: "", header: "Authorization", variables: ["RIDLKIT_AUTH"] }, schema, env);
  const shared = names.length === 1 ? ["RIDLKIT_AUTH"] : [];
  const otherCount = names.filter((name) => !isKeyName(name)).length;
  return names.flatMap((name) => {
    const header = isKeyName(name) || otherCount > 1 ? customHeader(name) : "Authorization";
    return credentialOf({ name, header, variables: [variableOf(name), ...shared] }, schema, env);
  });
}

/** The variables that a method reads: `RIDLKIT_AUTH`, or one for each of several credentials. */
export function credentialVariables(auth: string | undefined): readonly string[] {
  const names = credentialNames(auth);
  return names.length > 1 ? names.map(variableOf) : ["RIDLKIT_AUTH"];
}

interface CredentialSource {
  /** In `@auth` and in the security schemes. */
  readonly name: string;
  /** Used if the configuration names none. */
  readonly header: string;
  readonly variables: readonly string[];
}

function credentialOf(
  { name, header, variables }: CredentialSource,
  schema: Schema | undefined,
  env: CredentialInput["env"],
): readonly Credential[] {
  const variable = variables.find((each) => env[each]);
  const value = variable === undefined ? undefined : env[variable];
  if (variable === undefined || value === undefined) return [];
  const used = (schema && credentialHeaders(schema).get(name)) ?? header;
  const scheme = schema?.generation?.openapi.securitySchemes?.[name];
  const prefix = scheme === undefined && used !== "Authorization" ? "" : prefixOf(scheme, value);
  return [{ header: used, prefix, variable, value }];
}

/** A token of the scheme "bearer" gets its prefix, unless the value already names a scheme. */
function prefixOf(scheme: unknown, value: string): string {
  const { type = "http", scheme: kind = "bearer", in: place, name } = (scheme ?? {}) as SecurityScheme;
  if (type === "apiKey") return place === "cookie" ? `${name}=` : "";
  return kind.toLowerCase() === "bearer" && !value.includes(" ") ? "Bearer " : "";
}

/** `accessKey` → `RIDLKIT_AUTH_ACCESS_KEY`. */
function variableOf(name: string): string {
  return `RIDLKIT_AUTH_${credentialWords(name).join("_").toUpperCase()}`;
}
