import type { Json } from "../../codegen/plan/json.ts";
import type {
  Plan,
  PlannedEnumValue,
  PlannedField,
  PlannedStruct,
  TypeFinder,
} from "../../codegen/plan/plan.ts";
import { innermost } from "../../codegen/plan/type-graph.ts";
import { isInUnion, type Union, type UnionCase, unionsOf } from "../../codegen/plan/unions.ts";
import { parseValue, type Side } from "../../codegen/plan/values.ts";
import {
  type BigintDescriptor,
  type CoreType,
  coreTypes,
  type FormattedDescriptor,
  type IntegerRange,
} from "../../language/model/core-types.ts";
import { hasFormat } from "../../language/model/meta/keys.ts";
import { type Constraints, unconstrained } from "../../language/model/meta/read.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../language/model/types.ts";
import { memoize } from "../../language/source/memoize.ts";
import { builtInTexts, plainWords, type TextSource, textsOfFormat } from "./example-texts.ts";
import { type FieldContext, meaningOf, wordsOf } from "./meaning.ts";
import { matchingText } from "./pattern-text.ts";
import type { Random } from "./random.ts";

/** How values are chosen. */
export interface SampleOptions {
  readonly side: Side;
  readonly random: Random;
  /** `edges`: values at their limits; requests use every accepted form and alias. `plain`: requests as clients write them. */
  readonly style: "edges" | "plain";
  /** Which optional fields to include: a random choice, all or none. */
  readonly optional: "some" | "all" | "none";
  /** Entries of lists and maps of style `plain`, within their limits. Default: 2. */
  readonly entries?: number;
  /**
   * After this number of values, optional fields are omitted and lists have their minimum length; and a struct in itself always is.
   * For people who read the value. Default: no limit.
   */
  readonly maxValues?: number;
  /** Which case of unions to set, modulo their number. Default: a random choice. */
  readonly unionCase?: number;
  /** Source of strings with a known meaning, such as names. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/** A type with constraints, for which a value is generated. */
export interface ValueSlot {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

/** Below this depth, optional fields are omitted and lists have their minimum length, so that recursive types end. */
const maxDepth = 5;

/** Maximum length, in code points, of a string without `maxLength`. */
const maxDefaultLength = 24;

const plainKeys = ["first", "second", "third", "fourth"];
/** Keys of larger maps. */
const moreKeys = [...plainKeys, "fifth", "sixth", "seventh", "eighth"];

/** Generates valid JSON values for the types of a plan, for requests or for responses. */
export class Samples {
  /** Fields and types without a valid text: `Order.code`. Their values are invalid, and need an example in the schema. */
  readonly invalid: Set<string> = new Set();
  readonly types: TypeFinder;
  readonly #options: SampleOptions;
  readonly #random: Random;
  readonly #plan: Plan;
  #count = 0;
  /** The structs around a value, if the number of values is limited. */
  readonly #around: string[] = [];

  constructor(plan: Plan, options: SampleOptions) {
    this.#plan = plan;
    this.types = plan.finder;
    this.#options = options;
    this.#random = options.random;
  }

  body(typeName: string): Readonly<Record<string, Json>> {
    return this.#struct(typeName, 0);
  }

  /** `fieldContext`: the field of the value, whose name suggests its meaning. */
  value({ type, constraints }: ValueSlot, level = 0, fieldContext?: FieldContext): Json {
    this.#count++;
    const example = this.#example({ type, constraints });
    if (example !== undefined) return example;
    const resolved = this.types.unaliased(type);
    switch (resolved.kind) {
      case "core":
        return this.#core(resolved.name, constraints, fieldContext);
      case "enum":
        return this.#enumValue(resolved.name);
      case "list":
        if (isBytes(resolved)) return this.#bytes(constraints);
        return this.#list(
          constraints,
          this.#isEnding(resolved, level) ? Math.max(level, maxDepth) : level,
          () => this.value(this.item(resolved.element), level + 1, singular(fieldContext)),
        );
      case "map":
        return this.#map(resolved.key, resolved.value, constraints, level);
      case "struct":
        return this.#struct(resolved.name, level);
      case "unknown":
        return this.#anything();
    }
  }

  /** The type and constraints of the items of a list or map. */
  item(type: ResolvedType): ValueSlot {
    return itemSlot(type, this.types);
  }

  /** Whether what may be omitted is omitted: the value is deep, or a struct in itself. */
  #isEnding(type: ResolvedType, level: number): boolean {
    const { maxValues } = this.#options;
    if (level >= maxDepth) return true;
    if (maxValues === undefined) return false;
    const inside = this.types.unaliased(innermost(this.types.unaliased(type)));
    return this.#count > maxValues || (inside.kind === "struct" && this.#around.includes(inside.name));
  }

  #example({ type, constraints }: ValueSlot): Json | undefined {
    const { examples } = constraints;
    const isWanted = this.#options.style === "plain" || this.#random.chance(20);
    if (examples.length === 0 || !isWanted) return undefined;
    return parseValue(this.#random.pick(examples), type, this.types);
  }

  #struct(name: string, level: number): Readonly<Record<string, Json>> {
    const value: Record<string, Json> = {};
    const { side, style, optional } = this.#options;
    const struct = this.types.struct(name);
    const kinds = new Map<PlannedField, PlannedEnumValue>();
    const required = new Set<PlannedField>();
    const excluded = new Set(struct.fields.filter(isInUnion));
    for (const union of unionsOf(struct, this.types)) {
      const chosen = this.#case(union, level);
      if (union.kind !== undefined && chosen.kind !== undefined) kinds.set(union.kind, chosen.kind);
      for (const field of chosen.required) required.add(field);
      for (const field of [...chosen.required, ...chosen.optional]) excluded.delete(field);
    }
    const isOmitted = (field: PlannedField): boolean =>
      excluded.has(field) ||
      (!required.has(field) &&
        mayBeOmitted(field, side) &&
        (optional === "none" ||
          this.#isEnding(field.type, level) ||
          (optional === "some" && this.#random.chance(40))));
    const isEndless = this.#plan.facts.endless.has(name);
    this.#around.push(name);
    for (const field of struct.fields) {
      // RK337 reports the struct: a field that requires its own struct has no finite value.
      if (isEndless && this.#depth(field) === Number.POSITIVE_INFINITY) continue;
      const isRequest = side === "request";
      const isEdge = style === "edges";
      if (isOmitted(field)) {
        const isNull = isRequest ? isEdge && this.#random.chance(20) : field.nullable;
        if (isNull || (!isRequest && field.nullable)) defineOwn(value, field.wireName, null);
        continue;
      }
      const names =
        isRequest && isEdge ? [field.wireName, field.wireName, ...field.aliases] : [field.wireName];
      const fieldContext = { field: field.wireName, struct: name };
      const chosenName = this.#random.pick(names);
      const kind = kinds.get(field);
      const own = kind === undefined ? this.value(field, level + 1, fieldContext) : this.#enumForm(kind);
      defineOwn(value, chosenName, own);
      if (!isRequest) for (const twin of field.twins) defineOwn(value, twin, value[field.wireName] ?? null);
    }
    this.#around.pop();
    return value;
  }

  /** Chooses a case: below `maxDepth`, the one whose value ends soonest. */
  #case({ kind, cases }: Union, level: number): UnionCase {
    if (level >= maxDepth) {
      const depths = cases.map(depthOfCase((field) => this.#depth(field)));
      return cases[depths.indexOf(Math.min(...depths))] as UnionCase;
    }
    const { unionCase } = this.#options;
    if (unionCase !== undefined) return cases[(unionCase + level) % cases.length] as UnionCase;
    const example = kind && this.#example(kind);
    const shown = cases.find((one) => one.kind !== undefined && one.kind.wire === example);
    return shown ?? this.#random.pick<UnionCase>(cases);
  }

  #depth(field: PlannedField): number {
    return smallestDepths[this.#options.side](this.#plan)(field);
  }

  #list(constraints: Constraints, level: number, make: () => Json): Json[] {
    return Array.from({ length: this.#size(constraints, level) }, make);
  }

  #size({ minItems = 0, maxItems }: Constraints, level: number): number {
    // An alias may be a list of itself that must not be empty.
    if (level >= maxDepth) return level < 2 * maxDepth ? minItems : 0;
    const max = Math.min(maxItems ?? minItems + 3, minItems + 8);
    return this.#options.style === "edges"
      ? this.#random.pick([minItems, Math.min(minItems + 1, max), max])
      : Math.min(Math.max(minItems, this.#options.entries ?? 2), max);
  }

  #map(key: MapKeyType, type: ResolvedType, constraints: Constraints, level: number): Json {
    const value: Record<string, Json> = {};
    const resolved = this.types.unaliased(key);
    // An enum without values has no valid key.
    const hasKeys = resolved.kind !== "enum" || this.types.enum(resolved.name).values.length > 0;
    const isEnding = this.#isEnding(type, level);
    const size = hasKeys ? this.#size(constraints, isEnding ? Math.max(level, maxDepth) : level) : 0;
    for (let tries = 0; Object.keys(value).length < size && tries < size * 8; tries++)
      defineOwn(value, this.#key(key), this.value(this.item(type), level + 1));
    for (let at = 0; resolved.kind === "core" && Object.keys(value).length < size; at++) {
      const name = resolved.name === "string" ? (moreKeys[at] ?? `key${at + 1}`) : String(at);
      if (!Object.hasOwn(value, name)) defineOwn(value, name, this.value(this.item(type), level + 1));
    }
    return value;
  }

  #key(key: MapKeyType): string {
    const resolved = this.types.unaliased(key);
    if (resolved.kind === "enum") return this.#random.pick(this.types.enum(resolved.name).values).wire;
    const core = resolved.kind === "core" ? coreTypes[resolved.name] : undefined;
    if (core?.kind === "integer") {
      const { low, high } = core.range;
      return String(this.#random.pick([low, high, ...Array.from({ length: 6 }, (_, index) => index)]));
    }
    return this.#random.pick(
      this.#options.style === "plain" ? plainKeys : ["a", "b c", "1", "key", "é", "constructor"],
    );
  }

  #enumValue(name: string): Json {
    const { values } = this.types.enum(name);
    if (values.length === 0) return null;
    return this.#enumForm(this.#random.pick(values));
  }

  #enumForm({ wire, number }: PlannedEnumValue): Json {
    const { side, style } = this.#options;
    return side === "request" && style === "edges" && number !== undefined && this.#random.chance(30)
      ? Number(number)
      : wire;
  }

  #core(name: CoreType, constraints: Constraints, fieldContext: FieldContext | undefined): Json {
    const core = coreTypes[name];
    switch (core.kind) {
      case "null":
        return null;
      case "any":
        return this.#anything();
      case "boolean":
        return this.#requestForm(constraints, this.#random.chance(50));
      case "text":
        return this.#text(constraints, fieldContext);
      case "formatted":
        return this.#formatted(core, fieldContext);
      case "bigint":
        return this.#bigint(core, constraints, fieldContext);
      case "float":
        return this.#requestForm(constraints, this.#float(core.max, constraints, fieldContext));
      case "integer":
        return this.#requestForm(constraints, this.#integer(core.range, constraints, fieldContext));
    }
  }

  /** Sometimes returns another form that requests may use. */
  #requestForm({ accepts }: Constraints, value: number | boolean): Json {
    const { side, style } = this.#options;
    return side === "request" && style === "edges" && accepts.includes("string") && this.#random.chance(40)
      ? String(value)
      : value;
  }

  #integer(
    range: IntegerRange,
    { minimum, maximum }: Constraints,
    fieldContext: FieldContext | undefined,
  ): number {
    const low = Math.max(range.low, Number(minimum ?? range.low));
    const high = Math.min(range.high, Number(maximum ?? range.high));
    const near = Math.min(Math.max(low, 1), high);
    if (this.#options.style === "edges")
      return this.#random.pick([low, high, near, low + Math.floor((high - low) / 2)]);
    const usual = usualRange(fieldContext, { low, high });
    if (usual !== undefined)
      return Math.ceil(usual.low) + this.#random.below(Math.floor(usual.high - usual.low) + 1);
    return near + this.#random.below(Math.min(high - near, 1_000) + 1);
  }

  #float(max: number, { minimum, maximum }: Constraints, fieldContext: FieldContext | undefined): number {
    const limit = Math.min(max, 1e300);
    const low = Number(minimum ?? -limit);
    const high = Number(maximum ?? limit);
    const near = Math.min(Math.max(low, 0.5), high);
    if (this.#options.style === "edges") return this.#random.pick([low, high, near]);
    const usual = usualRange(fieldContext, { low, high });
    if (usual === undefined) return near;
    // Hundredths, because a float32 represents them precisely enough.
    const cents = Math.round((usual.high - usual.low) * 100);
    return Math.min(
      usual.high,
      Math.max(usual.low, Math.round(usual.low * 100 + this.#random.below(cents + 1)) / 100),
    );
  }

  #text(constraints: Constraints, fieldContext: FieldContext | undefined): string {
    const { pattern, minLength = 0, maxLength, normalize, format } = constraints;
    const isLower = normalize === "lowercase" && this.#options.side === "response";
    const max = Math.min(maxLength ?? minLength + maxDefaultLength, 5_000);
    const matcher = pattern === undefined ? undefined : new RegExp(pattern, "u");
    const written = (text: string): string => (isLower ? text.toLowerCase() : text);
    const fits = (text: string): boolean => {
      const length = [...text].length;
      const isSized = length >= minLength && length <= (maxLength ?? length);
      return isSized && matcher?.test(written(text)) !== false && hasFormat(written(text), format);
    };
    for (let tries = 0; pattern !== undefined && tries < 100; tries++) {
      const matching = matchingText(pattern, this.#random);
      // A pattern without ^ or $ allows more characters around its text.
      const room = tries % 2 === 0 ? 0 : Math.max(1, minLength - [...matching].length);
      const text = `${pattern.startsWith("^") ? "" : "a".repeat(room)}${matching}${pattern.endsWith("$") ? "" : "a".repeat(room)}`;
      if (fits(text)) return written(text);
    }
    const realistic = this.#realisticText(format, fieldContext, constraints);
    if (realistic !== undefined && fits(realistic)) return written(realistic);
    const length = this.#length(minLength, max);
    const plain = this.#words(length);
    const texts = [plain, ...textsOfFormat(format, [length, max, minLength]), ...constraints.examples];
    const found = texts.find(fits);
    if (found === undefined)
      this.invalid.add(
        fieldContext === undefined
          ? (pattern ?? format ?? "string")
          : `${fieldContext.struct}.${fieldContext.listField ?? fieldContext.field}`,
      );
    return written(found ?? plain);
  }

  /**
   * A realistic string. Undefined if the meaning is unknown, or if no string of that meaning has a valid length. With `edges`, only
   * the format determines the meaning.
   */
  #realisticText(
    format: string | undefined,
    fieldContext: FieldContext | undefined,
    { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Constraints,
  ): string | undefined {
    const { style, texts = builtInTexts } = this.#options;
    const isPlain = style === "plain";
    const meaning = meaningOf(format, isPlain ? fieldContext : undefined) ?? (isPlain ? "title" : undefined);
    if (meaning === undefined) return undefined;
    for (let tries = 0; tries < 8; tries++) {
      const text = texts.text(meaning, this.#random);
      const length = [...text].length;
      if (length >= minLength && length <= maxLength) return text;
    }
    return undefined;
  }

  #length(min: number, max: number): number {
    if (this.#options.style === "edges") return this.#random.pick([min, max, Math.min(min + 3, max)]);
    return Math.min(Math.max(min, 4), max);
  }

  #words(length: number): string {
    if (this.#options.style === "plain") return plainWords(length, this.#random);
    const letters = [..."Marble of Rio 3 é"];
    const start = this.#random.below(letters.length);
    const text = Array.from({ length }, (_, index) => letters[(start + index) % letters.length]).join("");
    // No spaces at the ends, because many servers trim them.
    return text.replace(/^ | $/g, "x");
  }

  #formatted({ format, edges }: FormattedDescriptor, fieldContext: FieldContext | undefined): string {
    const { side, style } = this.#options;
    const meaning = style === "plain" ? meaningOf(format, undefined) : undefined;
    if (meaning === undefined) return this.#random.pick(edges[side]);
    const text = builtInTexts.text(meaning, this.#random);
    // An end date has to be after the start date.
    return /(^| )(expir|until|end|due|deadline|valid)/.test(wordsOf(fieldContext?.field ?? ""))
      ? text.replace("2026", "2027")
      : text;
  }

  #bigint(
    { edges }: BigintDescriptor,
    { minimum, maximum }: Constraints,
    fieldContext: FieldContext | undefined,
  ): Json {
    const { side, style } = this.#options;
    const low = minimum === undefined ? undefined : BigInt(roundedUp(minimum));
    const high = maximum === undefined ? undefined : -BigInt(roundedUp(-maximum));
    const inLimits = (value: Json): boolean =>
      (low === undefined || BigInt(String(value)) >= low) &&
      (high === undefined || BigInt(String(value)) <= high);
    const limits = [low, high].filter((limit) => limit !== undefined).map(String);
    if (style !== "plain") return this.#random.pick<Json>([...edges[side], ...limits].filter(inLimits));
    // Amounts on blockchains usually have 18 decimals.
    const isAmount = usualRange(fieldContext, { low: 1, high: 200 }) !== undefined;
    const usual = isAmount
      ? `${1 + this.#random.below(99)}${"0".repeat(18)}`
      : "123456789012345678901234567890";
    return [usual, ...limits].find(inLimits) ?? usual;
  }

  #bytes({ minItems = 0, maxItems }: Constraints): string {
    const length = this.#length(minItems, Math.min(maxItems ?? minItems + 5, minItems + 64));
    return Buffer.from(Array.from({ length }, () => this.#random.below(256))).toString("base64");
  }

  #anything(): Json {
    return this.#options.style === "plain"
      ? "anything"
      : this.#random.pick<Json>([true, 1.5, "x", [], { a: 1 }]);
  }
}

/** An item of a list or map, with the constraints of its alias. */
export function itemSlot(type: ResolvedType, types: TypeFinder): ValueSlot {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

function roundedUp(limit: number | bigint): number | bigint {
  return typeof limit === "bigint" ? limit : Math.ceil(limit);
}

/** The name for an item of a list: `emails` → `email`. */
function singular(fieldContext: FieldContext | undefined): FieldContext | undefined {
  return fieldContext === undefined
    ? undefined
    : { ...fieldContext, field: fieldContext.field.replace(/(?<!s)s$/, ""), listField: fieldContext.field };
}

function mayBeOmitted(field: PlannedField, side: Side): boolean {
  return field.optional || field.nullable || (side === "request" && field.default !== undefined);
}

function depthOfCase(depthOf: (field: PlannedField) => number): (one: UnionCase) => number {
  return ({ required }) => Math.max(0, ...required.map(depthOf));
}

/** How deeply the smallest value of a field is nested: infinitely if it requires itself. */
const smallestDepths = {
  request: memoize((plan: Plan) => findDepths(plan, "request")),
  response: memoize((plan: Plan) => findDepths(plan, "response")),
};

function findDepths({ types, finder }: Plan, side: Side): (field: PlannedField) => number {
  const depths = new Map<string, number>();
  const depthOf = ({ type, constraints: { minItems = 0 } }: PlannedField): number => {
    const resolved = finder.unaliased(type);
    const isEmpty = (resolved.kind === "list" || resolved.kind === "map") && minItems === 0;
    const inside = isEmpty ? resolved : finder.unaliased(innermost(resolved));
    return inside.kind === "struct" ? (depths.get(inside.name) ?? Number.POSITIVE_INFINITY) : 0;
  };
  const depthOfStruct = (struct: PlannedStruct): number => {
    const required = struct.fields.filter((field) => !mayBeOmitted(field, side)).map(depthOf);
    const ofUnions = unionsOf(struct, finder).map(({ cases }) =>
      Math.min(...cases.map(depthOfCase(depthOf))),
    );
    return Math.max(0, ...required, ...ofUnions);
  };
  const pending = new Set(types.filter((type) => type.kind === "struct"));
  // Each round finds the structs whose parts are known.
  for (let found = 1; found > 0; ) {
    found = 0;
    for (const struct of pending) {
      const depth = 1 + depthOfStruct(struct);
      if (depth === Number.POSITIVE_INFINITY) continue;
      depths.set(struct.name, depth);
      pending.delete(struct);
      found++;
    }
  }
  return depthOf;
}

/** Defines an own property, even for the name `__proto__`. */
function defineOwn(value: Record<string, Json>, name: string, inner: Json): void {
  Object.defineProperty(value, name, { value: inner, writable: true, enumerable: true, configurable: true });
}

export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/** Realistic ranges, by the words at the end of a field name. The first match counts. */
const ranges: readonly (readonly [RegExp, number, number])[] = [
  [/(^| )age$/, 18, 80],
  [/(^| )year$/, 2000, 2026],
  [/(^| )(latitude|lat)$/, -90, 90],
  [/(^| )(longitude|lng|lon)$/, -180, 180],
  [/(^| )(rating|stars|score)$/, 1, 5],
  [/(^| )(percent|percentage)$/, 0, 100],
  [/(^| )(quantity|qty|stock|seats|guests|nights|rooms|pages)$/, 1, 20],
  [/(^| )decimals$/, 6, 18],
  [/(^| )(price|amount|cost|total|fee|balance)$/, 1, 200],
];

/** The realistic range of a field, within its bounds; undefined if the name is unknown or the bounds exclude the range. */
export function usualRange(
  fieldContext: FieldContext | undefined,
  bounds: NumberRange,
): NumberRange | undefined {
  const words = wordsOf(fieldContext?.field ?? "");
  const found = ranges.find(([pattern]) => pattern.test(words));
  if (found === undefined) return undefined;
  const range = { low: Math.max(found[1], bounds.low), high: Math.min(found[2], bounds.high) };
  return range.low <= range.high ? range : undefined;
}
