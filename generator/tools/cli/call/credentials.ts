import { credentialNames } from "../../../language/model/credentials.ts";
import type { Schema } from "../config/schemas.ts";
import {
  credentialHeaders,
  credentialWords,
  customHeader,
  isKeyName,
} from "../servers/credential-headers.ts";

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

interface SecurityScheme {
  readonly type?: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

/** `accessKey` → `RIDLKIT_AUTH_ACCESS_KEY`. */
function variableOf(name: string): string {
  return `RIDLKIT_AUTH_${credentialWords(name).join("_").toUpperCase()}`;
}
