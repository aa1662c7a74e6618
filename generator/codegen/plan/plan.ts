import type { DeprecationDates } from "../../language/model/annotations.ts";
import type { Condition } from "../../language/model/conditions.ts";
import type { CoreType } from "../../language/model/core-types.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import {
  isBytes,
  type ResolvedType,
  type TypeReference,
  type UnaliasedType,
  unaliased,
} from "../../language/model/types.ts";
import type { Json } from "./json.ts";
import type { EnumForm, Int64Form, TimestampForm } from "./type-text.ts";

/*
 * The plan contains what emitters need to know about a schema: names, order, defaults, and facts about types. Emitters only read it.
 */

/** The schema as templates see it. */
export interface PlanData {
  /** Path of the root schema as the configuration spells it, for the header of each file. */
  readonly schemaFile: string;
  readonly schemaName: string;
  readonly schemaVersion: string;
  /** SHA-1 of the IR, 40 hex digits. */
  readonly schemaHash: string;
  /** The IR as JSON text. */
  readonly irText: string;
  readonly basepath: string;
  /** "number" or "bigint": the TypeScript type of int64 and uint64. */
  readonly int64: Int64Form;
  /** "string" or "Date": the TypeScript type of timestamps. */
  readonly timestamps: TimestampForm;
  /** "open" or "closed": whether the types of responses admit unknown enum values. */
  readonly enums: EnumForm;
  /** In the order of the schema, followed by the request and response types of methods that declare their arguments. */
  readonly types: readonly PlannedType[];
  /** protocol errors first, each group sorted by code. */
  readonly errors: readonly PlannedError[];
  readonly services: readonly PlannedService[];
  /** Names of the TypeScript types that callers use for requests, where they differ from the names of the types. */
  readonly callerTypes: ReadonlyMap<string, string>;
  /** Names of the TypeScript types that handlers use for requests, where they differ from the names of the types. */
  readonly handlerTypes: ReadonlyMap<string, string>;
}

/** What emitters get. Custom templates get only `PlanData`. */
export interface Plan extends PlanData {
  readonly facts: Facts;
  readonly finder: TypeFinder;
  /** The TypeScript types of the files that callers send, and that handlers receive. */
  readonly fileTypes: { readonly sent: string; readonly received: string };
  /** How `types.ts` names the type that brands aliases: `Brand`, unless the schema has a type of that name. */
  readonly brandType: string;
  /** The plans of the kept versions, the oldest first. */
  readonly earlier: readonly Plan[];
}

/** Facts that depend on all types of the schema. Sets contain the TypeScript names of types. */
export interface Facts {
  /** For each type, including core types: the types that directly contain it. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** Recursive types, and all types that contain a recursive type. */
  readonly endless: ReadonlySet<string>;
  /** Types whose values can be nested without limit: those in `endless`, and types that contain `any`. */
  readonly counted: ReadonlySet<string>;
}

export type PlannedType = PlannedStruct | PlannedEnum | PlannedAlias;

export interface Documented {
  /** The documentation, without the line about the deprecation. */
  readonly docs: readonly string[];
  /** The reason for a deprecation; `""` if none is given. */
  readonly deprecated?: string;
}

/** Whether no code is generated for a method: streaming requests are not supported, as in other webrpc generators. */
export function isOmitted({ streamInput }: PlannedMethod): boolean {
  return streamInput;
}

export function hasRoutes({ services }: Pick<Plan, "services">): boolean {
  return services.some(({ methods }) => methods.some(({ route }) => route !== undefined));
}

/** Whether caches may know responses of a method: it is called by GET or QUERY. */
export function isRead({ read }: PlannedMethod): boolean {
  return read !== undefined;
}

export function hasReads({ services }: Pick<Plan, "services">): boolean {
  return services.some(({ methods }) => methods.some(isRead));
}

export function hasKeys({ services }: Pick<Plan, "services">): boolean {
  return services.some(({ methods }) => methods.some(({ takesKey }) => takesKey));
}

/** Whether clients can read the list of a method page by page. */
function isPaged({ paging }: PlannedMethod): boolean {
  return paging?.items !== undefined;
}

export function hasPages({ services }: Pick<Plan, "services">): boolean {
  return services.some(({ methods }) => methods.some(isPaged));
}

export function hasResumes({ services }: Pick<Plan, "services">): boolean {
  return services.some(({ methods }) => methods.some(({ resume }) => resume !== undefined));
}

/** Whether requests and responses contain a type. */
export interface Uses {
  readonly inRequests: boolean;
  readonly inResponses: boolean;
}

export interface PlannedStruct extends Documented, Uses {
  readonly kind: "struct";
  /** TypeScript identifier. */
  readonly name: string;
  readonly fields: readonly PlannedField[];
  /** The struct's own files, without those of nested structs. Undefined if there are none. */
  readonly files?: readonly PlannedFile[];
  /** Whether values contain a TypeScript bigint, which JSON cannot represent. */
  readonly hasBigint: boolean;
  /** The struct whose fields a derived struct has. */
  readonly derivedFrom?: string;
}

/** A file that a request contains in addition to its fields. */
export interface PlannedFile extends Documented {
  /** Name of the form part. */
  readonly name: string;
  /** Key in TypeScript. */
  readonly key: string;
  readonly optional: boolean;
  readonly isList: boolean;
  /** The argument whose struct has the file as a field. */
  readonly within?: { readonly name: string; readonly optional: boolean };
}

/** Whether a form may lack the file. */
export function mayBeAbsent({ optional, isList, within }: PlannedFile): boolean {
  return optional || isList || within?.optional === true;
}

export interface PlannedField extends Documented {
  /** Key in JSON and in TypeScript. */
  readonly wireName: string;
  /** Key in queries, if it differs. */
  readonly queryName?: string;
  /** `wireName` as an interface spells it, quoted if necessary. */
  readonly key: string;
  /** The field may be absent. */
  readonly optional: boolean;
  /** The field is null if it has no value, and never absent. */
  readonly nullable: boolean;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** Replaces an absent or null value in requests: a JSON value, or a bigint for bigint fields. */
  readonly default?: Json | bigint;
  /** Other names that requests may use. */
  readonly aliases: readonly string[];
  /** Additional names under which responses contain the same value. */
  readonly twins: readonly string[];
  /** The group of the field, if it is in one: exactly one field of a group is set. */
  readonly group?: string;
  /** The kinds for which the field is set. For all others, it is absent. Undefined if it depends on no kind. */
  readonly when?: readonly Condition[];
}

export interface PlannedEnum extends Documented, Uses {
  readonly kind: "enum";
  readonly name: string;
  readonly base: string;
  readonly values: readonly PlannedEnumValue[];
  /**
   * Name of the constant with the numbers of an integer enum: `OrderSideNumber`. Undefined if a number is not safe in
   * JavaScript.
   */
  readonly numbersName: string | undefined;
}

export interface PlannedEnumValue extends Documented {
  readonly key: string;
  /** Text in JSON. */
  readonly wire: string;
  /** For an integer enum, its number as text. Old clients may send it instead of the text. */
  readonly number?: string;
}

export interface PlannedAlias extends Documented, Uses {
  readonly kind: "alias";
  readonly name: string;
  /** With `brand`: the function that marks a plain value as one of this type, such as `toPatientId`. */
  readonly brander: string | undefined;
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

export interface PlannedError extends Documented {
  /** Name on the wire. */
  readonly name: string;
  /** `UnauthorizedError`. */
  readonly className: string;
  readonly code: number;
  readonly message: string;
  readonly httpStatus: number;
  readonly isOfProtocol: boolean;
  /** The data that the error carries. */
  readonly data?: PlannedErrorData;
}

export interface PlannedErrorData {
  /** Name of its TypeScript type. */
  readonly type: string;
  /** Name of the struct behind the type. */
  readonly typeName: string;
}

export interface PlannedService extends Documented {
  /** Name on the wire. */
  readonly name: string;
  /** Identifier: `Marketplace`. */
  readonly className: string;
  /** Base name of its files: `marketplace`. */
  readonly fileName: string;
  readonly methods: readonly PlannedMethod[];
}

export interface PlannedMethod extends Documented {
  /** Name on the wire. */
  readonly name: string;
  /** `getOrders`. */
  readonly functionName: string;
  /** Name of its method in the class of the service. Unlike `functionName`, it may be a keyword. */
  readonly memberName: string;
  /** `/rpc/Marketplace/GetOrders`. */
  readonly path: string;
  readonly request: PlannedBody;
  readonly response: PlannedBody;
  /** Sent in addition to the request. */
  readonly files: readonly PlannedFile[];
  /** The response is a file. `response` is then empty, and no type is declared for it. */
  readonly fileOutput: boolean;
  readonly streamInput: boolean;
  /** The method streams its response. `response` then describes each item. */
  readonly streamOutput: boolean;
  /**
   * The schema errors that the handler may raise: none with `@noErrors`. Undefined if the method has no list: it may
   * raise any.
   */
  readonly errors: readonly PlannedError[] | undefined;
  readonly annotations: ReadonlyMap<string, string | undefined>;
  /** Safe to repeat (`@idempotent` or `@readonly`). */
  readonly idempotent: boolean;
  /** Calls may have an idempotency key (`@idempotencyKey`), so that clients can repeat them. */
  readonly takesKey?: true;
  /** The method is called here, and not on `path`. */
  readonly route?: PlannedRoute;
  /** The method has a GET or QUERY route, or `@cache`. With `@cache` alone, it is called by GET and QUERY on `path`, too. */
  readonly read?: PlannedRead;
  /** When the method was deprecated, and when it stops working. At least one of them. */
  readonly deprecation?: DeprecationDates;
  /** From a usable `@paging`. */
  readonly paging?: PlannedPaging;
  /** From a usable `@resume`. */
  readonly resume?: PlannedResume;
}

/** The fields that lead to a value, from the outermost struct to the innermost. */
export type FieldPath = readonly PlannedField[];

/** How clients continue a stream. */
export interface PlannedResume {
  /** In the request: the position after which the stream starts. */
  readonly after: FieldPath;
  /** In the response: the position of an item. */
  readonly id: FieldPath;
  /** The type of both in TypeScript. */
  readonly form: "string" | "number" | "bigint";
}

/** How a list is read page by page. */
export interface PlannedPaging {
  /** In the request. */
  readonly size: FieldPath;
  /** In the request: the number of a page, or a cursor. */
  readonly page: FieldPath;
  readonly isCursor: boolean;
  /** A bigint if numbers of pages are bigints in TypeScript. 0 for cursors. */
  readonly firstPage: number | bigint;
  /**
   * In the response: the cursor of the next page, or whether there is one. Undefined: an empty page is the last one.
   */
  readonly more?: FieldPath;
  /** In the response. Undefined: clients cannot know which list it is. */
  readonly items?: FieldPath;
  /** Type of an entry of `items`. */
  readonly item?: ResolvedType;
}

/** How caches may use the responses of a method. */
export interface PlannedRead {
  /** Value of the header `Cache-Control`. */
  readonly cacheControl: string;
  /** Request headers on which the response depends. */
  readonly vary: readonly string[];
}

/** The verb and path of a method, and where its request fields are. */
export interface PlannedRoute {
  readonly verb: string;
  /** With the basepath and the path of the service: `/rpc/pets/{id}`. */
  readonly path: string;
  /** The fields in the path, in its order. */
  readonly parameters: readonly RouteField[];
  /** The fields in the query. Undefined if the request has a body. */
  readonly query?: readonly RouteField[];
}

/** A request field in a path or a query. */
export interface RouteField {
  /** Key in JSON. */
  readonly name: string;
  /** Key in the query, if it differs. */
  readonly queryName?: string;
  /** The core type of the value in JSON. An enum is a string. */
  readonly type: CoreType;
  readonly isList: boolean;
  /** The field may be absent: it is optional or nullable, or has a default. */
  readonly isOptional: boolean;
  /** Whether the value is secret or personal data, so that it is neither logged nor quoted. */
  readonly isMarked: boolean;
  /** The message of issues. */
  readonly message: string | undefined;
}

export interface PlannedBody {
  /** Name of the struct. */
  readonly typeName: string;
  /** Name of the interface that callers use. */
  readonly callerType: string;
  /** Name of the interface that handlers use. In requests, fields with a default are required. */
  readonly handlerType: string;
  /** Whether the method's arguments declare the body. Otherwise, the body is a struct of the schema. */
  readonly isOwn: boolean;
  /** The body has no fields. Callers may omit it, and the server accepts `null` or an empty body. */
  readonly isEmpty: boolean;
  readonly hasBigint: boolean;
}

type EmptyText = "[]" | "{}" | '""';

/** Finds planned types by name. */
export class TypeFinder {
  readonly #byName: ReadonlyMap<string, PlannedType>;

  constructor(types: readonly PlannedType[]) {
    this.#byName = new Map(types.map((type) => [type.name, type]));
  }

  struct(name: string): PlannedStruct {
    return this.#find(name, "struct") as PlannedStruct;
  }

  enum(name: string): PlannedEnum {
    return this.#find(name, "enum") as PlannedEnum;
  }

  alias(name: string): PlannedAlias {
    return this.#find(name, "alias") as PlannedAlias;
  }

  /** Resolves aliases. */
  unaliased(type: ResolvedType): UnaliasedType {
    return unaliased(type, (name) => this.alias(name).type);
  }

  /** Returns the JSON of an empty list, map or byte string, for which Go writes `null`. Undefined for other types. */
  emptyText(type: ResolvedType): EmptyText | undefined {
    const resolved = this.unaliased(type);
    if (resolved.kind === "map") return "{}";
    if (resolved.kind !== "list") return undefined;
    return isBytes(resolved) ? '""' : "[]";
  }

  #find(name: string, kind: TypeReference["kind"]): PlannedType {
    const type = this.#byName.get(name);
    if (type?.kind !== kind) throw new Error(`no ${kind} "${name}" in the plan`);
    return type;
  }
}

/** Returns the names of all enums, and of the aliases of an enum. */
export function enumNames(types: readonly PlannedType[]): ReadonlySet<string> {
  const found = new Set<string>();
  const aliases = new Map<string, string[]>();
  for (const type of types) {
    if (type.kind === "enum") found.add(type.name);
    if (type.kind !== "alias" || (type.type.kind !== "enum" && type.type.kind !== "alias")) continue;
    const { name } = type.type;
    aliases.set(name, [...(aliases.get(name) ?? []), type.name]);
  }
  // Iterating a Set includes elements added during the loop.
  for (const name of found) for (const alias of aliases.get(name) ?? []) found.add(alias);
  return found;
}
