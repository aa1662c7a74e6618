/** The role of an element in a schema. */
export type Role =
  | "keyword"
  | "yaml-key"
  | "header-value"
  | "declaration"
  | "core-type"
  | "declared-type"
  | "map-key"
  | "enum-base"
  | "error-reference"
  | "error-code"
  | "error-status"
  | "error-name"
  | "service-name"
  | "field"
  | "enum-value"
  | "method"
  | "argument"
  | "meta-key"
  | "annotation"
  | "import-path"
  | "import-member"
  | "sign";

export interface SchemaElement {
  readonly role: Role;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** 0-based line. */
  readonly line: number;
}

const core: ReadonlySet<string> = new Set(
  "null any byte bool uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 bigint float32 float64 string timestamp".split(
    " ",
  ),
);

export const coreNames: readonly string[] = [...core];
