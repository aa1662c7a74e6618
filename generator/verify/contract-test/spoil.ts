import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedField } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { integerRange } from "../../language/model/integer-range.ts";
import { unconstrained } from "../../language/model/meta/read.ts";
import { isIntegerType, type ResolvedType } from "../../language/model/types.ts";
import type { Place } from "../samples/values.ts";

/** A request that breaks one rule. */
export interface Spoilt {
  readonly body: Json;
  /** `/pet/name is longer than 40`. */
  readonly words: string;
}

/** Every way in which one place of a valid body can break one rule of the contract. */
export function spoil(plan: Plan, typeName: string, body: Json): readonly Spoilt[] {
  const types = new TypeFinder(plan);
  return [...inStruct(typeName, body, "", 0)];

  function* inStruct(name: string, value: Json, path: string, level: number): Generator<Spoilt> {
    if (!isObject(value)) return;
    for (const field of types.struct(name).fields) {
      const { wireName } = field;
      const at = `${path}/${wireName}`;
      if (isNeeded(field)) {
        const { [wireName]: _, ...rest } = value;
        yield { body: rest, words: `${at} is missing` };
        if (!mayBeNull(field.type)) yield { body: { ...value, [wireName]: null }, words: `${at} is null` };
      }
      if (!Object.hasOwn(value, wireName)) continue;
      for (const { body: inner, words } of inPlace(field, value[wireName] ?? null, at, level + 1))
        yield { body: { ...value, [wireName]: inner }, words };
    }
  }

  function* inPlace(place: Place, value: Json, path: string, level: number): Generator<Spoilt> {
    if (value === null || level > 4) return;
    for (const [body, words] of wrongValues(place, value)) yield { body, words: `${path} ${words}` };
    const end = types.end(place.type);
    if (end.kind === "struct") yield* inStruct(end.name, value, path, level);
    if (end.kind === "list" && !types.isBytes(end) && Array.isArray(value) && value.length > 0) {
      const [first = null, ...rest] = value as readonly Json[];
      for (const { body, words } of inPlace(itemOf(end.element), first, `${path}/0`, level + 1))
        yield { body: [body, ...rest], words };
    }
  }

  function itemOf(type: ResolvedType): Place {
    return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
  }

  /** null is an empty list, map or bytes. */
  function mayBeNull(type: ResolvedType): boolean {
    if (types.emptyText(type) !== undefined) return true;
    const end = types.end(type);
    return end.kind === "unknown" || (end.kind === "core" && (end.name === "null" || end.name === "any"));
  }

  function wrongValues({ type, constraints }: Place, value: Json): readonly (readonly [Json, string])[] {
    const end = types.end(type);
    const {
      accepts,
      minLength = 0,
      maxLength,
      minimum,
      maximum,
      minItems = 0,
      maxItems,
      pattern,
    } = constraints;
    const wrong: (readonly [Json, string])[] = [];
    if (end.kind === "unknown" || (end.kind === "core" && (end.name === "any" || end.name === "null")))
      return wrong;
    wrong.push([{ wrong: true }, "is an object with a stray field"] as const);
    if (end.kind === "struct" || end.kind === "map") wrong[0] = ["text", "is text"];
    if (end.kind === "enum") return [...wrong, ["no-such-value", "is no value of the enum"]];
    if (end.kind === "list" && types.isBytes(end)) return [...wrong, ["%%%", "is no base64"]];
    if (end.kind === "list" && Array.isArray(value)) {
      const items = value as readonly Json[];
      if (minItems > 0) wrong.push([items.slice(0, minItems - 1), `has fewer than ${minItems} items`]);
      if (maxItems !== undefined && maxItems < 2_000 && items.length > 0)
        wrong.push([
          Array.from({ length: maxItems + 1 }, (_, index) => items[index % items.length] ?? null),
          `has more than ${maxItems} items`,
        ]);
    }
    if (end.kind !== "core") return wrong;
    if (end.name === "string") {
      const text = String(value);
      if (accepts.length === 0) wrong.push([17, "is a number"]);
      if (minLength > 0)
        wrong.push([[...text].slice(0, minLength - 1).join(""), `is shorter than ${minLength}`]);
      if (maxLength !== undefined && maxLength < 20_000)
        wrong.push([text.padEnd(maxLength + 1, text === "" ? "x" : text), `is longer than ${maxLength}`]);
      const broken = [`${text}\n`, `${text} ?`, "\u0001", ""].find(
        (one) => pattern !== undefined && !new RegExp(pattern, "u").test(one),
      );
      if (broken !== undefined) wrong.push([broken, "does not match its pattern"]);
    } else if (end.name === "bool") wrong.push(["maybe", "is no truth value"]);
    else if (end.name === "timestamp")
      wrong.push(["2026-02-31T00:00:00Z", "is a day that no calendar has"], ["yesterday", "is no timestamp"]);
    else if (end.name === "bigint") wrong.push(["1.5", "is no integer"], ["", "is empty"]);
    else if (end.name === "byte" || isIntegerType(end.name)) {
      const range = integerRange(end.name);
      const low = Math.max(range.low, Number(minimum ?? range.low));
      const high = Math.min(range.high, Number(maximum ?? range.high));
      // Past 2^53 servers differ: those whose integers of 64 bits are whole read what others cannot.
      if (low !== Number.MIN_SAFE_INTEGER) wrong.push([low - 1, `is less than ${low}`]);
      if (high !== Number.MAX_SAFE_INTEGER) wrong.push([high + 1, `is more than ${high}`]);
      wrong.push(
        // As near to zero as may be: past 2^52 no number has a fraction.
        [Math.min(Math.max(0, low), high) + 0.5, "is no integer"],
      );
      if (!accepts.includes("string")) wrong.push([String(value), "is text"]);
    } else {
      if (minimum !== undefined) wrong.push([Number(minimum) - 1, `is less than ${minimum}`]);
      if (maximum !== undefined) wrong.push([Number(maximum) + 1, `is more than ${maximum}`]);
    }
    return wrong;
  }
}

function isNeeded({ optional, nullable, default: value }: PlannedField): boolean {
  return !optional && !nullable && value === undefined;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
