/**
 * All that printing needs, decided before a line is printed: names, order, text of types, what is imported from where. Emitters
 * read the plan and never look anything up.
 */
import type { Constraints } from "../model/meta/read.ts";
import type { Model } from "../model/model.ts";
import type { ResolvedType } from "../model/types.ts";

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
  /** In the order of the model, then the bodies of methods that are not succinct. */
  readonly types: readonly PlannedType[];
  /** Built-in errors first, each group by code. */
  readonly errors: readonly PlannedError[];
  readonly services: readonly PlannedService[];
  readonly model: Model;
}

export type PlannedType = PlannedStruct | PlannedEnum | PlannedAlias;

interface Documented {
  readonly docs: readonly string[];
  /** The reason, `""` if none is given. */
  readonly deprecated?: string;
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
  /** Whether a bigint is somewhere inside, so that JSON alone cannot carry it. */
  readonly hasBigint: boolean;
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
  /** Text of the type in TypeScript, without `| null`. */
  readonly typeText: string;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
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
  readonly typeText: string;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  readonly hasBigint: boolean;
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
  /** Types that its methods name, sorted. */
  readonly typeNames: readonly string[];
}

export interface PlannedMethod extends Documented {
  /** On the wire. */
  readonly name: string;
  /** `getOrders`. */
  readonly functionName: string;
  /** `/rpc/Marketplace/GetOrders`. */
  readonly path: string;
  readonly request: PlannedBody;
  readonly response: PlannedBody;
  readonly streamInput: boolean;
  readonly streamOutput: boolean;
  /** Class names of the schema errors that the handler may raise; undefined: any. */
  readonly errors: readonly PlannedError[] | undefined;
  readonly annotations: ReadonlyMap<string, string | undefined>;
  /** Safe to send twice (`@idempotent` or `@readonly`). */
  readonly idempotent: boolean;
}

export interface PlannedBody {
  /** Name of the interface. */
  readonly typeName: string;
  /** No field at all: callers may leave the request out, and `null` or no body is read too. */
  readonly isEmpty: boolean;
  readonly hasBigint: boolean;
}
