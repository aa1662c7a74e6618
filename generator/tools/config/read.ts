import type { CatalogName, ParametersOf } from "../../language/diagnostics/catalog.ts";
import {
  type Diagnostic,
  type DiagnosticExtras,
  diagnose,
  type Location,
} from "../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";

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

/** Reads an object. Reports missing properties; then the caller must not use the value. */
export function objectReader<Value>(
  expected: string,
  shape: ObjectShape<Value>,
  required: readonly (keyof Value & string)[] = [],
): SettingReader<Value> {
  const read = (node: ConfigNode, path: string, faults: ErrorCollector): Value | undefined =>
    node.kind === "object"
      ? (readObject(node, path, { shape, required }, faults) as Value)
      : rejectValue(node, path, faults, expected);
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

/** Reads one of some names. A misspelled name gets a suggestion. */
export function nameReader<Name extends string>(names: readonly Name[]): SettingReader<Name> {
  const expected = `one of ${names.join(", ")}`;
  const read = (node: ConfigNode, path: string, faults: ErrorCollector): Name | undefined => {
    const found = names.find((name) => node.kind === "string" && name === node.value);
    if (found !== undefined) return found;
    const near = node.kind === "string" ? suggest(node.value, names) : undefined;
    const parameters = { path, wanted: expected, found: describe(node) };
    const extra = near === undefined ? {} : { advice: `Did you mean "${near}"?` };
    faults.add("config-value", parameters, node.span, extra);
    return undefined;
  };
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

/**
 * A value of a configuration with its position, for all formats. A `JsonNode` is a valid `ConfigNode`. Values from a script have no
 * position.
 */
export type ConfigNode = ConfigObject | ConfigList | ConfigScalar | UnsupportedValue;

export interface ConfigObject {
  readonly kind: "object";
  readonly entries: readonly ConfigEntry[];
  readonly span?: Span;
}

export interface ConfigEntry {
  readonly key: string;
  readonly keySpan?: Span;
  readonly value: ConfigNode;
}

export interface ConfigList {
  readonly kind: "array";
  readonly items: readonly ConfigNode[];
  readonly span?: Span;
}

export type ConfigScalar =
  | { readonly kind: "string"; readonly value: string; readonly span?: Span }
  | { readonly kind: "number"; readonly value: number; readonly span?: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span?: Span }
  | { readonly kind: "null"; readonly span?: Span };

/** A value that no setting accepts, with a description: "a function". */
export interface UnsupportedValue {
  readonly kind: "other";
  readonly what: string;
  readonly span?: Span;
}

/** A parsed, unchecked configuration. `file` is absent for a script. */
export interface RawConfig {
  readonly path: string;
  readonly file?: SourceFile;
  readonly root: ConfigNode;
}

/** The location of an error: the position of the node, or only the file. */
function locationOf(config: RawConfig, span: Span | undefined): Location | { readonly path: string } {
  return config.file === undefined || span === undefined
    ? { path: config.path }
    : { file: config.file, span };
}

/** Describes a value for error messages: `{ kind: "array", … }` → `"a list"`. Includes short strings and numbers. */
export function describe(node: ConfigNode): string {
  switch (node.kind) {
    case "object":
      return "an object";
    case "array":
      return node.items.length === 0 ? "an empty list" : "a list";
    case "string":
      return node.value.length > 40 ? "a string" : `"${node.value}"`;
    case "number":
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "other":
      return node.what;
  }
}

/** Deeper than any setting. Stops at objects that contain themselves. */
const maxValueDepth = 8;

/** Converts the exported value of a script. Properties that are undefined count as omitted. */
export function nodeOfValue(value: unknown, depth = 0): ConfigNode {
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (value === null) return { kind: "null" };
  if (typeof value !== "object") return { kind: "other", what: describeValue(value) };
  if (depth === maxValueDepth) return { kind: "other", what: "an object nested too deeply" };
  if (Array.isArray(value))
    return { kind: "array", items: value.map((item) => nodeOfValue(item, depth + 1)) };
  return {
    kind: "object",
    entries: Object.entries(value)
      .filter(([, property]) => property !== undefined)
      .map(([key, property]) => ({ key, value: nodeOfValue(property, depth + 1) })),
  };
}

function describeValue(value: unknown): string {
  return value === undefined ? "nothing" : `a ${typeof value}`;
}
