import type { EmittedFile } from "../../options.ts";
import { propertyKey } from "../../plan/names.ts";
import {
  type Absent,
  type Conversion,
  changesNothing,
  type Direction,
  type FieldStep,
  keepsName,
  type TypePair,
} from "../../plan/versions/conversions.ts";
import type { PlannedStep } from "../../plan/versions/steps.ts";
import { distinctCode } from "../equal-code.ts";
import { header, inlineComment, literal, literalValue, withoutTexts } from "../text.ts";
import { getField, setField } from "../validators/code.ts";

/* Prints the functions that convert values between two versions. */

/** The functions for everything that differs. */
export interface EmittedConverters {
  /** Empty if nothing differs. */
  readonly files: readonly EmittedFile[];
  /** Returns the name of the function of a pair. Functions with the same code are printed once. */
  nameOf(pair: TypePair): string;
}

export function emitConverters(step: PlannedStep): EmittedConverters {
  const all = [
    ...step.up.map((pair) => ({ name: pair.name, lines: printPair(pair, "up", step) })),
    ...step.down.map((pair) => ({ name: pair.name, lines: printPair(pair, "down", step) })),
  ].filter(({ lines }) => lines.length > 0);
  const distinct = distinctCode(all);
  const nameOf = ({ name }: TypePair): string => distinct.nameOf(name);
  const functions = distinct.declarations.map(({ lines }) => lines);
  if (functions.length === 0) return { files: [], nameOf };
  const blocks = [...(step.isCustom ? [customLines(step)] : []), ...functions];
  const body = blocks.map((lines) => lines.join("\n")).join("\n\n");
  const code = withoutTexts(body);
  const helpers = ["convertList", "convertMap", "copyFields", "setPresent"].filter((name) =>
    code.includes(`${name}(`),
  );
  const nextTypes = step.nextFolder === undefined ? "../../types.ts" : `../${step.nextFolder}/types.ts`;
  const imports = [
    header(step.plan.schemaFile),
    ...(helpers.length === 0
      ? []
      : [`import { ${helpers.join(", ")} } from "ridlkit-runtime/kept-version";`]),
    ...(/\bv\./.test(code) ? ['import * as v from "ridlkit-runtime/validation";'] : []),
    ...(/\bolder\./.test(code) ? ['import type * as older from "./types.ts";'] : []),
    ...(/\bnewer\./.test(code) ? [`import type * as newer from ${literal(nextTypes)};`] : []),
  ];
  return { files: [{ path: "converters.ts", text: `${imports.join("\n")}\n\n${body}\n` }], nameOf };
}

function printPair(pair: TypePair, direction: Direction, step: PlannedStep): readonly string[] {
  const { name, parts, isSame, isCustom } = pair;
  if (isSame) return [];
  const head = `export function ${name}(given: unknown${isCustom ? ", custom: CustomConversions" : ""}): unknown {`;
  switch (parts.kind) {
    case "alias":
      return [head, `  return ${convert(parts.target, "given")};`, "}"];
    case "enum":
      return [
        head,
        "  switch (given) {",
        ...parts.missing.map((wire) => `    case ${literal(wire)}:`),
        // The rules of the other version reject a value without a translation.
        `      return ${customCall(pair, direction)}(given) ?? given;`,
        "    default:",
        "      return given;",
        "  }",
        "}",
      ];
    case "struct": {
      const call = (key: string): string => {
        const type = typeReferences(step)[direction].from(pair.from);
        return `${customCall(pair, direction)}[${literal(key)}](given as ${type})`;
      };
      const lines = structLines(parts.fields, parts.dropped, call);
      return [head, ...lines.map((line) => `  ${line}`), "}"];
    }
  }
}

/** Copies a struct, without the fields that the other version lacks or names otherwise, and sets those that differ. */
function structLines(
  fields: readonly FieldStep[],
  dropped: readonly string[],
  call: (key: string) => string,
): readonly string[] {
  const changed = fields.filter((field) => !isCopied(field));
  const lines = changed.flatMap((field) => {
    const value = alwaysValue(field, call);
    return value === undefined ? presentLines(field, call) : [setField(field.name, value)];
  });
  const readsGiven = changed.some((field) => field.source !== undefined && !keepsName(field));
  return [
    ...(readsGiven ? ["const from = given as v.Fields;"] : []),
    `const value = copyFields(given${dropped.length === 0 ? "" : `, [${dropped.map(literal).join(", ")}]`});`,
    ...lines,
    "return value;",
  ];
}

/** Whether a copy of the other version's value has the field. */
function isCopied(field: FieldStep): boolean {
  const { isOptional, keepsNull, source, absent } = field;
  if (source === undefined || !keepsName(field) || !changesNothing(source.conversion)) return false;
  switch (source.presence) {
    case "always":
      return true;
    case "optional":
      return isOptional && absent.kind === "omit";
    case "nullable":
      return absent.kind === "null";
    case "omittable":
      return keepsNull;
  }
}

/** Sets a field that may be absent. */
function presentLines(field: FieldStep, call: (key: string) => string): readonly string[] {
  const { name, source, absent, keepsNull } = field;
  if (absent.kind === "custom") return [`setPresent(value, ${literal(name)}, ${call(name)});`];
  if (source === undefined) return [];
  const given = sourceText(field, source.name);
  const converted = convert(source.conversion, given);
  const mayBeNull = source.presence === "omittable";
  const isPresent = `${given} !== undefined${mayBeNull && !keepsNull ? ` && ${given} !== null` : ""}`;
  const isUnchanged = !mayBeNull || !keepsNull || converted === given;
  const value = isUnchanged ? converted : `${given} === null ? null : ${converted}`;
  return [`if (${isPresent}) ${setField(name, value)}`];
}

/** A field that keeps its name is read from the copy. */
function sourceText(field: FieldStep, name: string): string {
  return getField(name, keepsName(field) ? "value" : "from");
}

/** Returns the value of a field. Undefined if the field may be absent. */
function alwaysValue(field: FieldStep, call: (key: string) => string): string | undefined {
  const { name, isOptional, keepsNull, source, absent } = field;
  if (isOptional && absent.kind === "custom") return undefined;
  const otherwise = absentValue(absent, () => call(name));
  if (source === undefined) return otherwise;
  const given = sourceText(field, source.name);
  const value = convert(source.conversion, given);
  if (source.presence === "always") return value;
  if (keepsNull) return undefined;
  const isPresent =
    source.presence === "optional" ? `${given} !== undefined` : `${given} !== undefined && ${given} !== null`;
  if (otherwise !== undefined) return `${isPresent} ? ${value} : ${otherwise}`;
  return source.presence === "nullable" ? `${isPresent} ? ${value} : undefined` : undefined;
}

function absentValue(absent: Absent, call: () => string): string | undefined {
  switch (absent.kind) {
    case "omit":
      return undefined;
    case "null":
      return "null";
    case "custom":
      return call();
    case "default":
      return absent.isDate ? `v.dateOf(${literalValue(absent.value)})` : literalValue(absent.value);
  }
}

/** Prints the conversion of an expression. */
function convert(conversion: Conversion, value: string, depth = 1): string {
  if (changesNothing(conversion)) return value;
  switch (conversion.kind) {
    case "same":
      return value;
    case "number":
      return `Number(${value})`;
    case "bigint":
      return `BigInt(${value} as number)`;
    case "lowercase":
      return `(${value} as string).toLowerCase()`;
    case "pair": {
      const { name, isCustom } = conversion.pair;
      return `${name}(${value}${isCustom ? ", custom" : ""})`;
    }
    default: {
      const helper = conversion.kind === "list" ? "convertList" : "convertMap";
      const item = depth === 1 ? "item" : `item${depth}`;
      return `${helper}(${value}, (${item}) => ${convert(conversion.item, item, depth + 1)})`;
    }
  }
}

/* The custom conversions between two versions: functions that users write, because no rule can convert every value. */

/** Prints the interface of all functions between two versions. */
function customLines(step: PlannedStep): readonly string[] {
  const { plan, next } = step;
  const [older, newer] = [plan, next].map(({ schemaVersion }) => inlineComment(schemaVersion));
  return [
    `/** Conversions between ${older} and ${newer} that the generator cannot derive. If a function returns undefined, the call fails. */`,
    "export interface CustomConversions {",
    ...sideLines(step, "up", `Values of ${older} requests for the handlers of ${newer}.`),
    ...sideLines(step, "down", `Values of ${newer} responses for the clients of ${older}.`),
    "}",
  ];
}

/** The function for a type: `custom.up.Order`. Those of a struct are its fields. */
function customCall({ to }: TypePair, direction: Direction): string {
  return `custom.${direction}[${literal(to)}]`;
}

interface TypeReferences {
  from(name: string): string;
  to(name: string): string;
}

/** How the file refers to the types of both versions. Handlers receive requests with their defaults. */
function typeReferences({ plan, next }: PlannedStep): Readonly<Record<Direction, TypeReferences>> {
  return {
    up: {
      from: (name) => `older.${plan.handlerTypes.get(name) ?? name}`,
      to: (name) => `newer.${next.handlerTypes.get(name) ?? name}`,
    },
    down: { from: (name) => `newer.${name}`, to: (name) => `older.${name}` },
  };
}

function sideLines(step: PlannedStep, direction: Direction, docs: string): readonly string[] {
  const pairs = step[direction];
  const targets = [...new Set(pairs.map(({ to }) => to))].flatMap((to) =>
    targetLines(
      step,
      direction,
      pairs.filter((pair) => pair.to === to),
    ),
  );
  if (targets.length === 0) return [];
  return [`  /** ${docs} */`, `  readonly ${direction}: {`, ...targets.map((line) => `    ${line}`), "  };"];
}

/** Prints the functions for one type, which can have several types as its source. */
function targetLines(step: PlannedStep, direction: Direction, pairs: readonly TypePair[]): readonly string[] {
  const { from, to } = typeReferences(step)[direction];
  const target = pairs[0]?.to ?? "";
  const missing = pairs.flatMap(({ parts }) => (parts.kind === "enum" ? parts.missing : []));
  if (missing.length > 0) {
    const values = [...new Set(missing)].map(literal).join(" | ");
    return [`readonly ${propertyKey(target)}: (value: ${values}) => ${to(target)} | undefined;`];
  }
  const sources = new Map<string, Set<string>>();
  for (const pair of pairs)
    if (pair.parts.kind === "struct")
      for (const field of pair.parts.fields.filter(needsFunction)) {
        const types = sources.get(field.name) ?? new Set();
        sources.set(field.name, types.add(from(pair.from)));
      }
  if (sources.size === 0) return [];
  const fields = [...sources].map(
    ([name, types]) =>
      `  readonly ${propertyKey(name)}: (value: ${[...types].join(" | ")}) => ${to(target)}[${literal(name)}] | undefined;`,
  );
  return [`readonly ${propertyKey(target)}: {`, ...fields, "};"];
}

function needsFunction({ source, absent }: FieldStep): boolean {
  return absent.kind === "custom" && source?.presence !== "always";
}
