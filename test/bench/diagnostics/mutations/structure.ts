import type { Role, SchemaElement } from "../element.ts";
import type { Mutation, Schema } from "../schema.ts";
import { blockOf, type Edit, type ExpectedReport, lineOf, mutation, pickElement, withRole } from "./edit.ts";
import { usesOf } from "./names.ts";

/** Duplicates, missing declarations and circular references. */
export const structureMutations: readonly Mutation[] = [
  removed("a type that is gone", "declaration", ["declared-type", "map-key"]),
  removed("an error that is gone", "error-name", ["error-reference"]),
  mutation("no webrpc line", (schema, sites) => {
    const site = sites.find(
      ({ role, text, path }) => role === "keyword" && text === "webrpc" && path === schema.entry,
    );
    return site && { path: site.path, ...lineOf(schema, site), text: "" };
  }),
  mutation("no version", (schema, sites, random) => {
    const site = sites.find(
      ({ role, text, path }) => role === "keyword" && text === "version" && path === schema.entry,
    );
    const services = withRole(sites, "service-name").filter(({ path }) => path === schema.entry);
    if (site === undefined || services.length === 0) return undefined;
    return { path: site.path, ...lineOf(schema, site), text: "", also: [random.pick(services), ...services] };
  }),
  duplicated("a field twice", ["field"], (schema, site) => lineOf(schema, site)),
  duplicated("an enum value twice", ["enum-value"], (schema, site) => lineOf(schema, site)),
  duplicated("a method twice", ["method"], (schema, site) => lineOf(schema, site)),
  duplicated("a header twice", ["header-value"], (schema, site) => lineOf(schema, site)),
  duplicated("an error twice", ["error-name"], (schema, site) => lineOf(schema, site)),
  duplicated("a type twice", ["declaration"], (schema, site) => blockOf(schema, site)),
  duplicated("a service twice", ["service-name"], (schema, site) => blockOf(schema, site)),
  duplicated("an import twice", ["import-path"], (schema, site) => lineOf(schema, site)),
  mutation("an argument twice", (_, sites, random) => {
    const site = pickElement(sites, random, "argument");
    if (site === undefined) return undefined;
    const { path, start, text } = site;
    return { path, start, end: start, text: `${text}: string, `, also: [site] };
  }),
  mutation("the code of another error", (_, sites, random) => {
    const [first, second] = random.shuffle(withRole(sites, "error-code"));
    if (first === undefined || second === undefined) return undefined;
    return { path: first.path, start: first.start, end: first.end, text: second.text, also: [second] };
  }),
  mutation("a field as another in other case", (schema, sites, random) => {
    const site = pickElement(sites, random, "field");
    if (site === undefined) return undefined;
    const line = lineOf(schema, site);
    const flipped = site.text.charAt(0).toUpperCase() + site.text.slice(1);
    if (flipped === site.text) return undefined;
    const text = line.text.replace(site.text, flipped);
    return { path: site.path, start: line.end, end: line.end, text: `${text}\n` };
  }),
  mutation("aliases in a circle", (_, sites, random) => {
    const aliases = aliasesIn(sites);
    if (aliases.length === 0) return undefined;
    const { name, target } = random.pick(aliases);
    return { path: target.path, start: target.start, end: target.end, text: name.text, also: [name] };
  }),
  mutation("a struct that needs itself", (schema, sites, random) => {
    const struct = pickElement(
      withRole(sites, "declaration").filter((site) => lineOf(schema, site).text.startsWith("struct")),
      random,
      "declaration",
    );
    if (struct === undefined) return undefined;
    const at = lineOf(schema, struct).end;
    const text = `  - again: ${struct.text}\n`;
    return { path: struct.path, start: at, end: at, text, also: [struct] };
  }),
  mutation("imports in a circle", (schema, sites, random) => {
    const path = pickElement(
      withRole(sites, "import-path").filter((site) => site.path === schema.entry),
      random,
      "import-path",
    );
    if (path === undefined) return undefined;
    const target = path.text;
    const text = schema.files[target];
    if (text === undefined) return undefined;
    const start = text.indexOf("\n", text.indexOf("webrpc = v1")) + 1;
    const up = "../".repeat(target.split("/").length - 1);
    const line = `import ${up}${schema.entry}\n`;
    return { path: target, start, end: start, text: line, also: [path] };
  }),
];

/** Deletes a declaration with its body, and leaves its uses. */
export function removed(name: string, role: Role, uses: readonly Role[]): Mutation {
  return mutation(name, (schema, sites, random) => {
    const used = withRole(sites, role).filter((site) => {
      const { start, end } = blockOf(schema, site);
      return usesOf(site, sites, uses).some(
        (use) => use.path !== site.path || use.start < start || use.start >= end,
      );
    });
    if (used.length === 0) return undefined;
    const site = random.pick(used);
    const { start, end } = blockOf(schema, site);
    const left = usesOf(site, sites, uses).filter(
      (use) => use.path !== site.path || use.start < start || use.start >= end,
    );
    return { path: site.path, start, end, text: "", also: left };
  });
}

/** Repeats an element directly below. */
export function duplicated(
  name: string,
  roles: readonly Role[],
  piece: (schema: Schema, site: SchemaElement) => { readonly end: number; readonly text: string },
): Mutation {
  return mutation(name, (schema, sites, random): (Edit & ExpectedReport) | undefined => {
    const site = pickElement(sites, random, ...roles);
    if (site === undefined) return undefined;
    const { end, text } = piece(schema, site);
    return { path: site.path, start: end, end, text: text.endsWith("\n") ? text : `${text}\n` };
  });
}

/** Aliases of a plain name, with that name. */
function aliasesIn(
  sites: readonly SchemaElement[],
): { readonly name: SchemaElement; readonly target: SchemaElement }[] {
  return withRole(sites, "declaration").flatMap((name) => {
    const onLine = sites.filter(({ path, line }) => path === name.path && line === name.line);
    const isAlias = onLine.some(({ role, text }) => role === "keyword" && text === "type");
    const targets = onLine.filter(({ role }) => role === "core-type" || role === "declared-type");
    const isPlain = !onLine.some(({ role, text }) => role === "sign" && (text === "[" || text === "<"));
    const [target] = targets;
    return isAlias && isPlain && target !== undefined ? [{ name, target }] : [];
  });
}
