import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";

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
export function locationOf(config: RawConfig, span: Span | undefined): Location | { readonly path: string } {
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
