import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { convert } from "../../generator/language/convert/convert.ts";
import type { SourceReader } from "../../generator/language/source/reader.ts";

/** Reads the platform's contract: `platform.ridl` and its imports. */
export const platformReader: SourceReader = {
  read: (path) => ({
    kind: "bytes",
    bytes: readFileSync(fileURLToPath(new URL(`../../schema/${path}`, import.meta.url))),
  }),
};

/** The platform's contract in YAML, in one file. */
export function platformYaml(): string {
  const { text } = convert("platform.ridl", platformReader, { to: "yaml", bundle: true });
  if (text === undefined) throw new Error("platform.ridl cannot be converted");
  return text;
}
