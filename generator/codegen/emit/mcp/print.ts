import type { Json } from "../../plan/json.ts";
import { literalValue } from "../text.ts";

/** JSON with properties that may be undefined. */
export type Data = Json | undefined | readonly Data[] | { readonly [key: string]: Data };

/** Prints data as code. Omits undefined properties. */
export function printData(data: Data): string {
  return literalValue(JSON.parse(JSON.stringify(data)) as Json);
}
