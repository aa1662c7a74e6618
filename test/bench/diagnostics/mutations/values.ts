import type { Role, SchemaElement } from "../element.ts";
import type { Mutation } from "../schema.ts";
import { mutation, pickElement, withRole } from "./edit.ts";

/** Well-formed values and names that break a rule. */
export const valueMutations: readonly Mutation[] = [
  put("a bad error code", ["error-code"], ["0", "-4", "1.5", "abc", "0x10", "12a", ""]),
  put("a bad status", ["error-status"], ["200", "99", "600", "abc", "4o4", "-1", ""]),
  put("a bad map key", ["map-key"], ["bool", "float64", "any", "timestamp", "[]string"]),
  put("a bad enum base", ["enum-base"], ["float64", "bool", "any", "bigint", "[]string"]),
  put("a type word of the grammar", ["core-type"], ["stream", "struct"]),
  put(
    "a type of no form",
    ["core-type"],
    ["string[]", "int|string", "Array<string>", "map<string>", "string?"],
  ),
  put("another webrpc version", ["header-value"], ["v2", "1"], (site) => site.text === "v1"),
  put("a bad basepath", ["header-value"], ["https://x.example/rpc", '"/a b"', "/rpc?x=1"], ({ text }) =>
    text.startsWith("/"),
  ),
  changed(
    "a type name in lower case",
    ["declaration"],
    (text) => text.charAt(0).toLowerCase() + text.slice(1),
    ["declared-type", "map-key"],
  ),
  changed(
    "an error name in lower case",
    ["error-name"],
    (text) => text.charAt(0).toLowerCase() + text.slice(1),
    ["error-reference"],
  ),
  changed("a reserved error name", ["error-name"], (text) => `Webrpc${text}`, ["error-reference"]),
  changed("a dash in a name", ["field", "enum-value"], (text) => `${text}-x`, []),
  changed("a digit before a name", ["field", "enum-value"], (text) => `1${text}`, []),
  changed("a blank in a name", ["field"], (text) => `${text} x`, []),
  mutation("an annotation twice", (_, sites, random) => {
    const site = pickElement(sites, random, "annotation");
    return (
      site && {
        path: site.path,
        start: site.start - 1,
        end: site.start - 1,
        text: `@${site.text} `,
        also: [site],
      }
    );
  }),
  mutation("one side succinct", (schema, sites, random) => {
    const site = pickElement(succinctSides(schema.files, sites), random, "declared-type");
    if (site === undefined) return undefined;
    const other = succinctSides(schema.files, sites).filter(({ path, line, start }) => {
      return path === site.path && line === site.line && start !== site.start;
    });
    return { path: site.path, start: site.start, end: site.end, text: `value: ${site.text}`, also: other };
  }),
  mutation("an argument without a type", (_, sites, random) => {
    const site = pickElement(sites, random, "argument");
    return site && { path: site.path, start: site.start, end: site.start, text: "extra, " };
  }),
  mutation("another word for errors", (schema, sites, random) => {
    const references = withRole(sites, "error-reference").filter(({ path, start }) =>
      (schema.files[path] ?? "").slice(0, start).endsWith(" errors "),
    );
    const site = pickElement(references, random, "error-reference");
    if (site === undefined) return undefined;
    const start = site.start - "errors ".length;
    const word = random.pick(["error", "throws", "erorrs", "error:"]);
    return { path: site.path, start, end: site.start - 1, text: word };
  }),
];

export function put(
  name: string,
  roles: readonly Role[],
  values: readonly string[],
  fits: (site: SchemaElement) => boolean = () => true,
): Mutation {
  return mutation(name, (_, sites, random) => {
    const site = pickElement(sites.filter(fits), random, ...roles);
    return site && { path: site.path, start: site.start, end: site.end, text: random.pick(values) };
  });
}

export function changed(
  name: string,
  roles: readonly Role[],
  change: (text: string) => string,
  uses: readonly Role[],
): Mutation {
  return mutation(name, (_, sites, random) => {
    const site = pickElement(sites, random, ...roles);
    if (site === undefined) return undefined;
    const also = withRole(sites, ...uses).filter(({ text }) => text === site.text);
    return { path: site.path, start: site.start, end: site.end, text: change(site.text), also };
  });
}

function succinctSides(
  files: Readonly<Record<string, string>>,
  sites: readonly SchemaElement[],
): SchemaElement[] {
  return withRole(sites, "declared-type").filter(({ path, start, end }) => {
    const text = files[path] ?? "";
    return text[start - 1] === "(" && text[end] === ")";
  });
}
