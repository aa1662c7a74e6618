import type { Json } from "../../plan/json.ts";
import { literalKey, literalValue } from "../text.ts";

/** Data whose absent parts are undefined. */
export type Data = Json | undefined | readonly Data[] | { readonly [key: string]: Data };

/** Prints data as code, without the absent parts. */
export function printData(data: string, form: "key"): string;
export function printData(data: Data): string;
export function printData(data: Data, form?: "key"): string {
  return form === "key" ? literalKey(data as string) : literalValue(withoutAbsent(data));
}

function withoutAbsent(data: Data): Json {
  return JSON.parse(JSON.stringify(data)) as Json;
}
