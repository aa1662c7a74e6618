import { coreNames, type Role, type SchemaElement } from "../element.ts";
import type { Mutation } from "../schema.ts";
import { typo } from "../typo.ts";
import { type Edit, type ExpectedReport, mutation, pickElement, withRole } from "./edit.ts";

const keywords: readonly string[] =
  "webrpc name version basepath import enum struct type error service".split(" ");

export const metaKeys: readonly string[] =
  "json pattern minimum maximum minLength maxLength minItems maxItems format default example deprecated alias twin accepts normalize nullable secret pii renamedFrom".split(
    " ",
  );

/** Misspelt words, and words from other languages. */
export const nameMutations: readonly Mutation[] = [
  misspelt("typo in a keyword", ["keyword"], () => keywords),
  misspelt("typo in a core type", ["core-type"], typeNames),
  misspelt("typo in a declared type", ["declared-type"], typeNames),
  misspelt("typo in the key of a map", ["map-key"], typeNames),
  misspelt("typo in the base of an enum", ["enum-base"], () => [
    "string",
    ...coreNames.filter((name) => /^u?int\d*$/.test(name)),
  ]),
  misspelt("typo in a listed error", ["error-reference"], (sites) => namesOf(sites, "error-name")),
  misspelt("typo in a meta key", ["meta-key"], () => metaKeys),
  misspelt("typo in an import path", ["import-path"], (_, site) => [site.text]),
  misspelt("typo in an imported member", ["import-member"], (sites) =>
    namesOf(sites, "declaration", "error-name", "service-name"),
  ),
  mutation("other case in a type", (_, sites, random) => {
    const site = pickElement(sites, random, "core-type", "declared-type");
    if (site === undefined) return undefined;
    const first = site.text.charAt(0);
    const flipped = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
    return replaced(site, flipped + site.text.slice(1), typeNames(sites));
  }),
  mutation("a type of another language", (_, sites, random) => {
    const site = pickElement(
      withRole(sites, "core-type").filter(({ text }) => text in foreign),
      random,
      "core-type",
    );
    if (site === undefined) return undefined;
    return put(site, random.pick(foreign[site.text] ?? []));
  }),
  mutation("a keyword of another language", (_, sites, random) => {
    const site = pickElement(
      sites.filter(({ text }) => text === "struct" || text === "service"),
      random,
      "keyword",
    );
    if (site === undefined) return undefined;
    const word =
      site.text === "struct"
        ? random.pick(["message", "class", "interface", "record"])
        : random.pick(["rpc", "api"]);
    return put(site, word);
  }),
  renamed("typo in the name of a type", "declaration", ["declared-type", "map-key"]),
  renamed("typo in the name of an error", "error-name", ["error-reference"]),
];

const foreign: Readonly<Record<string, readonly string[]>> = {
  string: ["String", "str", "text", "varchar"],
  bool: ["boolean", "Boolean"],
  uint64: ["u64", "ulong", "unsigned"],
  int64: ["i64", "long", "integer"],
  uint32: ["u32", "number"],
  uint16: ["u16", "short"],
  float64: ["double", "f64", "number"],
  float32: ["float", "f32"],
  timestamp: ["datetime", "Date", "time"],
  bigint: ["BigInt", "bignum"],
  any: ["object", "json"],
};

export function misspelt(
  name: string,
  roles: readonly Role[],
  among: (sites: readonly SchemaElement[], site: SchemaElement) => readonly string[],
): Mutation {
  return mutation(name, (_, sites, random) => {
    const site = pickElement(sites, random, ...roles);
    if (site === undefined) return undefined;
    if (site.role === "import-path") return misspeltPath(site, random);
    const words = among(sites, site);
    return replaced(site, typo(site.text, random, words), words);
  });
}

/** Misspells the last name of the path; the extension stays. */
function misspeltPath(site: SchemaElement, random: Parameters<Mutation["apply"]>[1]): Edit & ExpectedReport {
  const [, folder = "", stem = "", ending = ""] = /^(.*\/)?([^/.]*)(.*)$/.exec(site.text) ?? [];
  return replaced(site, folder + typo(stem, random, [stem]) + ending, [site.text]);
}

function replaced(site: SchemaElement, text: string, among: readonly string[]): Edit & ExpectedReport {
  return { ...put(site, text), meant: { word: site.text, found: text, among } };
}

function put({ path, start, end }: SchemaElement, text: string): Edit {
  return { path, start, end, text };
}

/** Misspells the declaration but not its uses; a report at either end counts. */
export function renamed(name: string, role: Role, uses: readonly Role[]): Mutation {
  return mutation(name, (_, sites, random) => {
    const used = withRole(sites, role).filter((site) => usesOf(site, sites, uses).length > 0);
    if (used.length === 0) return undefined;
    const site = random.pick(used);
    const text = typo(site.text, random, namesOf(sites, role));
    return { ...put(site, text), also: usesOf(site, sites, uses) };
  });
}

export function usesOf(
  declaration: SchemaElement,
  sites: readonly SchemaElement[],
  roles: readonly Role[],
): SchemaElement[] {
  return withRole(sites, ...roles).filter(({ text }) => text === declaration.text);
}

export function typeNames(sites: readonly SchemaElement[]): readonly string[] {
  return [...coreNames, ...namesOf(sites, "declaration")];
}

export function namesOf(sites: readonly SchemaElement[], ...roles: readonly Role[]): string[] {
  return [...new Set(withRole(sites, ...roles).map(({ text }) => text))];
}
