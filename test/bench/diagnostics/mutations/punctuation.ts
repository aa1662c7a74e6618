import type { SchemaElement } from "../element.ts";
import type { Mutation } from "../schema.ts";
import { lineOf, mutation, pickElement, withRole } from "./edit.ts";

/** Punctuation that is left out, added, or taken from another language. */
export const punctuationMutations: readonly Mutation[] = [
  dropped("no dash", "-"),
  dropped("no colon", ":"),
  dropped("no opening parenthesis", "("),
  dropped("no closing parenthesis", ")"),
  dropped("no opening bracket", "["),
  dropped("no closing bracket", "]"),
  dropped("no opening angle bracket", "<"),
  dropped("no closing angle bracket", ">"),
  dropped("no arrow", "=>"),
  dropped("no equal sign", "="),
  dropped("no comma", ","),
  dropped("no bar between errors", "|"),
  dropped("no quote", '"'),
  dropped("no plus", "+"),
  swapped("a thin arrow", "=>", "->"),
  swapped("a colon for an arrow", "=>", ":"),
  swapped("an equal sign for a colon", ":", "="),
  swapped("a colon for an equal sign", "=", ":"),
  swapped("a single quote", '"', "'"),
  swapped("a star for a dash", "-", "*"),
  mutation("a blank before a colon", (_, sites, random) => {
    const site = pickElement(signs(sites, ":"), random, "sign");
    return site && { path: site.path, start: site.start, end: site.start, text: " " };
  }),
  appended("a semicolon at the end of a line", ["field", "method", "enum-value"], ";"),
  appended("a comma at the end of a line", ["field", "enum-value"], ","),
  appended("a brace after a name", ["declaration", "service-name"], " {"),
  appended("a slash comment", ["field", "method", "enum-value"], " // why not"),
  mutation("no indentation", (schema, sites, random) => {
    const site = pickElement(sites, random, "field", "method", "enum-value");
    if (site === undefined) return undefined;
    const { start, text } = lineOf(schema, site);
    return { path: site.path, start, end: start + (text.length - text.trimStart().length), text: "" };
  }),
  mutation("a line broken in two", (_, sites, random) => {
    const site = pickElement(sites, random, "core-type", "declared-type", "error-reference");
    return site && { path: site.path, start: site.start, end: site.start, text: "\n" };
  }),
  mutation("two lines joined", (schema, sites, random) => {
    const site = pickElement(sites, random, "field", "enum-value", "method");
    if (site === undefined) return undefined;
    const { end } = lineOf(schema, site);
    return end >= (schema.files[site.path] ?? "").length
      ? undefined
      : { path: site.path, start: end - 1, end, text: " " };
  }),
];

function signs(sites: readonly SchemaElement[], text: string): SchemaElement[] {
  return withRole(sites, "sign").filter((site) => site.text === text);
}

function dropped(name: string, sign: string): Mutation {
  return swapped(name, sign, "");
}

export function swapped(name: string, sign: string, text: string): Mutation {
  return mutation(name, (_, sites, random) => {
    const site = pickElement(signs(sites, sign), random, "sign");
    return site && { path: site.path, start: site.start, end: site.end, text };
  });
}

function appended(name: string, roles: readonly SchemaElement["role"][], text: string): Mutation {
  return mutation(name, (schema, sites, random) => {
    const site = pickElement(sites, random, ...roles);
    if (site === undefined) return undefined;
    const { start, text: line } = lineOf(schema, site);
    const at = start + line.trimEnd().length;
    return { path: site.path, start: at, end: at, text };
  });
}
