import type { Plan } from "../plan/plan.ts";

declare const RIDLKIT_VERSION: string;

/** The version of webrpc whose wire format is spoken. */
const webrpcVersion = "v0.44.0";

/** `webrpc@v0.44.0;ridlkit@0.1.0;Platform@v0.0.1`. What would break the list, or is no letter of a header, is left out. */
export function webrpcHeader({ schemaName, schemaVersion }: Plan): string {
  const version = typeof RIDLKIT_VERSION === "string" ? RIDLKIT_VERSION : "dev";
  return `webrpc@${webrpcVersion};ridlkit@${version};${plain(schemaName)}@${plain(schemaVersion)}`;
}

function plain(text: string): string {
  return text.replace(/[^!-~]|[;@]/g, "");
}
