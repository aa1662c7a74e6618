import type { OpenapiOptions } from "../../../codegen/emit/openapi/options.ts";
import type { KeyInfo } from "../../../explorer/page/call/host-info.ts";
import { credentialNames } from "../../../language/model/credentials.ts";
import type { MethodModel, Model } from "../../../language/model/model.ts";
import { credentialWords, customHeader, isKeyName } from "./credential-headers.ts";

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
