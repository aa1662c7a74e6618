import type { Plan, PlannedEnumValue, PlannedField, TypeFinder } from "../../generator/codegen/plan/plan.ts";
import { isInUnion, type Union, type UnionCase, unionsOf } from "../../generator/codegen/plan/unions.ts";
import type { Side } from "../../generator/codegen/plan/values.ts";
import { type CoreType, coreTypes, type IntegerRange } from "../../generator/language/model/core-types.ts";
import { type Constraints, unconstrained } from "../../generator/language/model/meta/read.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../generator/language/model/types.ts";
import { matchingText } from "../../generator/verify/samples/pattern-text.ts";
import type { Random } from "../support/random.ts";

interface Place {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** The field may be null in a response. */
  readonly nullable?: boolean;
}

/** Below this level optional fields are omitted and lists are short, so that recursive types end. */
const mostLevels = 5;

/**
 * Random bodies of a type: valid, or with one rule violated. Cases that JSON Schema cannot express are never generated, so that
 * plain ajv and the generated validators must agree: NUL, nesting past 64, text for a number or a map key
 * that has the form but lies out of range, base64 whose size is wrong by less than a group, a field under two of its names, and
 * in responses, numbers that JSON writes as null if null is allowed.
 */
export class RandomValues {
  readonly #types: TypeFinder;
  readonly #random: Random;
  readonly #side: Side;
  #breaksLeft = 0;

  constructor(plan: Plan, side: Side, random: Random) {
    this.#types = plan.finder;
    this.#side = side;
    this.#random = random;
  }

  /** With `isBroken`, most values have one error. */
  body(typeName: string, isBroken: boolean): unknown {
    let body: unknown;
    this.#breaksLeft = isBroken ? 1 : 0;
    // In a small body every position may be skipped by chance, so try again.
    for (let tries = 0; tries === 0 || (this.#breaksLeft > 0 && tries < 5); tries++) {
      body = this.#value({ type: { kind: "struct", name: typeName }, constraints: unconstrained }, 0);
    }
    return body;
  }

  #value(place: Place, level: number): unknown {
    if (this.#breaksLeft > 0 && this.#random.chance(level === 0 ? 1 : 15)) {
      this.#breaksLeft--;
      return this.#broken(place, level);
    }
    return this.#good(place, level);
  }

  #good({ type, constraints }: Place, level: number): unknown {
    const end = this.#types.unaliased(type);
    switch (end.kind) {
      case "core":
        return this.#core(end.name, constraints);
      case "enum":
        return this.#enumForm(this.#random.pick(this.#types.enum(end.name).values));
      case "list":
        if (isBytes(end)) return this.#bytes(constraints);
        return this.#list(end.element, this.#size(constraints, level), level);
      case "map":
        return this.#map(end.key, end.value, this.#size(constraints, level), level);
      case "struct":
        return this.#struct(end.name, level);
      case "unknown":
        return this.#anything();
    }
  }

  #struct(name: string, level: number): unknown {
    const value: Record<string, unknown> = {};
    const struct = this.#types.struct(name);
    const set = new Map<PlannedField, "required" | "optional">();
    const kinds = new Map<PlannedField, PlannedEnumValue>();
    for (const union of unionsOf(struct, this.#types)) this.#choose(union, level, set, kinds);
    for (const field of this.#random.shuffle(struct.fields)) {
      const kind = kinds.get(field);
      if (kind === undefined) this.#field(field, value, level, set);
      else value[this.#nameOf(field)] = this.#enumForm(kind);
    }
    if (this.#random.chance(5)) value["unknown"] = this.#anything();
    return value;
  }

  /** Chooses the fields of a union that are set: those of one case, unless the rule is broken. */
  #choose(
    { kind, members, cases }: Union,
    level: number,
    set: Map<PlannedField, "required" | "optional">,
    kinds: Map<PlannedField, PlannedEnumValue>,
  ): void {
    const isEnding = ({ type }: PlannedField): boolean => this.#types.unaliased(type).kind !== "struct";
    const possible = level < mostLevels ? cases : cases.filter(({ required }) => required.every(isEnding));
    const one = this.#random.pick<UnionCase>(possible);
    if (kind !== undefined && one.kind !== undefined) kinds.set(kind, one.kind);
    for (const field of one.required) set.set(field, "required");
    for (const field of one.optional) set.set(field, "optional");
    if (this.#breaksLeft === 0 || !this.#random.chance(4)) return;
    const excluded = members.filter((field) => !set.has(field) && (level < mostLevels || isEnding(field)));
    const [missing] = one.required;
    if (missing !== undefined && (excluded.length === 0 || this.#random.chance(50))) set.delete(missing);
    else if (excluded.length > 0) for (const field of excluded) set.set(field, "required");
    else return;
    this.#breaksLeft--;
  }

  #field(
    field: PlannedField,
    value: Record<string, unknown>,
    level: number,
    set: ReadonlyMap<PlannedField, "required" | "optional">,
  ): void {
    const { wireName, optional, nullable } = field;
    const isRequest = this.#side === "request";
    const need = set.get(field);
    const isAbsent = isInUnion(field) && need === undefined;
    const mayBeAbsent =
      need === "optional" ||
      (!isInUnion(field) && (optional || nullable || (isRequest && field.default !== undefined)));
    if (isAbsent || mayBeAbsent) {
      if (isAbsent || level >= mostLevels || this.#random.chance(50)) {
        const mayBeNull = isRequest || nullable;
        if (mayBeNull && this.#random.chance(20)) value[wireName] = null;
        return;
      }
    } else if (need === undefined && this.#breaksLeft > 0 && this.#random.chance(4)) {
      this.#breaksLeft--;
      return;
    }
    value[this.#nameOf(field)] = this.#value(field, level + 1);
  }

  #nameOf({ wireName, aliases }: PlannedField): string {
    const isAlias = this.#side === "request" && aliases.length > 0 && this.#random.chance(30);
    return isAlias ? this.#random.pick(aliases) : wireName;
  }

  #list(element: ResolvedType, size: number, level: number): unknown[] {
    return Array.from({ length: size }, () => this.#value(this.#item(element), level + 1));
  }

  #map(key: MapKeyType, type: ResolvedType, size: number, level: number): unknown {
    const value: Record<string, unknown> = {};
    for (let tries = 0; Object.keys(value).length < size && tries < size * 4; tries++) {
      value[this.#key(key)] = this.#value(this.#item(type), level + 1);
    }
    return value;
  }

  #key(key: MapKeyType): string {
    const end = this.#types.unaliased(key);
    if (end.kind === "enum") return this.#random.pick(this.#types.enum(end.name).values).wire;
    const core = end.kind === "core" ? coreTypes[end.name] : undefined;
    if (core?.kind === "integer") return String(this.#integer(core.range));
    return this.#random.pick(["", "a", "b/c", "~d", "e f", "é", "1", "constructor", "toString"]);
  }

  #item(type: ResolvedType): Place {
    return {
      type,
      constraints: type.kind === "alias" ? this.#types.alias(type.name).constraints : unconstrained,
    };
  }

  #size({ minItems = 0, maxItems = minItems + 3 }: Constraints, level: number): number {
    return minItems + (level >= mostLevels ? 0 : this.#random.below(Math.min(maxItems - minItems, 3) + 1));
  }

  #core(name: CoreType, constraints: Constraints): unknown {
    const core = coreTypes[name];
    switch (core.kind) {
      case "null":
        return null;
      case "any":
        return this.#anything();
      case "boolean":
        return (
          this.#otherForm(constraints, { string: ["true", "false"], integer: [0, 1] }) ??
          this.#random.chance(50)
        );
      case "text":
        return this.#text(constraints);
      case "formatted":
        return this.#timestamp();
      case "bigint":
        return this.#bigint();
      case "float":
        return this.#float(constraints);
      case "integer":
        return this.#number(core.range, constraints);
    }
  }

  #text(constraints: Constraints): string | number {
    const { pattern, minLength = 0, maxLength = minLength + 8, normalize } = constraints;
    const other = this.#otherForm(constraints, { integer: [0, 7, 42, 9007199254740991] });
    if (typeof other === "number" && String(other).length <= maxLength) return other;
    const isLower = normalize === "lowercase" && this.#side === "response";
    for (let tries = 0; tries < 50; tries++) {
      const text =
        pattern === undefined ? this.#words(minLength, maxLength) : matchingText(pattern, this.#random);
      const length = [...text].length;
      if (length >= minLength && length <= maxLength + (pattern === undefined ? 0 : 1e6)) {
        return isLower ? text.toLowerCase() : text;
      }
    }
    throw new Error(`no text for ${JSON.stringify(constraints)}`);
  }

  #words(least: number, most: number): string {
    const length = least + this.#random.below(Math.min(most - least, 12) + 1);
    return Array.from({ length }, () =>
      this.#random.pick(["a", "B", "7", " ", "é", "😀", '"', "\\", "/"]),
    ).join("");
  }

  #timestamp(): string {
    const two = (from: number, count: number): string =>
      String(from + this.#random.below(count)).padStart(2, "0");
    const day = this.#random.chance(10)
      ? "2024-02-29"
      : `${this.#random.pick(["1999", "2025", "0001"])}-${two(1, 12)}-${two(1, 28)}`;
    const fraction = this.#random.pick(["", ".5", ".123456789"]);
    const zone = this.#side === "request" ? this.#random.pick(["Z", "+02:00", "-11:30"]) : "Z";
    return `${day}T${two(0, 24)}:${two(0, 60)}:${two(0, 60)}${fraction}${zone}`;
  }

  #bigint(): unknown {
    const value = this.#random.pick([0n, -1n, 10n ** 30n, -(2n ** 64n), 7n]);
    if (this.#side === "response") return value;
    return this.#random.chance(70)
      ? String(value)
      : this.#integer({ low: -(2 ** 53 - 1), high: 2 ** 53 - 1 });
  }

  #float(constraints: Constraints): unknown {
    const low = Number(constraints.minimum ?? -1000);
    const high = Number(constraints.maximum ?? Math.max(low, 1000));
    const other = this.#otherForm(constraints, { string: [String(low), String(high)] });
    return other ?? this.#random.pick([low, high, (low + high) / 2]);
  }

  #number(range: IntegerRange, constraints: Constraints): unknown {
    const low = Math.max(range.low, Number(constraints.minimum ?? range.low));
    const high = Math.min(range.high, Number(constraints.maximum ?? range.high));
    const value = this.#integer({ low, high });
    return this.#otherForm(constraints, { string: [String(value)] }) ?? value;
  }

  #integer({ low, high }: { readonly low: number; readonly high: number }): number {
    return this.#random.pick([low, high, Math.min(high, Math.max(low, this.#random.below(100)))]);
  }

  /** Another form that requests may use. */
  #otherForm(
    { accepts }: Constraints,
    forms: Readonly<Partial<Record<Constraints["accepts"][number], readonly unknown[]>>>,
  ): unknown {
    if (this.#side === "response" || this.#random.chance(60)) return undefined;
    const options = accepts.flatMap((form) => forms[form] ?? []);
    return options.length === 0 ? undefined : this.#random.pick(options);
  }

  #enumForm({ wire, number }: PlannedEnumValue): unknown {
    return number !== undefined && this.#side === "request" && this.#random.chance(30)
      ? Number(number)
      : wire;
  }

  #bytes({ minItems = 0, maxItems = minItems + 5 }: Constraints): string {
    const length = minItems + this.#random.below(maxItems - minItems + 1);
    return Buffer.from(Array.from({ length }, () => this.#random.below(256))).toString("base64");
  }

  #anything(): unknown {
    return this.#random.pick([null, true, 0, "text", ["a", 1], { a: { b: [] } }, {}, []]);
  }

  /** A value with an error, or occasionally a valid one: the verdicts must agree either way. */
  #broken(place: Place, level: number): unknown {
    const good = this.#good(place, level);
    const { constraints } = place;
    const end = this.#types.unaliased(place.type);
    const options: (() => unknown)[] = [() => this.#otherType(place)];
    if (typeof good === "string" && !(end.kind === "core" && end.name === "any")) {
      options.push(() => this.#spoilt(good, constraints));
    }
    if (typeof good === "number") options.push(() => this.#shifted(good, place));
    if (Array.isArray(good)) {
      const { minItems = 0, maxItems } = constraints;
      if (maxItems !== undefined && good.length > 0)
        options.push(() => new Array(maxItems + 1).fill(good[0]));
      if (minItems > 0) options.push(() => good.slice(0, minItems - 1));
    }
    if (end.kind === "map" && this.#types.unaliased(end.key).kind !== "core") {
      options.push(() => ({ ...(good as object), nobody: null }));
    } else if (end.kind === "map" && end.key.kind === "core" && end.key.name !== "string") {
      const key = this.#random.pick(["01", "x", "1.5", "", "-0", "+1"]);
      options.push(() => ({ ...(good as object), [key]: this.#good(this.#item(end.value), level + 1) }));
    }
    return this.#random.pick(options)();
  }

  #otherType({ type, nullable = false }: Place): unknown {
    const end = this.#types.unaliased(type);
    const isNullFine =
      nullable || end.kind === "unknown" || (end.kind === "core" && /^(any|null)$/.test(end.name));
    const endless = this.#side === "response" && isNullFine ? [] : [Number.POSITIVE_INFINITY];
    return this.#random.pick([
      null,
      true,
      false,
      0,
      1.5,
      -1,
      2 ** 53,
      "",
      "x",
      [],
      {},
      [null],
      { a: 1 },
      ...endless,
    ]);
  }

  #spoilt(text: string, { maxLength = 5, minLength = 0 }: Constraints): string {
    // By code points: JSON Schema allows lone surrogates.
    const points = [...text];
    const at = this.#random.below(points.length + 1);
    return this.#random.pick([
      `${text}\n`,
      `${text} `,
      `x${text}`,
      `0${text}`,
      // The required number of code units, in half as many code points.
      "😀".repeat(Math.ceil(minLength / 2)),
      points.toSpliced(at, 1, this.#random.pick(["g", "é", "-", "😀"])).join(""),
      text.toUpperCase(),
      text + "y".repeat(Math.min(maxLength + 1, 5_000)),
      points.slice(0, Math.max(0, minLength - 1)).join(""),
      text.replace("T", "t"),
      text.replace(/-[0-9]{2}T/, "-31T"),
    ]);
  }

  #shifted(value: number, { constraints: { minimum, maximum }, type }: Place): number {
    const end = this.#types.unaliased(type);
    const core = end.kind === "core" ? coreTypes[end.name] : undefined;
    const range = core?.kind === "integer" ? core.range : { low: -1e300, high: 1e300 };
    const low = Math.max(range.low, Number(minimum ?? range.low));
    const high = Math.min(range.high, Number(maximum ?? range.high));
    return this.#random.pick([value + 0.5, low - 1, high + 1, low - 0.5, high + 0.5, -0]);
  }
}
