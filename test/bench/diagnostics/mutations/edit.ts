import type { Random } from "../../../support/random.ts";
import type { Role, SchemaElement } from "../element.ts";
import { elementsOf } from "../elements.ts";
import type { EditSpan, Misspelling, Mutant, Mutation, Schema } from "../schema.ts";

/** One replacement in one file. */
export interface Edit {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a good report of the edit contains. */
export interface ExpectedReport {
  /** Position of the error, as offsets into the new text. Default: the whole new text. */
  readonly within?: readonly [start: number, end: number];
  /** Further positions of the error, in the text before the edit. */
  readonly also?: readonly SchemaElement[];
  readonly meant?: Misspelling;
}

/** Creates a mutation that picks one element and edits it. */
export function mutation(
  name: string,
  propose: (
    schema: Schema,
    sites: readonly SchemaElement[],
    random: Random,
  ) => (Edit & ExpectedReport) | undefined,
): Mutation {
  return {
    name,
    apply: (schema, random) => {
      const edit = propose(schema, elementsOf(schema), random);
      return edit && carriedOut(name, schema, edit);
    },
  };
}

function carriedOut(name: string, schema: Schema, edit: Edit & ExpectedReport): Mutant {
  const { path, start, end, text, within = [0, text.length], also = [], meant } = edit;
  const before = schema.files[path] ?? "";
  const shift = text.length - (end - start);
  const moved = (site: SchemaElement): EditSpan => {
    const by = site.path === path && site.start >= end ? shift : 0;
    return { path: site.path, start: site.start + by, end: site.end + by };
  };
  return {
    mutation: name,
    schema,
    files: { ...schema.files, [path]: before.slice(0, start) + text + before.slice(end) },
    at: { path, start: start + within[0], end: start + within[1] },
    also: also.map(moved),
    meant,
  };
}

/** Picks a random element with one of the roles. */
export function pickElement(
  sites: readonly SchemaElement[],
  random: Random,
  ...roles: readonly Role[]
): SchemaElement | undefined {
  const found = sites.filter(({ role }) => roles.includes(role));
  return found.length === 0 ? undefined : random.pick(found);
}

export function withRole(sites: readonly SchemaElement[], ...roles: readonly Role[]): SchemaElement[] {
  return sites.filter(({ role }) => roles.includes(role));
}

/** Start and end of a line, line break included. */
export function lineOf(
  { files }: Schema,
  { path, line }: SchemaElement,
): { readonly start: number; readonly end: number; readonly text: string } {
  const lines = (files[path] ?? "").split("\n");
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  const text = lines[line] ?? "";
  return { start, end: start + text.length + 1, text };
}

/** A declaration or an entry, with the deeper indented lines that belong to it. */
export function blockOf(
  schema: Schema,
  site: SchemaElement,
): { readonly start: number; readonly end: number; readonly text: string } {
  const lines = (schema.files[site.path] ?? "").split("\n");
  const margin = indentOf(lines[site.line] ?? "");
  let last = site.line + 1;
  while (last < lines.length && indentOf(lines[last] ?? "") > margin) last++;
  const start = lineOf(schema, site).start;
  const text = `${lines.slice(site.line, last).join("\n")}\n`;
  return { start, end: start + text.length, text };
}

/** An empty line ends a block. */
function indentOf(line: string): number {
  return line.trim() === "" ? -1 : line.length - line.trimStart().length;
}
