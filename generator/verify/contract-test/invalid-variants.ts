import { isJsonObject, type Json, type JsonObject } from "../../codegen/plan/json.ts";
import type { Plan, PlannedEnumValue, PlannedField } from "../../codegen/plan/plan.ts";
import { excludedBy, type Union, unionsOf } from "../../codegen/plan/unions.ts";
import { type CoreTypeDescriptor, coreTypes, type IntegerRange } from "../../language/model/core-types.ts";
import { hasFormat } from "../../language/model/meta/keys.ts";
import { type Constraints, unconstrained } from "../../language/model/meta/read.ts";
import { isAny, isBytes, type ResolvedType } from "../../language/model/types.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples, type ValueSlot } from "../samples/values.ts";

/** A request that violates one rule of the contract. */
export interface InvalidVariant {
  readonly body: Json;
  /** `/pet/name is longer than 40`. */
  readonly description: string;
}

/** All variants of a valid body in which one value violates one rule of the contract. */
export function invalidVariants(plan: Plan, typeName: string, body: Json): readonly InvalidVariant[] {
  const types = plan.finder;
  return [...inStruct(typeName, body, "", 0)];

  function* inStruct(name: string, value: Json, path: string, level: number): Generator<InvalidVariant> {
    if (!isJsonObject(value)) return;
    const struct = types.struct(name);
    for (const union of unionsOf(struct, types)) yield* inUnion(union, value, path);
    for (const field of struct.fields) {
      const { wireName } = field;
      const at = `${path}/${wireName}`;
      if (isRequired(field)) {
        const { [wireName]: _, ...rest } = value;
        yield { body: rest, description: `${at} is missing` };
        if (!mayBeNull(field.type))
          yield { body: { ...value, [wireName]: null }, description: `${at} is null` };
      }
      if (!Object.hasOwn(value, wireName)) continue;
      for (const { body: inner, description } of inSlot(field, value[wireName] ?? null, at, level + 1))
        yield { body: { ...value, [wireName]: inner }, description };
    }
  }

  function* inUnion(union: Union, value: JsonObject, path: string): Generator<InvalidVariant> {
    const isSet = ({ wireName }: PlannedField): boolean => (value[wireName] ?? null) !== null;
    const own = union.cases.find(({ kind, required }) =>
      union.kind === undefined ? required.every(isSet) : isKind(kind, value[union.kind.wireName]),
    );
    if (own === undefined) return;
    const [first] = own.required;
    const reason = union.kind === undefined ? `next to ${first?.wireName}` : `for ${own.kind?.wire}`;
    if (first !== undefined) {
      const { [first.wireName]: _, ...body } = value;
      const names = union.members.map(({ wireName }) => wireName).join(", ");
      const fault =
        union.kind === undefined
          ? `${path || "/"} has none of ${names}`
          : `${path}/${first.wireName} is missing ${reason}`;
      yield { body, description: fault };
    }
    const [other] = excludedBy(own, union);
    if (other === undefined) return;
    const random = seededRandom(1);
    const samples = new Samples(plan, { side: "request", random, style: "plain", optional: "none" });
    yield {
      body: { ...value, [other.wireName]: samples.value(other) },
      description: `${path}/${other.wireName} is set ${reason}`,
    };
  }

  function* inSlot(slot: ValueSlot, value: Json, path: string, level: number): Generator<InvalidVariant> {
    if (value === null || level > 4) return;
    for (const [body, description] of wrongValues(slot, value))
      yield { body, description: `${path} ${description}` };
    const resolved = types.unaliased(slot.type);
    if (resolved.kind === "struct") yield* inStruct(resolved.name, value, path, level);
    if (resolved.kind === "list" && !isBytes(resolved) && Array.isArray(value) && value.length > 0) {
      const [first = null, ...rest] = value as readonly Json[];
      for (const { body, description } of inSlot(itemOf(resolved.element), first, `${path}/0`, level + 1))
        yield { body: [body, ...rest], description };
    }
  }

  function itemOf(type: ResolvedType): ValueSlot {
    return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
  }

  /** Servers read null as an empty list, map or byte string. */
  function mayBeNull(type: ResolvedType): boolean {
    return types.emptyText(type) !== undefined || allowsNull(types.unaliased(type));
  }

  function wrongValues({ type, constraints }: ValueSlot, value: Json): readonly InvalidValue[] {
    const resolved = types.unaliased(type);
    const { minItems = 0, maxItems } = constraints;
    if (allowsNull(resolved)) return [];
    const wrong: InvalidValue[] = [[{ wrong: true }, "is an object with an unknown field"]];
    if (resolved.kind === "struct" || resolved.kind === "map") wrong[0] = ["text", "is text"];
    if (resolved.kind === "enum") return [...wrong, ["no-such-value", "is not a value of the enum"]];
    if (resolved.kind === "list" && isBytes(resolved)) return [...wrong, ["%%%", "is not base64"]];
    if (resolved.kind === "list" && Array.isArray(value)) {
      const items = value as readonly Json[];
      if (minItems > 0) wrong.push([items.slice(0, minItems - 1), `has fewer than ${minItems} items`]);
      if (maxItems !== undefined && maxItems < 2_000 && items.length > 0)
        wrong.push([
          Array.from({ length: maxItems + 1 }, (_, index) => items[index % items.length] ?? null),
          `has more than ${maxItems} items`,
        ]);
    }
    if (resolved.kind !== "core") return wrong;
    const core = coreTypes[resolved.name];
    return [...wrong, ...core.invalid, ...outsideOf(core, constraints, value)];
  }
}

/** Requests may contain the number of an integer enum. */
function isKind(kind: PlannedEnumValue | undefined, value: Json | undefined): boolean {
  return value === kind?.wire || (typeof value === "number" && String(value) === kind?.number);
}

/** An invalid value and its description: `[17, "is a number"]`. */
type InvalidValue = readonly [value: Json, description: string];

/** Values outside of the constraints of a slot or the range of its type. */
function outsideOf(core: CoreTypeDescriptor, constraints: Constraints, value: Json): Iterable<InvalidValue> {
  switch (core.kind) {
    case "text":
      return wrongTexts(constraints, String(value));
    case "integer":
      return wrongIntegers(core.range, constraints, value);
    case "float":
      return wrongFloats(constraints);
    case "null":
    case "any":
    case "boolean":
    case "bigint":
    case "formatted":
      return [];
  }
}

function* wrongTexts(
  { accepts, minLength = 0, maxLength, pattern, format }: Constraints,
  text: string,
): Generator<InvalidValue> {
  if (accepts.length === 0) yield [17, "is a number"];
  if (minLength > 0) yield [[...text].slice(0, minLength - 1).join(""), `is shorter than ${minLength}`];
  if (maxLength !== undefined && maxLength < 20_000)
    yield [text.padEnd(maxLength + 1, text === "" ? "x" : text), `is longer than ${maxLength}`];
  const broken = [`${text}\n`, `${text} ?`, "\u0001", ""].find(
    (one) => pattern !== undefined && !new RegExp(pattern, "u").test(one),
  );
  if (broken !== undefined) yield [broken, "does not match its pattern"];
  const misshapen = [`${text}?`, `${text} `].find((one) => !hasFormat(one, format));
  if (misshapen !== undefined) yield [misshapen, `is no ${format}`];
}

function* wrongIntegers(
  range: IntegerRange,
  { accepts, minimum, maximum }: Constraints,
  value: Json,
): Generator<InvalidValue> {
  const low = Math.max(range.low, Number(minimum ?? range.low));
  const high = Math.min(range.high, Number(maximum ?? range.high));
  // Servers differ above 2^53: only some of them read 64-bit integers exactly.
  if (low !== Number.MIN_SAFE_INTEGER) yield [low - 1, `is less than ${low}`];
  if (high !== Number.MAX_SAFE_INTEGER) yield [high + 1, `is more than ${high}`];
  // As close to zero as the range allows, because numbers above 2^52 have no fraction.
  const half = Math.min(Math.max(0, low), high) + 0.5;
  if (!Number.isInteger(half)) yield [half, "is not an integer"];
  if (!accepts.includes("string")) yield [String(value), "is text"];
}

function* wrongFloats({ minimum, maximum }: Constraints): Generator<InvalidValue> {
  if (minimum !== undefined) yield [Number(minimum) - 1, `is less than ${minimum}`];
  if (maximum !== undefined) yield [Number(maximum) + 1, `is more than ${maximum}`];
}

/** Whether the type itself allows null, which is not the same as reading null as empty. */
function allowsNull(resolved: ResolvedType): boolean {
  return isAny(resolved) || (resolved.kind === "core" && coreTypes[resolved.name].kind === "null");
}

function isRequired({ optional, nullable, default: value }: PlannedField): boolean {
  return !optional && !nullable && value === undefined;
}
