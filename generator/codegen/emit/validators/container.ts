import { coreTypes } from "../../../language/model/core-types/index.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import type { MapKeyType, ResolvedType } from "../../../language/model/types.ts";
import { bigintRange } from "../../plan/value-forms.ts";
import { literal } from "../text.ts";
import type { Check, FunctionSource } from "./check.ts";
import { branch, indent, negated } from "./code.ts";
import { type ConstrainedType, isSecret, itemType } from "./constrained-type.ts";
import { expectedEnum, expectedList, expectedMap } from "./expected.ts";
import { bigintBound } from "./scalar.ts";

type ListType = Extract<ResolvedType, { readonly kind: "list" }>;
type MapType = Extract<ResolvedType, { readonly kind: "map" }>;

/** The function that reads a list. One that is too long is not read: its length is the fault. */
export function listLines(
  list: ListType,
  constraints: Constraints,
  name: string,
  book: FunctionSource,
): string[] {
  const takesDepth = book.depths.takesDepth(list);
  const wanted = literal(expectedList(constraints));
  const site = itemType(list.element, book.types);
  const items = itemLines(site, listItem(site), book);
  const loop = [
    "  let faults: v.Faults | undefined;",
    "  for (let index = 0; index < value.length && !v.hasMaxFaults(faults); index++) {",
    ...indent(indent(items)),
    "  }",
    "  return faults;",
  ];
  return [
    `function ${name}(value: unknown${takesDepth ? ", depth: number" : ""}): v.Faults | undefined {`,
    `  if (${sizeFault("!v.isList(value)", "value.length", constraints)}) return v.fault(undefined, [], ${wanted}, value);`,
    ...(book.depths.checksDepth(list) ? [depthLine] : []),
    ...loop,
    "}",
  ];
}

/** The function that reads a map. */
export function mapLines(
  map: MapType,
  constraints: Constraints,
  name: string,
  book: FunctionSource,
): string[] {
  const takesDepth = book.depths.takesDepth(map);
  const wanted = literal(expectedMap(constraints));
  const site = itemType(map.value, book.types);
  const entries = itemLines(site, mapItem(site), book);
  const hasBounds = constraints.minItems !== undefined || constraints.maxItems !== undefined;
  return [
    `function ${name}(value: unknown${takesDepth ? ", depth: number" : ""}): v.Faults | undefined {`,
    `  if (!v.isObject(value)) return v.fault(undefined, [], ${wanted}, value);`,
    "  const keys = Object.keys(value);",
    ...(hasBounds
      ? [
          `  if (${sizeFault(undefined, "keys.length", constraints)}) return v.fault(undefined, [], ${wanted}, value);`,
        ]
      : []),
    ...(book.depths.checksDepth(map) ? [depthLine] : []),
    "  let faults: v.Faults | undefined;",
    "  for (const key of keys) {",
    "    if (v.hasMaxFaults(faults)) break;",
    ...indent(indent(keyLines(map.key, book))),
    // What is undefined is not written.
    ...(book.side === "response" ? ["    if (value[key] === undefined) continue;"] : []),
    ...indent(indent(entries)),
    "  }",
    "  return faults;",
    "}",
  ];
}

const depthLine = "  if (depth > v.maxDepth) return v.fault(undefined, [], v.tooDeep, value);";

function sizeFault(first: string | undefined, size: string, { minItems, maxItems }: Constraints): string {
  return [
    ...(first === undefined ? [] : [first]),
    ...(minItems === undefined || minItems === 0 ? [] : [`${size} < ${minItems}`]),
    ...(maxItems === undefined ? [] : [`${size} > ${maxItems}`]),
  ].join(" || ");
}

/** Where an item stands; each member but the first is an expression. */
interface ItemAccess {
  readonly isSecret: boolean;
  /** Reads the item, and takes its new value. */
  readonly item: string;
  readonly path: string;
  /** Adds faults inside of the item. */
  readonly within: (faults: string) => string;
}

function listItem(site: ConstrainedType): ItemAccess {
  const add = isSecret(site) ? "inSecret" : "inItem";
  return {
    isSecret: isSecret(site),
    item: "value[index]",
    path: "[index]",
    within: (faults) => `faults = v.${add}(faults, index, ${faults});`,
  };
}

function mapItem(site: ConstrainedType): ItemAccess {
  const [add, step] = isSecret(site) ? ["inSecret", "v.pathKey(key)"] : ["inEntry", "key"];
  return {
    isSecret: isSecret(site),
    item: "value[key]",
    path: "[v.pathKey(key)]",
    within: (faults) => `faults = v.${add}(faults, ${step}, ${faults});`,
  };
}

function itemLines(site: ConstrainedType, place: ItemAccess, book: FunctionSource): string[] {
  const check = book.check(site);
  const empty = book.side === "request" ? book.types.emptyText(site.type) : undefined;
  if (empty === undefined) return checkLines(check, place, book);
  return [
    ...branch(`if (${place.item} === null)`, [`${place.item} = ${empty};`]),
    ...checkLines(check, place, book),
  ];
}

function checkLines(check: Check, place: ItemAccess, book: FunctionSource): string[] {
  const add = place.isSecret ? "v.secretFault" : "v.fault";
  const fault = (expected: string, value: string): string =>
    `faults = ${add}(faults, ${place.path}, ${expected}, ${value});`;
  switch (check.kind) {
    case "test":
      return [
        `const item = ${place.item};`,
        ...branch(`if (${negated(check.test("item"))})`, [fault(check.expected, "item")]),
      ];
    case "decode":
      return [
        `const item = ${check.functionName}(${place.item});`,
        ...branch("if (item === undefined)", [fault(check.expected, place.item)]),
        ...branch("else", [`${place.item} = item;`]),
      ];
    case "faults":
      return [place.within(check.call(place.item, "depth + 1"))];
    case "any":
      return book.side === "request"
        ? [place.within(`v.faultsInAny(${place.item}, depth + 1)`)]
        : branch(`if (${place.item} === undefined)`, [fault('"any value"', place.item)]);
  }
}

function keyLines(key: MapKeyType, book: FunctionSource): string[] {
  const wrong = keyFault(key, book);
  if (wrong === undefined) return [];
  const { test, expected } = wrong;
  return [
    `if (${test}) {`,
    `  faults = v.fault(faults, [v.pathKey(key)], ${literal(expected)}, key);`,
    "  continue;",
    "}",
  ];
}

/** When a key is wrong; undefined if any will do. */
function keyFault(
  key: MapKeyType,
  book: FunctionSource,
): { readonly test: string; readonly expected: string } | undefined {
  const end = key.kind === "alias" ? book.types.unaliased(key) : key;
  if (end.kind === "enum") {
    const type = book.types.enum(end.name);
    return { test: `!${book.enumTest(type)}(key)`, expected: `as key ${expectedEnum(type)}` };
  }
  const core = end.kind === "core" ? coreTypes[end.name] : undefined;
  if (core?.kind !== "integer") {
    return book.side === "request"
      ? { test: "!v.isText(key)", expected: "a key without NUL and lone surrogates" }
      : undefined;
  }
  const wide = bigintRange(core, book.forms.int64);
  const { low, high } = wide ?? core.range;
  return {
    test:
      wide === undefined
        ? `!v.isIntegerKey(key, ${low}, ${high})`
        : `!v.isInt64Key(key, ${bigintBound(wide.low)}, ${bigintBound(wide.high)})`,
    expected: `as key an integer from ${low} to ${high}`,
  };
}
