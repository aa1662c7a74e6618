import { coreNames } from "../element.ts";
import type { Mutation } from "../schema.ts";
import { blockOf, lineOf, mutation, pickElement, withRole } from "./edit.ts";
import { metaKeys, misspelt, namesOf, renamed, typeNames } from "./names.ts";
import { swapped } from "./punctuation.ts";
import { duplicated, removed } from "./structure.ts";
import { changed, put } from "./values.ts";

const topKeys: readonly string[] = "webrpc name version basepath imports types errors services".split(" ");
const innerKeys: readonly string[] =
  "fields enum values type methods input output errors annotations docs stream".split(" ");

/** The same mistakes in YAML, and some that only YAML allows. */
export const yamlMutations: readonly Mutation[] = [
  misspelt("yaml: typo in a section", ["keyword"], () => topKeys),
  misspelt("yaml: typo in a key", ["yaml-key"], () => innerKeys),
  misspelt("yaml: typo in a core type", ["core-type"], typeNames),
  misspelt("yaml: typo in a declared type", ["declared-type"], typeNames),
  misspelt("yaml: typo in the key of a map", ["map-key"], typeNames),
  misspelt("yaml: typo in the base of an enum", ["enum-base"], () => [
    "string",
    ...coreNames.filter((name) => /^u?int\d*$/.test(name)),
  ]),
  misspelt("yaml: typo in a listed error", ["error-reference"], (sites) => namesOf(sites, "error-name")),
  misspelt("yaml: typo in a meta key", ["meta-key"], () => metaKeys),
  renamed("yaml: typo in the name of a type", "declaration", ["declared-type", "map-key"]),
  renamed("yaml: typo in the name of an error", "error-name", ["error-reference"]),
  removed("yaml: a type that is gone", "declaration", ["declared-type", "map-key"]),
  removed("yaml: an error that is gone", "error-name", ["error-reference"]),
  duplicated("yaml: a field twice", ["field"], (schema, site) => blockOf(schema, site)),
  duplicated("yaml: a method twice", ["method"], (schema, site) => blockOf(schema, site)),
  duplicated("yaml: a type twice", ["declaration"], (schema, site) => blockOf(schema, site)),
  duplicated("yaml: an error twice", ["error-name"], (schema, site) => lineOf(schema, site)),
  mutation("yaml: the code of another error", (_, sites, random) => {
    const [first, second] = random.shuffle(withRole(sites, "error-code"));
    if (first === undefined || second === undefined) return undefined;
    return { path: first.path, start: first.start, end: first.end, text: second.text, also: [second] };
  }),
  put("yaml: a bad error code", ["error-code"], ["0", "-4", "1.5", "abc", "[1]"]),
  put("yaml: a bad status", ["error-status"], ["200", "99", "abc", "true"]),
  put("yaml: a bad map key", ["map-key"], ["bool", "float64", "any"]),
  put("yaml: a bad enum base", ["enum-base"], ["float64", "bool", "any"]),
  put("yaml: another webrpc version", ["header-value"], ["v2", "1"], ({ text }) => text === "v1"),
  put("yaml: a map for a type", ["core-type"], ["{}", "{ a: b }"]),
  changed(
    "yaml: a type name in lower case",
    ["declaration"],
    (text) => text.charAt(0).toLowerCase() + text.slice(1),
    ["declared-type", "map-key"],
  ),
  swapped("yaml: no colon", ":", ""),
  swapped("yaml: no opening brace", "{", ""),
  swapped("yaml: no closing brace", "}", ""),
  swapped("yaml: no opening bracket", "[", ""),
  swapped("yaml: no closing bracket", "]", ""),
  swapped("yaml: no quote", '"', ""),
  swapped("yaml: an equal sign for a colon", ":", "="),
  mutation("yaml: no blank behind a colon", (schema, sites, random) => {
    const blanks = withRole(sites, "sign").filter(({ path, text, end }) => {
      return text === ":" && schema.files[path]?.[end] === " ";
    });
    const site = pickElement(blanks, random, "sign");
    return site && { path: site.path, start: site.start, end: site.end + 1, text: ":" };
  }),
  mutation("yaml: one blank too many", (schema, sites, random) => {
    const site = pickElement(sites, random, "field", "declaration", "method", "yaml-key");
    if (site === undefined) return undefined;
    const { start } = lineOf(schema, site);
    return { path: site.path, start, end: start, text: " ", within: [0, site.end - start + 1] };
  }),
  mutation("yaml: one blank too few", (schema, sites, random) => {
    const site = pickElement(sites, random, "field", "declaration", "method", "yaml-key");
    if (site === undefined) return undefined;
    const { start } = lineOf(schema, site);
    return { path: site.path, start, end: start + 1, text: "", within: [0, site.end - start - 1] };
  }),
  mutation("yaml: a tab for indentation", (schema, sites, random) => {
    const site = pickElement(sites, random, "field", "declaration", "method", "yaml-key");
    if (site === undefined) return undefined;
    const { start } = lineOf(schema, site);
    return { path: site.path, start, end: start + 2, text: "\t" };
  }),
];
