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
