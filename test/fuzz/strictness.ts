import { compile } from "../../generator/language/compile.ts";
import { memoryReader } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";
import type { Reference } from "../support/reference.ts";
import { randomSchema } from "./random-schema.ts";

export interface StricterVerdicts {
  /** Number of schemas that the reference accepts. */
  readonly accepted: number;
  /** Codes of errors in such schemas, each with the first schema. */
  readonly codes: ReadonlyMap<string, string>;
  /** The same for the drop-in. */
  readonly dropInCodes: ReadonlyMap<string, string>;
}

/** Finds the errors of ridlkit in random schemas that the reference accepts. */
export async function findStricterVerdicts(
  random: Random,
  reference: Reference,
  count: number,
): Promise<StricterVerdicts> {
  const codes = new Map<string, string>();
  const dropInCodes = new Map<string, string>();
  const schemas = Array.from({ length: count }, () => randomSchema(random, { enumKeys: true }));
  const answers = schemas.map(({ path, files }) => {
    const known = Object.entries(files).map(([name, text]) => [name, withoutEnumKeys(text)]);
    return reference.ask({ kind: "ridl", path, files: Object.fromEntries(known) });
  });
  let accepted = 0;
  for (const [index, { path, files }] of schemas.entries()) {
    if ((await answers[index])?.verdict !== "ok") continue;
    accepted++;
    for (const [found, options] of [
      [codes, {}],
      [dropInCodes, { lenient: true }],
    ] as const) {
      for (const { severity, code } of compile(path, memoryReader(files), options).diagnostics)
        if (severity === "error" && !found.has(code)) found.set(code, files[path] ?? "");
    }
  }
  return { accepted, codes, dropInCodes };
}

/** Removes the keys of enum values, which the reference does not know before v0.47. */
function withoutEnumKeys(text: string): string {
  let isInEnum = false;
  const lines = text.split("\n").filter((line) => {
    const [, keyword] =
      /^\s*(webrpc|name|version|basepath|import|enum|struct|type|error|service)\b/.exec(line) ?? [];
    if (keyword !== undefined) isInEnum = keyword === "enum";
    return !isInEnum || !/^\s*\+/.test(line);
  });
  return lines.join("\n");
}
