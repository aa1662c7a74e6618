/** How values of one version become values of the next version, or of the one before. */
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import { claimName, withoutEscape } from "../names.ts";
import type { Plan, PlannedAlias, PlannedEnum, PlannedField, PlannedStruct } from "../plan.ts";
import { TypeFinder, type UnaliasedType } from "../type-finder.ts";
import { coreTypeText } from "../value-forms.ts";
import { absentOf, custom, presenceOf } from "./absent.ts";
import {
  type Conversion,
  type Direction,
  type FieldStep,
  isSameConversion,
  type PairParts,
  same,
  type TypePair,
} from "./conversion.ts";
import { type CoreReference, coreConversion } from "./core-conversion.ts";
import { fileStep } from "./file-step.ts";
import { type MutablePair, spread } from "./mutable-pair.ts";
import { pairFields } from "./pairs.ts";
import { allowsAll } from "./rules.ts";

/** The conversions of one direction between two versions. */
export class Conversions {
  readonly direction: Direction;
  readonly from: Plan;
  readonly to: Plan;
  readonly #from: TypeFinder;
  readonly #to: TypeFinder;
  readonly #pairs = new Map<string, MutablePair>();
  readonly #names: Set<string>;
  /** Pairs whose parts are not known yet. */
  readonly #pending: MutablePair[] = [];
  /** The pair whose parts are being determined. */
  #current: MutablePair | undefined;

  constructor(direction: Direction, from: Plan, to: Plan, names: Set<string>) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.#from = new TypeFinder(from);
    this.#to = new TypeFinder(to);
    this.#names = names;
  }

  /** Returns the conversion of a body. */
  body(from: string, to: string): TypePair {
    return this.#pair("struct", from, to);
  }

  /** Determines all conversions. To be called when all bodies are known. */
  complete(): readonly TypePair[] {
    for (let pair = this.#pending.pop(); pair !== undefined; pair = this.#pending.pop()) {
      this.#current = pair;
      this.#fill(pair);
    }
    this.#current = undefined;
    const all = [...this.#pairs.values()];
    spread(all, "isSame", false);
    spread(all, "needsCheck", true);
    spread(all, "isCustom", true);
    return all;
  }

  #pair(kind: PairParts["kind"], from: string, to: string): MutablePair {
    const key = `${kind} ${from} ${to}`;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      const old = this.direction === "up" ? from : to;
      const name = claimName(`${this.direction}${withoutEscape(old)}`, this.#names);
      const parts: PairParts = { kind: "struct", fields: [] };
      pair = { name, from, to, parts, isSame: true, needsCheck: false, isCustom: false, holders: new Set() };
      this.#pairs.set(key, pair);
      this.#pending.push(pair);
      if (kind === "enum") pair.parts = { kind, missing: [] };
      if (kind === "alias") pair.parts = { kind, target: same };
    }
    if (this.#current !== undefined) pair.holders.add(this.#current);
    return pair;
  }

  #fill(pair: MutablePair): void {
    const { from, to } = pair;
    switch (pair.parts.kind) {
      case "struct": {
        pair.parts = {
          kind: "struct",
          fields: this.#fields(pair, this.#from.struct(from), this.#to.struct(to)),
        };
        return;
      }
      case "enum": {
        const missing = missingValues(this.#from.enum(from), this.#to.enum(to));
        pair.parts = { kind: "enum", missing };
        if (missing.length === 0) return;
        pair.isSame = false;
        pair.isCustom = true;
        pair.needsCheck = true;
        return;
      }
      case "alias": {
        const target = this.#convert(aliased(this.#from.alias(from)), aliased(this.#to.alias(to))) ?? same;
        pair.parts = { kind: "alias", target };
        if (target.kind !== "pair" && !isSameConversion(target)) pair.isSame = false;
      }
    }
  }

  #fields(pair: MutablePair, from: PlannedStruct, to: PlannedStruct): readonly FieldStep[] {
    const [before, after] = this.direction === "up" ? [from, to] : [to, from];
    const oldNames = pairFields(before.fields, after.fields);
    const sourceNames =
      this.direction === "up" ? oldNames : new Map([...oldNames].map(([now, then]) => [then, now]));
    const byName = new Map(from.fields.map((field) => [field.wireName, field]));
    const fields = to.fields.map((field) => {
      const source = byName.get(sourceNames.get(field.wireName) ?? "");
      return this.#field(pair, field, source);
    });
    const files = (to.files ?? []).map((file) => fileStep(pair, file, from.files ?? []));
    const kept = new Set([...fields, ...files].flatMap(({ source }) => source?.name ?? []));
    const all = [
      ...from.fields.map(({ wireName }) => wireName),
      ...(from.files ?? []).map(({ name }) => name),
    ];
    if (all.some((name) => !kept.has(name))) pair.isSame = false;
    return [...fields, ...files];
  }

  #field(pair: MutablePair, to: PlannedField, from: PlannedField | undefined): FieldStep {
    const { wireName: name, key } = to;
    const conversion = from && this.#convert(from, to);
    const presence = presenceOf(to, this.direction);
    const absent =
      conversion === undefined && from !== undefined
        ? custom
        : absentOf(to, presence, this.direction, this.#to, this.to);
    const keepsNull = presence === "omittable";
    const step = { name, key, isOptional: presence === "optional" || keepsNull, keepsNull, absent };
    if (from === undefined || conversion === undefined) {
      if (absent.kind !== "omit") pair.isSame = false;
      if (absent.kind === "custom") pair.isCustom = pair.needsCheck = true;
      return step;
    }
    const given = presenceOf(from, this.direction);
    if (!allowsAll(ruled(to, this.#to), ruled(from, this.#from), this.to)) pair.needsCheck = true;
    if (given !== "always" && given !== presence) {
      pair.isSame = false;
      if (absent.kind === "custom") pair.isCustom = pair.needsCheck = true;
    }
    if (from.wireName !== name || !(conversion.kind === "pair" || isSameConversion(conversion)))
      pair.isSame = false;
    return { ...step, source: { name: from.wireName, presence: given, conversion } };
  }

  /** Returns how a value is converted. Undefined if the types have nothing in common. */
  #convert(from: Constrained, to: Constrained): Conversion | undefined {
    const [a, b] = [this.#from.unaliased(from.type), this.#to.unaliased(to.type)];
    if (isBytes(a) || isBytes(b)) return isBytes(a) && isBytes(b) ? same : undefined;
    if (a.kind === "struct" || a.kind === "enum")
      return a.kind === b.kind ? { kind: "pair", pair: this.#pair(a.kind, a.name, b.name) } : undefined;
    if (a.kind === "core") return b.kind === "core" ? this.#core(a, b, to.constraints) : undefined;
    if (a.kind === "unknown" || b.kind === "unknown") return a.kind === b.kind ? same : undefined;
    if (from.type.kind === "alias" && to.type.kind === "alias") {
      if (!this.#areConvertible(from.type, to.type, new Set())) return undefined;
      return { kind: "pair", pair: this.#pair("alias", from.type.name, to.type.name) };
    }
    if (a.kind === "list" && b.kind === "list") return this.#items("list", a.element, b.element);
    if (a.kind === "map" && b.kind === "map")
      return this.#areSameKeys(a.key, b.key) ? this.#items("map", a.value, b.value) : undefined;
    return undefined;
  }

  #items(kind: "list" | "map", from: ResolvedType, to: ResolvedType): Conversion | undefined {
    const [a, b] = [itemOf(from, this.#from), itemOf(to, this.#to)];
    const item = this.#convert(a, b);
    if (item === undefined) return undefined;
    if (this.#current !== undefined && !allowsAll(ruled(b, this.#to), ruled(a, this.#from), this.to))
      this.#current.needsCheck = true;
    return item.kind === "same" ? same : { kind, item };
  }

  #core(from: CoreReference, to: CoreReference, rules: Constraints): Conversion | undefined {
    const texts = [coreTypeText(from.name, this.from), coreTypeText(to.name, this.to)] as const;
    return coreConversion(from, to, rules, texts);
  }

  #areSameKeys(from: MapKeyType, to: MapKeyType): boolean {
    const [a, b] = [this.#from.unaliased(from), this.#to.unaliased(to)];
    if (a.kind === "enum" && b.kind === "enum")
      return missingValues(this.#from.enum(a.name), this.#to.enum(b.name)).length === 0;
    if (a.kind !== "core" || b.kind !== "core" || a.name !== b.name) return false;
    return allowsAll(
      ruled(itemOf(to, this.#to), this.#to),
      ruled(itemOf(from, this.#from), this.#from),
      this.to,
    );
  }

  /** Like `#convert`, for aliases, which may be recursive. */
  #areConvertible(from: ResolvedType, to: ResolvedType, assumed: Set<string>): boolean {
    if (from.kind === "alias" && to.kind === "alias") {
      const key = `${from.name} ${to.name}`;
      if (assumed.has(key)) return true;
      assumed.add(key);
    }
    const [a, b] = [this.#from.unaliased(from), this.#to.unaliased(to)];
    if (a.kind === "list" && b.kind === "list" && !isBytes(a) && !isBytes(b))
      return this.#areConvertible(a.element, b.element, assumed);
    if (a.kind === "map" && b.kind === "map")
      return this.#areSameKeys(a.key, b.key) && this.#areConvertible(a.value, b.value, assumed);
    if (a.kind === "list" || a.kind === "map" || b.kind === "list" || b.kind === "map")
      return isBytes(a) && isBytes(b);
    return (
      this.#convert({ type: from, constraints: unconstrained }, { type: to, constraints: unconstrained }) !==
      undefined
    );
  }
}

interface Constrained {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

function itemOf(type: ResolvedType, types: TypeFinder): Constrained {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

function aliased({ type, constraints }: PlannedAlias): Constrained {
  return { type, constraints };
}

function ruled(
  { type, constraints }: Constrained,
  types: TypeFinder,
): { type: UnaliasedType; constraints: Constraints } {
  return { type: types.unaliased(type), constraints };
}

function missingValues(from: PlannedEnum, to: PlannedEnum): readonly string[] {
  const known = new Set(to.values.map(({ wire }) => wire));
  return from.values.map(({ wire }) => wire).filter((wire) => !known.has(wire));
}
