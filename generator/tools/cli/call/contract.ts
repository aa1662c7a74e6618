import { type Compilation, compile } from "../../../language/compile.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Schema } from "../config/schemas.ts";
import { noResponseText } from "../servers/connection-failure.ts";
import { sendHttp } from "./http-transport.ts";

/** Where servers that publish their contract serve its IR. */
const paths = ["/schema.json", "/explorer/schema.json"];

/** Time limit for each path, in milliseconds. */
const timeoutMs = 10_000;

/** Compiles the schema of a file. Warnings are for `lint`. */
export function compileFile(schema: Schema, reader: SourceReader): Compilation {
  return compile(schema.path, reader, { ...schema, errorsOnly: !schema.strict });
}

/** Compiles the schema that a server publishes. Returns a message if there is none. */
export async function fetchContract(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Compilation | string> {
  const refusals: string[] = [];
  for (const path of paths) {
    const found = await fetchText(`${address}${path}`, headers);
    if (found.kind === "unreachable") return noResponseText(address, found.error);
    if (found.kind === "text")
      return compile(
        "schema.json",
        { read: () => ({ kind: "bytes", bytes: Buffer.from(found.text) }) },
        { errorsOnly: true },
      );
    refusals.push(`${path} (${found.reason})`);
  }
  return `${visible(address)} serves no schema: neither ${refusals.join(" nor ")}. Name the schema with --schema FILE.`;
}

type Fetched =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly error: unknown };

async function fetchText(url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await sendHttp(url, { method: "GET", headers: { ...headers }, body: null, signal });
    const text = await response.text();
    if (response.status !== 200) return { kind: "unusable", reason: `HTTP ${response.status}` };
    return /^\s*\{/.test(text) ? { kind: "text", text } : { kind: "unusable", reason: "not JSON" };
  } catch (err) {
    return { kind: "unreachable", error: err };
  }
}
