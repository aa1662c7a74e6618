/**
 * Finds the shapes of structs: descriptions of how the client converts bodies between JSON and TypeScript. A type that needs
 * no conversion has no shape.
 */
import {
  type CoreType,
  coreTypeNames,
  coreTypes,
  mayExceedSafeInteger,
} from "../../../language/model/core-types.ts";
import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import {
  enumNames,
  isOmitted,
  type Plan,
  type PlannedErrorData,
  type PlannedField,
  type PlannedMethod,
  type PlannedStruct,
  type PlannedType,
  type TypeFinder,
} from "../../plan/plan.ts";
import { innermost, memberTypes, reachable } from "../../plan/type-graph.ts";
import { coreTypeText } from "../../plan/type-text.ts";
import { isInUnion } from "../../plan/unions.ts";
import type { Imports } from "../imports.ts";
import { literalKey } from "../text.ts";

export interface StructShape {
  readonly name: string;
  readonly fields: readonly FieldShape[];
  /** All fields on one line, if they fit. */
  readonly line: string | undefined;
}

const maxLineLength = 80;

interface FieldShape {
  readonly key: string;
  /** The code of the shape. */
  readonly shape: string;
  /** The shape is a getter, because it refers to a shape that is initialized later. */
  readonly isLate: boolean;
}

/** Responses need more conversions than requests: a value of a request that needs one needs one in responses, too. */
type Direction = "response" | "request";

/** The conversions of core types. */
type CoreConversion = "asBigint" | "asDate" | "asFloat" | "asInt64" | "safeInteger";

/** Returns the conversion of a core type. Undefined if it needs none. */
function conversionOf(name: CoreType, direction: Direction, plan: Plan): CoreConversion | undefined {
  const { kind } = coreTypes[name];
  if (kind === "bigint") return "asBigint";
  const text = coreTypeText(name, plan);
  if (text === "Date") return "asDate";
  // In requests, `printInt64Json` prints them.
  if (text === "bigint") return direction === "response" ? "asInt64" : undefined;
  if (kind === "float" && plan.int64 === "bigint") return direction === "response" ? "asFloat" : undefined;
  return mayExceedSafeInteger(name) ? "safeInteger" : undefined;
}

/** Returns the names of the types that contain a value to convert. */
function convertedTypes(direction: Direction, plan: Plan): ReadonlySet<string> {
  const cores = coreTypeNames.filter((name) => conversionOf(name, direction, plan) !== undefined);
  if (direction === "request") return reachable(cores, plan.facts.holders);
  const withContainers = plan.types.filter(
    (type) => memberTypes(type).some(isContainer) || (type.kind === "struct" && type.fields.some(isInUnion)),
  );
  const enums = plan.enums === "closed" ? enumNames(plan.types) : [];
  return reachable([...cores, ...withContainers.map(({ name }) => name), ...enums], plan.facts.holders);
}

function isContainer({ kind }: ResolvedType): boolean {
  return kind === "list" || kind === "map";
}

function shapeName(typeName: string): string {
  return `shapeOf${typeName}`;
}

/** What the shapes of one direction depend on. */
interface Scope {
  readonly direction: Direction;
  /** The shapes that come before. */
  readonly found: ReadonlyMap<string, StructShape>;
  readonly imports: Imports;
}

export class ShapeRegistry {
  readonly #plan: Plan;
  readonly #types: TypeFinder;
  readonly #converted: Readonly<Record<Direction, ReadonlySet<string>>>;
  readonly #byName: ReadonlyMap<string, PlannedType>;
  readonly #checked: ReadonlySet<string>;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#types = plan.finder;
    this.#converted = {
      response: convertedTypes("response", plan),
      request: convertedTypes("request", plan),
    };
    this.#byName = new Map(plan.types.map((type) => [type.name, type]));
    const exact: readonly string[] = ["text", "boolean", "null"];
    const cores = coreTypeNames.filter((name) => !exact.includes(coreTypes[name].kind));
    const containers = plan.types.filter((type) =>
      memberTypes(type).some(({ kind }) => kind === "list" || kind === "map" || kind === "unknown"),
    );
    this.#checked = reachable([...cores, ...containers.map(({ name }) => name)], plan.facts.holders);
  }

  /** Returns the name of the shape for the request or response of a method. Undefined if it needs no conversion. */
  nameFor(method: PlannedMethod, direction: Direction): string | undefined {
    const { typeName } = method[direction];
    return this.#converted[direction].has(typeName) ? shapeName(typeName) : undefined;
  }

  /** Returns the shape of an error's data. */
  ofData({ typeName }: PlannedErrorData): string | undefined {
    return this.#converted.response.has(typeName) ? shapeName(typeName) : undefined;
  }

  /** Whether a request may have a value that JSON would change: a number, a list, a map or `any`. */
  isChecked(method: PlannedMethod): boolean {
    return this.#checked.has(method.request.typeName);
  }

  /**
   * Returns a shape for every struct that a body contains, each after the ones that it uses. Structs that only requests
   * contain come last: their shapes lack what only responses need.
   */
  all(imports: Imports): readonly StructShape[] {
    const methods = this.#plan.services.flatMap((service) => service.methods);
    const found = new Map<string, StructShape>();
    const data = this.#plan.errors.flatMap((error) => error.data?.typeName ?? []);
    for (const direction of ["response", "request"] as const) {
      const bodies = methods
        .filter((method) => !isOmitted(method))
        .map((method) => method[direction].typeName);
      for (const body of direction === "response" ? [...bodies, ...data] : bodies)
        for (const struct of this.#structsIn(body, { direction, found, imports }))
          found.set(struct.name, this.#shapeOf(struct, { direction, found, imports }));
    }
    return [...found.values()];
  }

  /** Yields the structs of a body that have no shape yet. */
  *#structsIn(body: string, { direction, found }: Scope): Generator<PlannedStruct> {
    const pending: { readonly struct: PlannedStruct; readonly isExpanded: boolean }[] = [];
    const seen = new Set<string>();
    const visit = (name: string): void => {
      const type = this.#byName.get(name);
      if (type?.kind === "struct" && this.#converted[direction].has(name) && !found.has(name))
        pending.push({ struct: type, isExpanded: false });
    };
    visit(body);
    // Does not recurse, because chains of types may be longer than the call stack.
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { struct, isExpanded } = next;
      if (isExpanded) yield struct;
      else if (!seen.has(struct.name)) {
        seen.add(struct.name);
        pending.push({ struct, isExpanded: true });
        for (const { type } of struct.fields.toReversed()) {
          const inside = this.#structIn(type);
          if (inside !== undefined) visit(inside);
        }
      }
    }
  }

  /** Returns the struct inside lists, maps and aliases. */
  #structIn(type: ResolvedType): string | undefined {
    let inside = innermost(this.#types.unaliased(type));
    for (let level = 0; inside.kind === "alias" && level < this.#byName.size; level++)
      inside = innermost(this.#types.unaliased(inside));
    return inside.kind === "struct" ? inside.name : undefined;
  }

  #shapeOf({ name, fields }: PlannedStruct, scope: Scope): StructShape {
    const printed = fields.flatMap((field) => {
      const shape = this.#fieldShape(field, scope);
      if (shape === undefined) return [];
      const inside = this.#structIn(field.type);
      const isConverted = inside !== undefined && this.#converted[scope.direction].has(inside);
      return [{ key: literalKey(field.wireName), shape, isLate: isConverted && !scope.found.has(inside) }];
    });
    const line = `{ ${printed.map(({ key, shape }) => `${key}: ${shape}`).join(", ")} }`;
    const fits = line.length <= maxLineLength && !printed.some(({ isLate }) => isLate);
    return { name: shapeName(name), fields: printed, line: fits ? line : undefined };
  }

  #fieldShape(field: PlannedField, scope: Scope): string | undefined {
    const { type, optional, nullable, default: defaultValue } = field;
    const shape = this.#shape(type, scope);
    // Go writes null for absent fields, which a union excludes.
    if (isInUnion(field) && scope.direction === "response") return call("orAbsent", [shape], scope);
    if (shape === undefined || scope.direction === "request" || this.#types.emptyText(type) === undefined)
      return shape;
    if (nullable) return call("orNull", [shape], scope);
    return optional || defaultValue !== undefined ? call("orAbsent", [shape], scope) : shape;
  }

  /** Returns the code of the shape of a type. Undefined if it needs no conversion. */
  #shape(type: ResolvedType, scope: Scope, within: ReadonlySet<string> = new Set()): string | undefined {
    const isResponse = scope.direction === "response";
    switch (type.kind) {
      case "core": {
        const name = conversionOf(type.name, scope.direction, this.#plan);
        return name && runtimeValue(name, scope);
      }
      case "list": {
        if (isBytes(type)) return isResponse ? runtimeValue("asBytes", scope) : undefined;
        const inner = this.#shape(type.element, scope, within);
        return inner !== undefined || isResponse ? `[${inner ?? ""}]` : undefined;
      }
      case "map": {
        const inner = this.#shape(type.value, scope, within);
        const values = this.#enumValues(type.key, scope);
        if (values !== undefined) return call("asEnumMap", [values, inner], scope);
        return inner !== undefined || isResponse ? call("asMap", [inner], scope) : undefined;
      }
      case "enum": {
        const values = this.#enumValues(type, scope);
        return values && call("asEnum", [values], scope);
      }
      case "alias":
      case "struct": {
        const planned = this.#byName.get(type.name);
        if (planned === undefined || planned.kind === "enum") return undefined;
        if (!this.#converted[scope.direction].has(type.name)) return undefined;
        if (planned.kind === "struct") return shapeName(planned.name);
        // An alias that is a list of itself is converted only one level deep.
        if (within.has(planned.name)) return undefined;
        return this.#shape(planned.type, scope, new Set([...within, planned.name]));
      }
      default:
        return undefined;
    }
  }

  /** Returns the local name of the constant of an enum, or of an alias of an enum. Undefined if it is not checked. */
  #enumValues(type: ResolvedType, { direction, imports }: Scope): string | undefined {
    if (direction === "request" || this.#plan.enums === "open") return undefined;
    const resolved = this.#types.unaliased(type);
    return resolved.kind === "enum" ? imports.value("./types.ts", resolved.name) : undefined;
  }
}

/** Prints a call. Bundlers need the comment to drop shapes that are not used. */
function call(name: string, values: readonly (string | undefined)[], scope: Scope): string {
  const given = values.filter((value) => value !== undefined);
  return `/* @__PURE__ */ ${runtimeValue(name, scope)}(${given.join(", ")})`;
}

function runtimeValue(name: string, { imports }: Scope): string {
  return imports.value("ridlkit-runtime/shapes", name);
}
