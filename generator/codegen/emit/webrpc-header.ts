import type { Plan } from "../plan/plan.ts";

declare const RIDLKIT_VERSION: string;

/** The releases of webrpc whose schemas and wire format are covered. */
export const webrpcReleases = { oldest: "v0.42", newest: "v0.48" } as const;

/**
 * Returns `webrpc@v0.48.0;ridlkit@0.1.0;Platform@v0.0.1`. Removes separators and characters that headers cannot contain
 * from the names.
 */
export function webrpcHeader(plan: Plan): string {
  const version = typeof RIDLKIT_VERSION === "string" ? RIDLKIT_VERSION : "dev";
  const schema = schemaInHeader(plan);
  return `webrpc@${webrpcReleases.newest}.0;ridlkit@${version};${schema.name}@${schema.version}`;
}

/** Name and version of a schema as the header contains them. */
export function schemaInHeader({ schemaName, schemaVersion }: Plan): {
  readonly name: string;
  readonly version: string;
} {
  return { name: plain(schemaName), version: plain(schemaVersion) };
}

function plain(text: string): string {
  return text.replace(/[^!-~]|[;@]/g, "");
}
