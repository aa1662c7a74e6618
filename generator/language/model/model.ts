/**
 * The checked model: names are resolved, wire names assigned and constraints read. Emitters work from it. All of it is
 * `readonly`; types refer to each other by name, through `typeByName`.
 */
import type { Location } from "../diagnostics/diagnostic.ts";
import type { Condition } from "./conditions.ts";
import type { IntegerType } from "./core-types.ts";
import type { Constraints, OtherNames } from "./meta/read.ts";
import type { ResolvedType } from "./types.ts";

export interface Model {
  readonly name: string;
  readonly version: string;
  /** Starts and ends with "/". Empty only if there are no services. */
  readonly basepath: string;
  /** Imported types first, then aliases, enums and structs, in order of appearance. */
  readonly types: readonly TypeModel[];
  readonly typeByName: ReadonlyMap<string, TypeModel>;
  readonly errors: readonly ErrorModel[];
  readonly services: readonly ServiceModel[];
}

export type TypeModel = StructModel | EnumModel | AliasModel;

interface Documentation {
  /** Line by line, without "#". */
  readonly docs: readonly string[];
  readonly at: Location;
}

export interface StructModel extends Documentation {
  readonly kind: "struct";
  readonly name: string;
  /** Does not include fields that are files. */
  readonly fields: readonly FieldModel[];
  /** Name of the struct whose fields a derived struct has. */
  readonly derivedFrom?: string;
  /** Files sent next to the struct, which is then the request of a method or one of its arguments. */
  readonly files: readonly FileModel[];
}

export interface FieldModel extends Documentation, OtherNames {
  readonly name: string;
  /** The key in JSON; undefined if the field is never sent (`json = -`). */
  readonly wireName: string | undefined;
  /** Its name in queries, if that differs from `wireName`. */
  readonly queryName?: string;
  readonly optional: boolean;
  /** The `oneOf` group: exactly one of its fields is set. */
  readonly group: string | undefined;
  /** The kinds for which the field is set, from `when`. */
  readonly when: readonly Condition[] | undefined;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** All meta lines as written, including those of other tools. */
  readonly meta: readonly MetaModel[];
}

export interface MetaModel {
  readonly key: string;
  readonly value: string;
}

export interface EnumModel extends Documentation {
  readonly kind: "enum";
  readonly name: string;
  readonly base: "string" | IntegerType;
  readonly values: readonly EnumValueModel[];
}

export interface EnumValueModel extends Documentation {
  readonly name: string;
  /** The value as text: the number of an integer enum, the string of a string enum. */
  readonly value: string;
  /** The value in JSON: in an integer enum its `+ json` or its name, in a string enum its value. */
  readonly wire: string;
}

export interface AliasModel extends Documentation {
  readonly kind: "alias";
  readonly name: string;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  readonly meta: readonly MetaModel[];
}

export interface ErrorModel extends Documentation {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly httpStatus: number;
  /** Name of the alias that is the type of the error's data. */
  readonly data: string | undefined;
}

export interface ServiceModel extends Documentation {
  readonly name: string;
  /** The schema errors that at least one method lists, without duplicates. */
  readonly listedErrors: readonly string[];
  readonly methods: readonly MethodModel[];
}

export interface MethodModel extends Documentation {
  readonly name: string;
  readonly annotations: readonly AnnotationModel[];
  readonly input: PayloadModel;
  readonly output: PayloadModel;
  /** Files sent next to the input. */
  readonly files: readonly FileModel[];
  /** The response is a file instead of JSON; `output` is empty. */
  readonly fileOutput: boolean;
  readonly streamInput: boolean;
  readonly streamOutput: boolean;
  readonly proxy: boolean;
  /** Its path begins below the basepath. Without a route, a call is POST to the default path. */
  readonly route?: { readonly verb: string; readonly path: string } | undefined;
  /**
   * Schema errors that the handler may throw, without duplicates. Empty with `@noErrors`; undefined (any error) without a list.
   */
  readonly errors: readonly string[] | undefined;
}

export interface AnnotationModel {
  readonly name: string;
  readonly value: string | undefined;
}

/** A body: one struct in the succinct form, otherwise an object keyed by argument. Does not include file arguments. */
export type PayloadModel =
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "arguments"; readonly arguments: readonly ArgumentModel[] };

/** An argument or a field of type `file` or `[]file`. */
export interface FileModel {
  /** Name of its part in the form. */
  readonly name: string;
  readonly optional: boolean;
  readonly isList: boolean;
  readonly docs: readonly string[];
  /** The reason, if given. */
  readonly deprecated?: string | true;
  /** The argument whose struct has the file as a field. */
  readonly within?: { readonly name: string; readonly optional: boolean };
}

export interface ArgumentModel {
  readonly name: string;
  readonly optional: boolean;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}
