import type { Random } from "../../../support/random.ts";
import type { Meant, Mutant, Mutation, Place, Schema } from "../schema.ts";
import type { Role, Site } from "../site.ts";
import { sitesOf } from "../sites.ts";

/** One replacement in one file. */
export interface Edit {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What an edit leaves to be said, beside its place. */
export interface Hints {
  /** Where the fault is, as offsets from the start of the new text; default: the whole new text. */
  readonly within?: readonly [start: number, end: number];
  /** Other places of the fault, in the text before the edit. */
  readonly also?: readonly Site[];
  readonly meant?: Meant;
}

/** A mutation that picks one site and edits it. */
export function mutation(
  name: string,
  propose: (schema: Schema, sites: readonly Site[], random: Random) => (Edit & Hints) | undefined,
): Mutation {
  return {
    name,
    apply: (schema, random) => {
      const edit = propose(schema, sitesOf(schema), random);
      return edit && carriedOut(name, schema, edit);
    },
  };
}

function carriedOut(name: string, schema: Schema, edit: Edit & Hints): Mutant {
  const { path, start, end, text, within = [0, text.length], also = [], meant } = edit;
  const before = schema.files[path] ?? "";
  const shift = text.length - (end - start);
  const moved = (site: Site): Place => {
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

/** One of the sites with a role, by chance. */
export function pickSite(
  sites: readonly Site[],
  random: Random,
  ...roles: readonly Role[]
): Site | undefined {
  const found = sites.filter(({ role }) => roles.includes(role));
  return found.length === 0 ? undefined : random.pick(found);
}

export function withRole(sites: readonly Site[], ...roles: readonly Role[]): Site[] {
  return sites.filter(({ role }) => roles.includes(role));
}

/** Start and end of a line, its line break included. */
export function lineOf(
  { files }: Schema,
  { path, line }: Site,
): { readonly start: number; readonly end: number; readonly text: string } {
  const lines = (files[path] ?? "").split("\n");
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  const text = lines[line] ?? "";
  return { start, end: start + text.length + 1, text };
}

/** A declaration or an entry with the lines that hang on it: those that are indented further. */
export function blockOf(
  schema: Schema,
  site: Site,
): { readonly start: number; readonly end: number; readonly text: string } {
  const lines = (schema.files[site.path] ?? "").split("\n");
  const margin = indentOf(lines[site.line] ?? "");
  let last = site.line + 1;
  while (last < lines.length && indentOf(lines[last] ?? "") > margin) last++;
  const start = lineOf(schema, site).start;
  const text = `${lines.slice(site.line, last).join("\n")}\n`;
  return { start, end: start + text.length, text };
}

/** An empty line ends every block. */
function indentOf(line: string): number {
  return line.trim() === "" ? -1 : line.length - line.trimStart().length;
}
