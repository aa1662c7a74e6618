/**
 * All that printing needs, decided before a line is printed: names, order, text of types, what is imported from where. Emitters
 * read the plan and never look anything up.
 */
import type { Constraints } from "../../language/model/meta/read.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import type { Json } from "./json.ts";
import type { Layout } from "./layout.ts";
import type { Int64Form, TimestampForm } from "./value-forms.ts";

export interface Plan {
  /** Path of the root schema as the configuration writes it, for the header of each file. */
  readonly schemaFile: string;
  readonly schemaName: string;
  readonly schemaVersion: string;
  /** SHA-1 of the IR, 40 hex digits. */
  readonly schemaHash: string;
  /** The IR as JSON text. */
  readonly irText: string;
  readonly basepath: string;
  /** "number" or "bigint": what int64 and uint64 are in TypeScript. */
  readonly int64: Int64Form;
  /** "string" or "Date": what timestamps are in TypeScript. */
  readonly timestamps: TimestampForm;
  readonly layout: Layout;
  /** In the order of the model, then the bodies of methods that are not succinct. */
  readonly types: readonly PlannedType[];
  /** Built-in errors first, each group by code. */
  readonly errors: readonly PlannedError[];
  readonly services: readonly PlannedService[];
  /** What TypeScript is told of the types, in their order. */
  readonly declarations: readonly PlannedDeclaration[];
  readonly facts: Facts;
}

/** What follows from all types of a schema together. Sets hold names of types in TypeScript. */
export interface Facts {
  /** By a type's name, the names of the types that directly hold it; core types too. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** Types that may hold themselves, and types that hold such a type. */
  readonly endless: ReadonlySet<string>;
  /** The same, and types that hold `any`. */
  readonly counted: ReadonlySet<string>;
  /** Types of which a value is changed before JSON.stringify writes a response: second names, null for what is absent, bigints. */
  readonly written: ReadonlySet<string>;
}

export type PlannedType = PlannedStruct | PlannedEnum | PlannedAlias;

export interface Documented {
  /** Without the line that says why it is deprecated. */
  readonly docs: readonly string[];
  /** The reason, `""` if none is given. */
  readonly deprecated?: string;
}

/** Whether no code is made of a method: it streams its request, which no webrpc generator carries out. */
export function isOmitted({ streamInput }: PlannedMethod): boolean {
  return streamInput;
}

/** Who reads and writes a type on the wire. */
export interface Uses {
  readonly inRequests: boolean;
  readonly inResponses: boolean;
}

export interface PlannedStruct extends Documented, Uses {
  readonly kind: "struct";
  /** Identifier in TypeScript. */
  readonly name: string;
  readonly fields: readonly PlannedField[];
  /** Of a method's own request; undefined without any. */
  readonly files?: readonly PlannedFile[];
  /** Whether a bigint of TypeScript is somewhere inside, so that JSON alone cannot carry it. */
  readonly hasBigint: boolean;
}

/** A file that a request carries beside its fields. */
export interface PlannedFile {
  /** Name of its part, and its key in TypeScript. */
  readonly name: string;
  readonly key: string;
  readonly optional: boolean;
  readonly isList: boolean;
}

export interface PlannedField extends Documented {
  /** Key in JSON and in TypeScript. */
  readonly wireName: string;
  /** `wireName` as it is written in an interface. */
  readonly key: string;
  /** May be left out. */
  readonly optional: boolean;
  /** Written as null and never left out when there is none. */
  readonly nullable: boolean;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** What stands in a request instead of nothing and of null: JSON, or the bigint of a field that is one. */
  readonly default?: Json | bigint;
  /** Other names that requests may use. */
  readonly aliases: readonly string[];
  /** Other names that responses carry as well. */
  readonly twins: readonly string[];
}

export interface PlannedEnum extends Documented, Uses {
  readonly kind: "enum";
  readonly name: string;
  readonly base: string;
  readonly values: readonly PlannedEnumValue[];
}

export interface PlannedEnumValue extends Documented {
  readonly key: string;
  /** Text in JSON. */
  readonly wire: string;
  /** For an integer enum its number as text, which old clients may send instead. */
  readonly number?: string;
}

export interface PlannedAlias extends Documented, Uses {
  readonly kind: "alias";
  readonly name: string;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  readonly hasBigint: boolean;
}

/** One exported type of `types.ts`. */
export type PlannedDeclaration = DeclaredInterface | DeclaredEnum | DeclaredAlias;

export interface DeclaredInterface extends Documented {
  readonly kind: "interface";
  readonly name: string;
  /** What the runtime's `UploadedFile` is called, if a field is one. */
  readonly uploadType?: string;
  /** The interface that this one narrows. */
  readonly base?: string;
  readonly fields: readonly DeclaredField[];
}

export interface DeclaredField extends Documented {
  readonly key: string;
  readonly optional: boolean;
  readonly typeText: string;
}

export interface DeclaredEnum extends Documented {
  readonly kind: "enum";
  readonly name: string;
  readonly values: readonly PlannedEnumValue[];
}

export interface DeclaredAlias extends Documented {
  readonly kind: "alias";
  readonly name: string;
  readonly typeText: string;
}

export interface PlannedError extends Documented {
  /** On the wire. */
  readonly name: string;
  /** `UnauthorizedError`. */
  readonly className: string;
  readonly code: number;
  readonly message: string;
  readonly httpStatus: number;
  readonly builtin: boolean;
}

export interface PlannedService extends Documented {
  /** On the wire. */
  readonly name: string;
  /** Identifier: `Marketplace`. */
  readonly className: string;
  /** `marketplace`, of its files. */
  readonly fileName: string;
  readonly methods: readonly PlannedMethod[];
}

export interface PlannedMethod extends Documented {
  /** On the wire. */
  readonly name: string;
  /** `getOrders`. */
  readonly functionName: string;
  /** Of the class that has all methods of the service: there it may be a keyword. */
  readonly memberName: string;
  /** `/rpc/Marketplace/GetOrders`. */
  readonly path: string;
  readonly request: PlannedBody;
  readonly response: PlannedBody;
  /** Sent beside the request. */
  readonly files: readonly PlannedFile[];
  /** The answer is a file: the response is empty, and no type is declared for it. */
  readonly fileOutput: boolean;
  readonly streamInput: boolean;
  /** Its answers come one by one; what is said of the response is said of each. */
  readonly streamOutput: boolean;
  /** The schema errors that the handler may raise: empty with `@noErrors`; undefined without a list: any of them. */
  readonly errors: readonly PlannedError[] | undefined;
  readonly annotations: ReadonlyMap<string, string | undefined>;
  /** Safe to send twice (`@idempotent` or `@readonly`). */
  readonly idempotent: boolean;
}

export interface PlannedBody {
  /** Name of the struct. */
  readonly typeName: string;
  /** Name of the interface that callers write or read. */
  readonly callerType: string;
  /** Name of the interface that handlers read or write: where a request has defaults, they are filled in. */
  readonly handlerType: string;
  /** Made of the method's arguments, and no struct of the schema. */
  readonly isOwn: boolean;
  /** No field at all: callers may leave the request out, and `null` or no body is read too. */
  readonly isEmpty: boolean;
  readonly hasBigint: boolean;
}
