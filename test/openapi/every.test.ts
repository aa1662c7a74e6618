/** The schema whose clients are generated has every feature of the language. */
import { expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import { knownAnnotations } from "../../generator/language/model/annotations.ts";
import { coreTypeNames } from "../../generator/language/model/core-types.ts";
import { acceptedForms, metaKeys } from "../../generator/language/model/meta/keys.ts";
import { routeVerbs } from "../../generator/language/syntax/route-verbs.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { everySchema } from "./servers.ts";

test("it has no errors", () => {
  const { diagnostics } = compile("every.ridl", memoryReader({ "every.ridl": everySchema }));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test.each([
  ["core type", coreTypeNames, (name: string) => new RegExp(`[:,>\\]] ?${name}\\b`)],
  [
    "meta key",
    Object.keys(metaKeys),
    (name: string) => new RegExp(`^ +[+] ${name.replace(".", "[.]")} = `, "m"),
  ],
  ["form", acceptedForms, (name: string) => new RegExp(`[+] accepts = .*\\b${name}\\b`)],
  [
    "annotation",
    knownAnnotations.map(({ name }) => name),
    (name: string) => new RegExp(`^ +.*@${name}\\b`, "m"),
  ],
  ["verb", routeVerbs, (name: string) => new RegExp(`^    ${name} /`, "m")],
  ["kind", ["enum", "struct", "type", "error", "service"], (name: string) => new RegExp(`^${name} `, "m")],
  [
    "form of values",
    ["file", "\\[\\]file", "\\[\\]", "map<", "stream \\(", "=> \\(file\\)", "[?]: "],
    (name: string) => new RegExp(name),
  ],
])("it has every %s", (_what, names, pattern) => {
  expect(names.filter((name) => !pattern(name).test(everySchema))).toEqual([]);
});
