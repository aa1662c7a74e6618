import { expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import { hashIr, writeIr } from "../../generator/language/ir/write.ts";
import type { Model } from "../../generator/language/model/model.ts";
import type { SourceReader } from "../../generator/language/source/reader.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { platformReader, platformYaml } from "../support/platform-yaml.ts";

function platform(path: string, reader: SourceReader): { readonly ir: string; readonly model: Model } {
  const { result, diagnostics } = compile(path, reader, { strict: true });
  expect(diagnostics).toEqual([]);
  if (result === undefined) throw new Error(`${path} is refused`);
  return { ir: writeIr(result.ir), model: result.model };
}

const ridl = platform("platform.ridl", platformReader);
const yaml = platform("platform.yaml", memoryReader({ "platform.yaml": platformYaml() }));

test("the contract in YAML has the IR and the hash of platform.ridl", () => {
  expect(yaml.ir).toBe(ridl.ir);
  expect(hashIr(yaml.ir)).toBe(hashIr(ridl.ir));
});

test("it says all that platform.ridl says, the documentation of enums and errors too", () => {
  expect(withoutPlaces(yaml.model)).toEqual(withoutPlaces(ridl.model));
});

/** A model as data, without the places in the texts. */
function withoutPlaces({ typeByName: _, ...rest }: Model): unknown {
  return dataOf(rest);
}

/** What is asked of an object by name, be it made when it is asked for or not. */
function dataOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dataOf);
  if (typeof value !== "object" || value === null) return value;
  const entries = [...namesOf(value)].map((name) => [name, dataOf(value[name as keyof typeof value])]);
  return Object.fromEntries(entries);
}

function namesOf(value: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = value; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  for (const name of ["constructor", "at", "node", "file"]) names.delete(name);
  return names;
}
