/** The custom conversions between two versions: functions that users write, because no rule can convert every value. */
import { propertyKey } from "../../plan/names.ts";
import type { Direction, FieldStep, TypePair } from "../../plan/versions/conversion.ts";
import type { PlannedStep } from "../../plan/versions/steps.ts";
import { inlineComment, literal } from "../text.ts";

/** Prints the interface of all functions between two versions. */
export function customLines(step: PlannedStep): readonly string[] {
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
export function customCall({ to }: TypePair, direction: Direction): string {
  return `custom.${direction}[${literal(to)}]`;
}

interface TypeReferences {
  from(name: string): string;
  to(name: string): string;
}

/** How the file refers to the types of both versions. Handlers receive requests with their defaults. */
export function typeReferences({ plan, next }: PlannedStep): Readonly<Record<Direction, TypeReferences>> {
  return {
    up: {
      from: (name) => `older.${plan.handlerTypes.get(name) ?? name}`,
      to: (name) => `newer.${next.handlerTypes.get(name) ?? name}`,
    },
    down: { from: (name) => `newer.${name}`, to: (name) => `older.${name}` },
  };
}

function sideLines(step: PlannedStep, direction: Direction, docs: string): readonly string[] {
  const { pairs } = step[direction];
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
