import type { CatalogName, ParametersOf } from "../../language/diagnostics/catalog.ts";
import { type Diagnostic, type DiagnosticExtras, diagnose } from "../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";
import type { Span } from "../../language/source/span.ts";
import { type ConfigNode, type ConfigObject, describe, locationOf, type RawConfig } from "./node.ts";

/** Collects the errors of a configuration. */
export class ErrorCollector {
  readonly diagnostics: Diagnostic[] = [];
  readonly #config: RawConfig;

  constructor(config: RawConfig) {
    this.#config = config;
  }

  add<Name extends CatalogName>(
    name: Name,
    parameters: ParametersOf<Name>,
    span: Span | undefined,
    extra: DiagnosticExtras = {},
  ): void {
    this.diagnostics.push(diagnose(name, parameters, locationOf(this.#config, span), extra));
  }
}

/** Reads a setting. Reports an error and returns undefined for an invalid value. `path` is the full name: `schemas[0].entry`. */
export interface SettingReader<Value> {
  (node: ConfigNode, path: string, faults: ErrorCollector): Value | undefined;
  /** Describes valid values in error messages: "true or false". */
  readonly expected: string;
}

/** Readers for the allowed properties of an object. */
export type ObjectShape<Value> = {
  readonly [Key in keyof Value]-?: SettingReader<Exclude<Value[Key], undefined>>;
};

export const readBoolean: SettingReader<boolean> = scalarReader("true or false", (node) =>
  node.kind === "boolean" ? node.value : undefined,
);

export const readText: SettingReader<string> = scalarReader("a non-empty string", (node) =>
  node.kind === "string" && node.value !== "" ? node.value : undefined,
);

/** Reads a list with at least one item. Omits invalid items, which are reported. */
export function listReader<Item>(
  item: SettingReader<Item>,
  expected: string,
): SettingReader<readonly Item[]> {
  const read = (node: ConfigNode, path: string, faults: ErrorCollector): readonly Item[] | undefined => {
    if (node.kind !== "array" || node.items.length === 0) return rejectValue(node, path, faults, expected);
    const items = node.items.map((each, index) => item(each, `${path}[${index}]`, faults));
    return items.filter((each) => each !== undefined);
  };
  return Object.assign(read, { expected });
}

/** Reads a single value. `pick` returns undefined for an invalid value. */
export function scalarReader<Value>(
  expected: string,
  pick: (node: ConfigNode) => Value | undefined,
): SettingReader<Value> {
  const read = (node: ConfigNode, path: string, faults: ErrorCollector): Value | undefined =>
    pick(node) ?? rejectValue(node, path, faults, expected);
  return Object.assign(read, { expected });
}

export function rejectValue(
  node: ConfigNode,
  path: string,
  faults: ErrorCollector,
  expected: string,
): undefined {
  faults.add("config-value", { path, wanted: expected, found: describe(node) }, node.span);
  return undefined;
}

/**
 * Reads the properties of an object. Reports unknown, repeated and missing properties. Omits invalid values, which are reported. `path`
 * is "" for the root.
 */
export function readObject<Value>(
  node: ConfigObject,
  path: string,
  rules: { readonly shape: ObjectShape<Value>; readonly required: readonly (keyof Value & string)[] },
  faults: ErrorCollector,
): Partial<Value> {
  const result: Partial<Value> = {};
  const seen = new Set<string>();
  for (const { key, keySpan, value } of node.entries) {
    const at = path === "" ? key : `${path}.${key}`;
    if (seen.has(key)) faults.add("config-repeated-key", { path: at }, keySpan);
    else if (!Object.hasOwn(rules.shape, key))
      faults.add("config-key", { path: at }, keySpan, hint(key, rules.shape));
    else {
      const name = key as keyof Value;
      const read = rules.shape[name](value, at, faults);
      if (read !== undefined) result[name] = read;
    }
    seen.add(key);
  }
  for (const key of rules.required) {
    if (seen.has(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    faults.add("config-missing", { path: at, wanted: rules.shape[key].expected }, startOf(node.span));
  }
  return result;
}

function hint(key: string, shape: object): DiagnosticExtras {
  const known = Object.keys(shape);
  const near = suggest(key, known);
  return {
    advice: near === undefined ? `Known settings: ${known.join(", ")}.` : `Did you mean "${near}"?`,
  };
}

/** Missing properties are reported at the first character of the object. */
function startOf(span: Span | undefined): Span | undefined {
  return span === undefined ? undefined : { start: span.start, end: Math.min(span.end, span.start + 1) };
}
