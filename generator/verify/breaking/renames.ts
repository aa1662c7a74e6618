import type { Model, ServiceModel, TypeModel } from "../../language/model/model.ts";

/** Names of one version to names of the other. */
export type TypeNames = ReadonlyMap<string, string>;

/** Of what is the same under two names, at least so much is alike, in hundredths. */
const minSimilarity = 60;

/**
 * Types that have another name in the other version: each is in one version only, what they hold is alike, and nothing else comes
 * near. Names of types do not go over the wire.
 */
export function typeRenames(from: Model, to: Model): TypeNames {
  const gone = from.types.filter(({ name }) => !to.typeByName.has(name));
  const added = to.types.filter(({ name }) => !from.typeByName.has(name));
  return bestMatches(gone, added, (a, b) => (a.kind === b.kind ? similarity(partsOf(a), partsOf(b)) : 0));
}

/** Services that have another name: their methods have kept theirs. */
export function serviceRenames(from: Model, to: Model): TypeNames {
  const gone = from.services.filter(({ name }) => !to.services.some((one) => one.name === name));
  const added = to.services.filter(({ name }) => !from.services.some((one) => one.name === name));
  const methods = (service: ServiceModel): readonly string[] => service.methods.map(({ name }) => name);
  return bestMatches(gone, added, (a, b) => similarity(methods(a), methods(b)));
}

/** Methods that have another name: the schema says so (`@renamedFrom:Old`), or they take and give the same. */
export function methodRenames(from: ServiceModel, to: ServiceModel): TypeNames {
  const gone = from.methods.filter(({ name }) => !to.methods.some((one) => one.name === name));
  const added = to.methods.filter(({ name }) => !from.methods.some((one) => one.name === name));
  return bestMatches(gone, added, (a, b) => {
    const said = b.annotations.find(({ name }) => name === "renamedFrom")?.value;
    if (said !== undefined) return said === a.name ? 101 : 0;
    const shape = ({ input, output }: typeof a): string => JSON.stringify([input, output], omitLocations);
    return shape(a) === shape(b) ? 100 : 0;
  });
}

/** Each with the one that is most like it, if no other is as much, on either side. */
function bestMatches<Item extends { readonly name: string }>(
  gone: readonly Item[],
  added: readonly Item[],
  alike: (gone: Item, added: Item) => number,
): TypeNames {
  const found = new Map<string, string>();
  // Two versions that share nothing are two schemas; comparing each with each would take for ever.
  if (gone.length * added.length > 10_000) return found;
  for (const one of gone) {
    const ranked = added
      .map((other) => ({ other, score: alike(one, other) }))
      .filter(({ score }) => score >= minSimilarity)
      .sort((a, b) => b.score - a.score);
    const [best, second] = ranked;
    if (best === undefined || best.score === second?.score) continue;
    const rival = gone.some((each) => each !== one && alike(each, best.other) >= best.score);
    if (!rival) found.set(one.name, best.other.name);
  }
  return found;
}

function partsOf(type: TypeModel): readonly string[] {
  switch (type.kind) {
    case "struct":
      return type.fields.map(({ wireName = "", name }) => wireName || name);
    case "enum":
      return type.values.map(({ wire }) => wire);
    case "alias":
      return [JSON.stringify([type.type, type.constraints.pattern])];
  }
}

/** What two lists share, in hundredths of the longer one. */
function similarity(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((each) => b.includes(each)).length;
  const most = Math.max(a.length, b.length);
  return most === 0 ? 0 : Math.floor((shared * 100) / most);
}

/** Places and bigints are no part of a shape. */
function omitLocations(key: string, value: unknown): unknown {
  if (key === "at" || key === "docs") return undefined;
  return typeof value === "bigint" ? String(value) : value;
}
