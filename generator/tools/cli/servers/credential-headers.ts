/** The headers that carry the credentials of `@auth`. */
import type { OpenapiOptions } from "../../../codegen/options.ts";
import { kebabCase } from "../../../codegen/plan/names.ts";
import type { KeyInfo } from "../../../explorer/page/call/host-info.ts";
import { credentialNames } from "../../../language/model/annotations.ts";
import type { MethodModel, Model } from "../../../language/model/model.ts";
import type { Schema } from "../config/schemas.ts";

/** The header of each credential in `@auth`, from `openapi.securitySchemes` of the configuration. */
export function credentialHeaders({ generation }: Schema): ReadonlyMap<string, string> {
  const schemes = Object.entries(generation?.openapi.securitySchemes ?? {});
  return new Map(
    schemes.flatMap(([name, scheme]): [string, string][] => {
      const found = headerOfScheme(scheme as SecurityScheme);
      return found === undefined ? [] : [[name, found.header]];
    }),
  );
}

/** Whether a credential without a security scheme has a header of its own: `accessKey`. */
export function isKeyName(name: string): boolean {
  return /key$/i.test(name);
}

/** The header of a credential without a security scheme: `accessKey` → `X-Access-Key`. */
export function customHeader(name: string): string {
  return ["X", ...credentialWords(name)].map(capitalized).join("-");
}

/** `accessKey` → `["access", "key"]`. */
export function credentialWords(name: string): readonly string[] {
  return kebabCase(name).split(/[-_]/);
}

/** The credentials of all methods, with the headers that carry them. */
export function keyInfos(
  { services }: Pick<Model, "services">,
  { securitySchemes = {} }: OpenapiOptions,
): readonly KeyInfo[] {
  const methods = services.flatMap((service): readonly MethodModel[] => service.methods);
  const values = methods.flatMap(({ annotations }) => annotations.filter(({ name }) => name === "auth"));
  const names = new Set(values.flatMap(({ value }) => credentialNames(value)));
  return [...names].map((name) => ({
    name,
    title: titleOf(name),
    ...headerOf(name, securitySchemes[name] as SecurityScheme | undefined),
  }));
}

type Header = Pick<KeyInfo, "header" | "prefix" | "isSecret">;

/** Of OpenAPI. The configuration copies it unchecked. */
export interface SecurityScheme {
  readonly type?: string;
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

/** Undefined for schemes that no known header carries. */
function headerOfScheme({ type, in: place, name, scheme }: SecurityScheme = {}): Header | undefined {
  if (type === "apiKey" && place === "header") return { header: String(name) };
  if (type === "apiKey" && place === "cookie") return { header: "Cookie", prefix: `${String(name)}=` };
  if (type !== "http") return undefined;
  return { header: "Authorization", prefix: `${capitalized(String(scheme))} `, isSecret: true };
}

/** Without such a security scheme, a common header: those that `mock` accepts. */
function headerOf(name: string, scheme: SecurityScheme | undefined): Header {
  const configured = headerOfScheme(scheme);
  if (configured !== undefined) return configured;
  if (isKeyName(name)) return { header: customHeader(name) };
  return { header: "Authorization", prefix: "Bearer ", isSecret: true };
}

/** `accessKey` → `Access key` */
function titleOf(name: string): string {
  return capitalized(credentialWords(name).join(" "));
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
