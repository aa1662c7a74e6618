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
      const { type, in: place, name: header } = scheme as Readonly<Record<string, unknown>>;
      if (type === "apiKey" && place === "header") return [[name, String(header)]];
      if (type === "apiKey" && place === "cookie") return [[name, "Cookie"]];
      return type === "http" ? [[name, "Authorization"]] : [];
    }),
  );
}

/** Whether a credential without a security scheme has a header of its own: `accessKey`. */
export function isKeyName(name: string): boolean {
  return /key$/i.test(name);
}

/** The header of a credential without a security scheme: `accessKey` → `X-Access-Key`. */
export function customHeader(name: string): string {
  return ["X", ...credentialWords(name)]
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("-");
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
    ...headerOf(name, securitySchemes[name] as Readonly<Record<string, unknown>> | undefined),
  }));
}

type Header = Pick<KeyInfo, "header" | "prefix" | "isSecret">;

/** Without a security scheme, a common header: those that `mock` accepts. */
function headerOf(name: string, scheme: Readonly<Record<string, unknown>> = {}): Header {
  const { type, in: place, name: header, scheme: kind } = scheme;
  if (type === "apiKey" && place === "header") return { header: String(header) };
  if (type === "apiKey" && place === "cookie") return { header: "Cookie", prefix: `${String(header)}=` };
  if (type === "http")
    return { header: "Authorization", prefix: `${capitalized(String(kind))} `, isSecret: true };
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
