import { methodsByName } from "../../language/model/methods.ts";
import type { MethodModel, Model, ServiceModel, TypeModel } from "../../language/model/model.ts";

/** Maps the names of renamed types, services or methods to their names in the other version. */
export type NewNames = ReadonlyMap<string, string>;

/** Minimum similarity of an item before and after a rename, in per cent. */
const minSimilarity = 60;

/** The same for types that are used in the same place, which is further evidence. */
const minSimilarityInPlace = 30;

/**
 * Finds renamed types: each name exists in one version only, their contents are similar, and no other type is as similar. Names of
 * types are never sent.
 */
export function typeRenames(from: Model, to: Model): NewNames {
  const removed = from.types.filter(({ name }) => !to.typeByName.has(name));
  const added = to.types.filter(({ name }) => !from.typeByName.has(name));
  return bestMatches(removed, added, (a, b) => (a.kind === b.kind ? similarity(partsOf(a), partsOf(b)) : 0));
}

/** Whether a type that is used in the place of a removed one is that type under a new name. */
export function isRenamedInPlace(from: Model, to: Model, before: string, now: string): boolean {
  const [removed, added] = [from.typeByName.get(before), to.typeByName.get(now)];
  if (removed === undefined || added === undefined || removed.kind !== added.kind) return false;
  if (to.typeByName.has(before) || from.typeByName.has(now)) return false;
  return similarity(partsOf(removed), partsOf(added)) >= minSimilarityInPlace;
}

/** Finds renamed services, by the names of their methods. */
export function serviceRenames(from: Model, to: Model): NewNames {
  const removed = from.services.filter(({ name }) => !to.services.some((one) => one.name === name));
  const added = to.services.filter(({ name }) => !from.services.some((one) => one.name === name));
  const methods = (service: ServiceModel): readonly string[] => service.methods.map(({ name }) => name);
  return bestMatches(removed, added, (a, b) => similarity(methods(a), methods(b)));
}

/** Finds renamed methods: their input and output are the same. Methods that name their predecessor are no candidates. */
export function methodRenames(from: ServiceModel, to: ServiceModel): NewNames {
  const removed = from.methods.filter(({ name }) => !to.methods.some((one) => one.name === name));
  const added = to.methods.filter(
    (method) => !from.methods.some(({ name }) => name === method.name) && oldName(method) === undefined,
  );
  const shape = ({ input, output }: MethodModel): string => JSON.stringify([input, output], omitLocations);
  return bestMatches(removed, added, (a, b) => (shape(a) === shape(b) ? 100 : 0));
}

/** A method that names its predecessor: `@renamedFrom:Old` or `@renamedFrom:Service.Old`. */
export interface DeclaredRename {
  /** `Service.New`. */
  readonly name: string;
  readonly before: MethodModel;
  readonly now: MethodModel;
}

/** Finds the new methods that name a method of the earlier version that is gone. By its name, `Service.Old`. */
export function declaredRenames(before: Model, now: Model): ReadonlyMap<string, DeclaredRename> {
  const [old, own] = [methodsByName(before), methodsByName(now)];
  const found = new Map<string, DeclaredRename>();
  for (const [name, method] of own) {
    const declared = oldName(method);
    if (declared === undefined || old.has(name)) continue;
    const from = declared.includes(".") ? declared : `${name.slice(0, name.lastIndexOf("."))}.${declared}`;
    const predecessor = own.has(from) ? undefined : old.get(from);
    if (predecessor !== undefined) found.set(from, { name, before: predecessor, now: method });
  }
  return found;
}

function oldName({ annotations }: MethodModel): string | undefined {
  return annotations.find(({ name }) => name === "renamedFrom")?.value;
}

/** Pairs each removed item with the most similar added one, if the match is unique on both sides. */
function bestMatches<Item extends { readonly name: string }>(
  removed: readonly Item[],
  added: readonly Item[],
  similarityOf: (removed: Item, added: Item) => number,
): NewNames {
  const found = new Map<string, string>();
  // Two unrelated schemas would need too many comparisons.
  if (removed.length * added.length > 10_000) return found;
  for (const one of removed) {
    const ranked = added
      .map((other) => ({ other, score: similarityOf(one, other) }))
      .filter(({ score }) => score >= minSimilarity)
      .sort((a, b) => b.score - a.score);
    const [best, second] = ranked;
    if (best === undefined || best.score === second?.score) continue;
    const isAmbiguous = removed.some((each) => each !== one && similarityOf(each, best.other) >= best.score);
    if (!isAmbiguous) found.set(one.name, best.other.name);
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

/** The number of items that two lists share, in per cent of the longer list. */
function similarity(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((each) => b.includes(each)).length;
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : Math.floor((shared * 100) / longest);
}

/** A JSON replacer that omits locations and documentation, and writes bigints as text. */
function omitLocations(key: string, value: unknown): unknown {
  if (key === "at" || key === "docs") return undefined;
  return typeof value === "bigint" ? String(value) : value;
}
