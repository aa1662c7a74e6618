/**
 * The IR as JSON, key for key and in the order in which the reference tool writes it. A list is `null` where a JSON source
 * or a filter left none.
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

export interface IrType extends IrExtra {
  readonly kind: "enum" | "struct" | "alias";
  readonly name: string;
  readonly type?: string;
  readonly fields?: readonly IrField[];
  readonly comments?: readonly string[];
}

export interface IrField extends IrExtra {
  readonly comments?: readonly string[];
  readonly name: string;
  readonly type?: string;
}

interface IrExtra {
  readonly optional?: true;
  readonly value?: string;
  readonly meta?: readonly IrMeta[];
}

export type IrMeta = Readonly<Record<string, unknown>>;

export interface IrError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number;
}

export interface IrService {
  readonly name: string;
  readonly methods: readonly IrMethod[] | null;
  readonly comments: readonly string[] | null;
}

export interface IrMethod {
  readonly name: string;
  readonly annotations: Readonly<Record<string, IrAnnotation>> | null;
  readonly comments: readonly string[] | null;
  readonly succinct?: true;
  readonly streamInput?: true;
  readonly streamOutput?: true;
  readonly inputs: readonly IrArgument[] | null;
  readonly outputs: readonly IrArgument[] | null;
  readonly errors?: readonly string[];
}

export interface IrAnnotation {
  readonly annotationType: string;
  readonly value: string;
}

export interface IrArgument {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly value?: string;
  readonly meta?: readonly IrMeta[];
}
