import { expect } from "vitest";
import { type Compilation, compile } from "../../../generator/language/compile.ts";
import { convert } from "../../../generator/language/convert/convert.ts";
import { hashIr, writeIr } from "../../../generator/language/ir/write.ts";
import { format } from "../../../generator/language/ridl/format.ts";
import { SourceFile } from "../../../generator/language/source/source-file.ts";
import { type Files, memoryReader } from "../../support/memory-reader.ts";

/**
 * A rule of webrpc after v0.44, which the recorded parser does not know: the fact, the schema below its header, and the expected
 * diagnostics as codes. Without an error the schema is accepted.
 */
export type NewerRow = readonly [fact: string, text: string, ...codes: string[]];

export const newerHeader = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

export function hashOf({ result }: Compilation): string | undefined {
  return result && hashIr(writeIr(result.ir));
}

/** Compiles m.ridl. Its formatted text, its IR and its YAML have the same hash. */
export function expectSameInEachForm(files: Files & { readonly "m.ridl": string }): void {
  const { result } = compile("m.ridl", memoryReader(files));
  if (result === undefined) throw new Error("The schema has errors.");
  const ir = writeIr(result.ir);
  const hashes = (texts: Files, entry: string): string | undefined =>
    hashOf(compile(entry, memoryReader({ ...files, ...texts })));
  const formatted = format(new SourceFile("m.ridl", files["m.ridl"])).text ?? "";
  expect(hashes({ "m.ridl": formatted }, "m.ridl")).toBe(hashIr(ir));
  expect(format(new SourceFile("m.ridl", formatted)).text).toBe(formatted);
  expect(hashes({ "m.json": ir }, "m.json")).toBe(hashIr(ir));
  const yaml = convert("m.ridl", memoryReader(files), { to: "yaml" });
  expect(yaml.diagnostics.filter(({ name }) => name !== "convert-order")).toEqual([]);
  const back = convert("m.yaml", memoryReader({ ...files, "m.yaml": yaml.text ?? "" }), { to: "ridl" });
  expect(hashes({ "m.ridl": back.text ?? "" }, "m.ridl")).toBe(hashIr(ir));
}
