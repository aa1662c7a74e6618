import { coreTypes } from "../../../language/model/core-types.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import type { MapKeyType, ResolvedType } from "../../../language/model/types.ts";
import { bigintRange } from "../../plan/type-text.ts";
import { literal } from "../text.ts";
import {
  branch,
  type Check,
  type ConstrainedType,
  type FaultCode,
  type FunctionSource,
  faultCall,
  faultsFunction,
  faultsVariable,
  indent,
  isSecret,
  itemType,
  negated,
  rulesCode,
} from "./code.ts";
import { bigintBound, expectedEnum, expectedList, expectedMap } from "./scalar.ts";
import { faultsInAny } from "./struct.ts";

type ListType = Extract<ResolvedType, { readonly kind: "list" }>;
type MapType = Extract<ResolvedType, { readonly kind: "map" }>;

/** Prints the function that reads a list. If the list is too long, its items are not read. */
export function listLines(
  list: ListType,
  constraints: Constraints,
  name: string,
  functions: FunctionSource,
): string[] {
  const takesDepth = functions.depths.takesDepth(list);
  const fault = sizeFaultCall(expectedList(constraints), constraints);
  const constrained = itemType(list.element, functions.types);
  const items = itemLines(constrained, listItem(constrained), functions);
  const loop = [
    `  ${faultsVariable(functions.dialect)}`,
    "  for (let index = 0; index < value.length && !v.hasMaxFaults(faults); index++) {",
    ...indent(indent(items)),
    "  }",
    "  return faults;",
  ];
  return [
    faultsFunction(functions.dialect, name, takesDepth),
    `  if (${sizeFault("!v.isList(value)", "value.length", constraints)}) return ${fault};`,
    ...(functions.depths.checksDepth(list) ? [depthLine] : []),
    ...loop,
    "}",
  ];
}

/** Prints the function that reads a map. */
export function mapLines(
  map: MapType,
  constraints: Constraints,
  name: string,
  functions: FunctionSource,
): string[] {
  const takesDepth = functions.depths.takesDepth(map);
  const fault = sizeFaultCall(expectedMap(constraints), constraints);
  const constrained = itemType(map.value, functions.types);
  const entries = itemLines(constrained, mapItem(constrained), functions);
  const hasBounds = constraints.minItems !== undefined || constraints.maxItems !== undefined;
  return [
    faultsFunction(functions.dialect, name, takesDepth),
    `  if (!v.${functions.side === "request" ? "isObject" : "isJsonObject"}(value)) return ${fault};`,
    "  const keys = Object.keys(value);",
    ...(hasBounds ? [`  if (${sizeFault(undefined, "keys.length", constraints)}) return ${fault};`] : []),
    ...(functions.depths.checksDepth(map) ? [depthLine] : []),
    `  ${faultsVariable(functions.dialect)}`,
    "  for (const key of keys) {",
    "    if (v.hasMaxFaults(faults)) break;",
    ...indent(indent(keyLines(map.key, functions))),
    // JSON.stringify omits undefined values.
    ...(functions.side === "response" ? ["    if (value[key] === undefined) continue;"] : []),
    ...indent(indent(entries)),
    "  }",
    "  return faults;",
    "}",
  ];
}

const depthLine = "  if (depth > v.maxDepth) return v.fault(undefined, [], v.tooDeep, value);";

function sizeFaultCall(expected: string, { minItems, maxItems, message }: Constraints): string {
  const fault = { expected: literal(expected), rules: rulesCode({ minItems, maxItems, message }) };
  return faultCall("v.fault(undefined", "[]", fault, "value");
}

function sizeFault(first: string | undefined, size: string, { minItems, maxItems }: Constraints): string {
  return [
    ...(first === undefined ? [] : [first]),
    ...(minItems === undefined || minItems === 0 ? [] : [`${size} < ${minItems}`]),
    ...(maxItems === undefined ? [] : [`${size} > ${maxItems}`]),
  ].join(" || ");
}

/** How to access an item. All strings are expressions. */
interface ItemAccess {
  readonly isSecret: boolean;
  /** The item, to read or to assign. */
  readonly item: string;
  readonly path: string;
  /** Adds the faults inside the item. */
  readonly within: (faults: string) => string;
}

function listItem(constrained: ConstrainedType): ItemAccess {
  const add = isSecret(constrained) ? "inSecret" : "inItem";
  return {
    isSecret: isSecret(constrained),
    item: "value[index]",
    path: "[index]",
    within: (faults) => `faults = v.${add}(faults, index, ${faults});`,
  };
}

function mapItem(constrained: ConstrainedType): ItemAccess {
  const [add, step] = isSecret(constrained) ? ["inSecret", "v.pathKey(key)"] : ["inEntry", "key"];
  return {
    isSecret: isSecret(constrained),
    item: "value[key]",
    path: "[v.pathKey(key)]",
    within: (faults) => `faults = v.${add}(faults, ${step}, ${faults});`,
  };
}

function itemLines(constrained: ConstrainedType, access: ItemAccess, functions: FunctionSource): string[] {
  const check = functions.check(constrained);
  const empty = functions.side === "request" ? functions.types.emptyText(constrained.type) : undefined;
  if (empty === undefined) return checkLines(check, access, functions);
  return [
    ...branch(`if (${access.item} === null)`, [`${access.item} = ${empty};`]),
    ...checkLines(check, access, functions),
  ];
}

function checkLines(check: Check, access: ItemAccess, functions: FunctionSource): string[] {
  const add = access.isSecret ? "v.secretFault" : "v.fault";
  const fault = (code: FaultCode, value: string): string =>
    `faults = ${faultCall(`${add}(faults`, access.path, code, value)};`;
  switch (check.kind) {
    case "test":
      return [
        `const item = ${access.item};`,
        ...branch(`if (${negated(check.test("item"))})`, [fault(check.fault, "item")]),
      ];
    case "decode":
      return [
        `const item = ${check.functionName}(${access.item});`,
        ...branch("if (item === undefined)", [fault(check.fault, access.item)]),
        ...branch("else", [`${access.item} = item;`]),
      ];
    case "faults":
      return [access.within(check.call(access.item, "depth + 1"))];
    case "any":
      // JSON.stringify omits undefined values of maps, but writes those of lists as null.
      return [access.within(faultsInAny(access.item, functions))];
  }
}

function keyLines(key: MapKeyType, functions: FunctionSource): string[] {
  const fault = keyFault(key, functions);
  if (fault === undefined) return [];
  const { test, ...code } = fault;
  return [
    `if (${test}) {`,
    `  faults = ${faultCall("v.fault(faults", "[v.pathKey(key)]", code, "key")};`,
    "  continue;",
    "}",
  ];
}

/** Returns the test for an invalid key. Undefined if every key is valid. */
function keyFault(
  key: MapKeyType,
  functions: FunctionSource,
): (FaultCode & { readonly test: string }) | undefined {
  const resolved = key.kind === "alias" ? functions.types.unaliased(key) : key;
  if (resolved.kind === "enum") {
    const type = functions.types.enum(resolved.name);
    const expected = literal(`as key ${expectedEnum(type)}`);
    return { test: `!${functions.enumTest(type)}(key)`, expected, rules: rulesCode({ text: "enum" }) };
  }
  const core = resolved.kind === "core" ? coreTypes[resolved.name] : undefined;
  if (core?.kind !== "integer") {
    return functions.side === "request"
      ? {
          test: "!v.isText(key)",
          expected: literal("a key without NUL or lone surrogates"),
          rules: undefined,
        }
      : undefined;
  }
  const range64 = bigintRange(core, functions.forms.int64);
  const { low, high } = range64 ?? core.range;
  return {
    test:
      range64 === undefined
        ? `!v.isIntegerKey(key, ${low}, ${high})`
        : `!v.isInt64Key(key, ${bigintBound(range64.low)}, ${bigintBound(range64.high)})`,
    expected: literal(`as key an integer from ${low} to ${high}`),
    rules: undefined,
  };
}
