import { kebabCase } from "../../../codegen/plan/names.ts";
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
