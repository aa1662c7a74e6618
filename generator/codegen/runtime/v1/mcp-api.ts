/** An API as data, for agents. Generated. */

export interface McpApi {
  readonly name: string;
  readonly version: string;
  readonly methods: readonly McpMethod[];
  /** By name. */
  readonly types: Readonly<Record<string, McpType>>;
  /** Errors of the schema, by name. */
  readonly errors: Readonly<Record<string, McpError>>;
}

export interface McpMethod {
  /** `Shop.GetOrder`. */
  readonly name: string;
  readonly docs?: string;
  /** The reason for a deprecation; may be empty. */
  readonly deprecated?: string;
  /** Name of a struct. */
  readonly request: string;
  /** Name of a struct; of each item of a stream. Undefined if the response is a file. */
  readonly response?: string;
  readonly isStream?: true;
  /** Sent in addition to the request. */
  readonly files?: readonly McpFile[];
  /** Names of the errors of the schema that the method may raise. Undefined: any. */
  readonly errors?: readonly string[];
  /** The method changes nothing. */
  readonly isRead?: true;
  /** Calling twice has the same effect as calling once. */
  readonly isIdempotent?: true;
  /** The schema marks the method with `@mcp`. */
  readonly isMarked?: true;
  /** Default `POST`. */
  readonly verb?: string;
  /** With the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** Names of the fields that are sent in the query. Undefined: the request has a body. */
  readonly query?: readonly string[];
  /** Name of the request field with the page size. */
  readonly pageSize?: string;
}

/** A file of a request. */
export interface McpFile {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
  /** The argument whose struct has the file as a field. */
  readonly within?: string;
}

export type McpType = McpStruct | McpEnum | McpAlias;

export interface McpStruct {
  readonly kind: "struct";
  readonly docs?: string;
  readonly fields: readonly McpField[];
}

export interface McpField {
  readonly name: string;
  /** As in RIDL: `[]Item`, `map<string,Item>`. `bytes` is base64 text. */
  readonly type: string;
  readonly docs?: string;
  /** Limits of the value: `1 to 64 characters`. */
  readonly limits?: string;
  readonly isOptional?: true;
  /** The value is never shown. */
  readonly isSecret?: true;
  readonly deprecated?: string;
  /** Other names that requests may use. */
  readonly aliases?: readonly string[];
  /** Additional names in responses. */
  readonly twins?: readonly string[];
}

export interface McpEnum {
  readonly kind: "enum";
  readonly docs?: string;
  /** The texts in JSON, each with its documentation if it has one. */
  readonly values: readonly (readonly [text: string, docs?: string])[];
}

export interface McpAlias {
  readonly kind: "alias";
  readonly docs?: string;
  readonly type: string;
  readonly limits?: string;
}

export interface McpError {
  readonly code: number;
  readonly status: number;
  readonly message: string;
}

/** Returns the first sentence of a documentation. */
export function firstSentence(docs = ""): string {
  return /^.*?[.!?](?=\s|$)/.exec(docs)?.[0] ?? docs;
}
