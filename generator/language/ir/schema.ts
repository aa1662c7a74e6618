/**
 * The IR that the reference tool writes as `*.webrpc.json`, with the same keys in the same order. A list is `null` if the JSON
 * source has none or a filter emptied it.
 */
export interface IrSchema {
  readonly webrpc: string;
  readonly name: string;
  readonly version: string;
  readonly basepath: string;
  readonly types: readonly IrType[] | null;
  readonly errors: readonly IrError[] | null;
  readonly services: readonly IrService[] | null;
}

export interface IrType extends IrSharedFields {
  readonly kind: string;
  readonly name: string;
  readonly type?: string;
  /** Null items occur only in an alias, whose fields are ignored. */
  readonly fields?: readonly (IrField | null)[];
  readonly comments?: readonly string[];
}

export interface IrField extends IrSharedFields {
  readonly comments?: readonly string[];
  readonly name: string;
  readonly type?: string;
}

/** The fields that types, their fields and arguments share: `TypeExtra` in the reference tool. */
export interface IrSharedFields {
  readonly optional?: boolean;
  readonly value?: string;
  readonly meta?: readonly IrMeta[];
}

/** From RIDL, always one key with a string. A JSON source may hold any value, including null. */
export type IrMeta = ReadonlyMap<string, IrValue> | null;

export type IrValue = string | number | boolean | null | readonly IrValue[] | ReadonlyMap<string, IrValue>;

export interface IrError {
  /** In an IR file, a 64-bit integer. */
  readonly code: number | bigint;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number | bigint;
}

export interface IrService {
  readonly name: string;
  /** As written; absent if there is none. */
  readonly path?: string;
  readonly methods: readonly IrMethod[] | null;
  readonly comments: readonly string[] | null;
}

export interface IrMethod {
  readonly name: string;
  /** By name. An annotation is null if the JSON source has null. */
  readonly annotations: ReadonlyMap<string, IrAnnotation | null> | null;
  readonly comments: readonly string[] | null;
  readonly succinct?: boolean;
  readonly streamInput?: boolean;
  readonly streamOutput?: boolean;
  readonly route?: IrRoute;
  readonly inputs: readonly IrArgument[] | null;
  readonly outputs: readonly IrArgument[] | null;
  readonly errors?: readonly string[];
}

export interface IrRoute {
  readonly verb: string;
  /** As written, without the basepath and the path of the service. */
  readonly path: string;
}

export interface IrAnnotation {
  readonly annotationType: string;
  readonly value: string;
}

export interface IrArgument extends IrSharedFields {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}
