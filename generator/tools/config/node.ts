import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";

/**
 * A value of a configuration and its place, whatever the format: a `JsonNode` is one as it stands. What a script made has
 * no place.
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

/** What no setting can be, said in words: "a function". */
export interface UnsupportedValue {
  readonly kind: "other";
  readonly what: string;
  readonly span?: Span;
}

/** A configuration that was read but not checked. `at` is absent for a script, which has no text that we know. */
export interface RawConfig {
  readonly path: string;
  readonly file?: SourceFile;
  readonly root: ConfigNode;
}

/** Where a fault of this node is shown: its text, or the file alone. */
export function locationOf(config: RawConfig, span: Span | undefined): Location | { readonly path: string } {
  return config.file === undefined || span === undefined
    ? { path: config.path }
    : { file: config.file, span };
}

/** `{ kind: "array", … }` → `"a list"`. Text and numbers are quoted, so that the reader sees which one is meant. */
export function describe(node: ConfigNode): string {
  switch (node.kind) {
    case "object":
      return "an object";
    case "array":
      return node.items.length === 0 ? "an empty list" : "a list";
    case "string":
      return node.value.length > 40 ? "a text" : `"${node.value}"`;
    case "number":
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "other":
      return node.what;
  }
}
