import type { Constraints } from "../model/meta/read.ts";
import type {
  AliasModel,
  EnumModel,
  ErrorModel,
  FieldModel,
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
  StructModel,
  TypeModel,
} from "../model/model.ts";
import type { ResolvedType } from "../model/types.ts";
import { type BuiltinError, builtinErrors } from "./builtin-errors.ts";
import { camelCase, claimName, kebabCase, pascalCase, propertyKey } from "./names.ts";
import type {
  Plan,
  PlannedBody,
  PlannedError,
  PlannedField,
  PlannedMethod,
  PlannedService,
  PlannedStruct,
  PlannedType,
  Uses,
} from "./plan.ts";
import { bigintFinder, typeText } from "./type-text.ts";
import { findUses } from "./uses.ts";

export interface PlanInput {
  readonly model: Model;
  /** As the configuration writes it. */
  readonly schemaFile: string;
  readonly irText: string;
  readonly schemaHash: string;
  /** Other names and messages for built-in errors, by code. */
  readonly builtinErrors?: Readonly<Record<string, { readonly name?: string; readonly message?: string }>>;
}

/** Decides names, order and imports of all that is generated. */
export function buildPlan({
  model,
  schemaFile,
  irText,
  schemaHash,
  builtinErrors: renamed = {},
}: PlanInput): Plan {
  const planner = new Planner(model);
  const types = model.types.map((type) => planner.type(type));
  const errors = planErrors(model.errors, renamed);
  const services = planner.services(errors);
  return {
    schemaFile,
    schemaName: model.name,
    schemaVersion: model.version,
    schemaHash,
    irText,
    basepath: model.basepath,
    types: [...types, ...planner.bodies],
    errors,
    services,
    model,
  };
}

function planErrors(
  own: readonly ErrorModel[],
  renamed: NonNullable<PlanInput["builtinErrors"]>,
): PlannedError[] {
  const taken = new Set<string>();
  const builtins = builtinErrors.map(
    (error): PlannedError => planBuiltin({ ...error, ...renamed[String(error.code)] }, taken),
  );
  const declared = [...own]
    .sort((a, b) => a.code - b.code)
    .map(
      ({ name, code, message, httpStatus, docs }): PlannedError => ({
        name,
        className: claimName(errorClass(name), taken),
        code,
        message,
        httpStatus,
        builtin: false,
        docs,
      }),
    );
  return [...builtins, ...declared];
}

function planBuiltin({ name, code, message, httpStatus }: BuiltinError, taken: Set<string>): PlannedError {
  return {
    name,
    className: claimName(errorClass(name), taken),
    code,
    message,
    httpStatus,
    builtin: true,
    docs: [],
  };
}

/** `NotFound` → `NotFoundError`; `WebrpcInternalError` stays. */
function errorClass(name: string): string {
  const pascal = pascalCase(name);
  return pascal.endsWith("Error") ? pascal : `${pascal}Error`;
}

class Planner {
  /** Interfaces of bodies that no struct of the schema gives. */
  readonly bodies: PlannedStruct[] = [];
  readonly #model: Model;
  readonly #uses: ReadonlyMap<string, Uses>;
  readonly #hasBigint: (type: ResolvedType) => boolean;
  readonly #typeNames: Set<string>;
  /** Names of methods that more than one service has. */
  readonly #sharedMethods: ReadonlySet<string>;

  constructor(model: Model) {
    this.#model = model;
    this.#uses = findUses(model);
    this.#hasBigint = bigintFinder(model);
    this.#typeNames = new Set(model.types.map(({ name }) => pascalCase(name)));
    const names = model.services.flatMap(({ methods }) => methods.map(({ name }) => pascalCase(name)));
    this.#sharedMethods = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  }

  type(type: TypeModel): PlannedType {
    const uses = this.#uses.get(type.name) ?? { inRequests: false, inResponses: false };
    switch (type.kind) {
      case "struct":
        return this.#struct(type, uses);
      case "enum":
        return planEnum(type, uses);
      case "alias":
        return this.#alias(type, uses);
    }
  }

  services(errors: readonly PlannedError[]): PlannedService[] {
    const taken = new Set<string>();
    const files = new Set<string>();
    return this.#model.services.map((service) => {
      const functions = new Set<string>();
      const className = claimName(pascalCase(service.name), taken);
      const methods = service.methods.map((method) => this.#method(method, service, errors, functions));
      const typeNames = new Set(
        methods.flatMap(({ request, response }) => [request.typeName, response.typeName]),
      );
      return {
        name: service.name,
        className,
        fileName: claimName(kebabCase(service.name), files),
        docs: service.docs,
        methods,
        typeNames: [...typeNames].sort(byCodeUnit),
      };
    });
  }

  #struct(struct: StructModel, uses: Uses): PlannedStruct {
    const fields = struct.fields.flatMap((field) => planField(field));
    const hasBigint = this.#hasBigint({ kind: "struct", name: struct.name });
    return { kind: "struct", name: pascalCase(struct.name), docs: struct.docs, fields, hasBigint, ...uses };
  }

  #alias(alias: AliasModel, uses: Uses): PlannedType {
    return {
      kind: "alias",
      name: pascalCase(alias.name),
      docs: alias.docs,
      ...deprecation(alias.constraints),
      typeText: typeText(alias.type),
      type: alias.type,
      constraints: alias.constraints,
      hasBigint: this.#hasBigint(alias.type),
      ...uses,
    };
  }

  #method(
    method: MethodModel,
    service: ServiceModel,
    errors: readonly PlannedError[],
    functions: Set<string>,
  ): PlannedMethod {
    const annotations = new Map(method.annotations.map(({ name, value }) => [name, value]));
    return {
      name: method.name,
      functionName: claimName(camelCase(method.name), functions),
      path: `${this.#model.basepath}${service.name}/${method.name}`,
      docs: method.docs,
      ...(annotations.has("deprecated") ? { deprecated: annotations.get("deprecated") ?? "" } : {}),
      request: this.#body(method.input, method, service, "Request"),
      response: this.#body(method.output, method, service, "Response"),
      streamInput: method.streamInput,
      streamOutput: method.streamOutput,
      errors: method.errors?.flatMap((name) =>
        errors.filter((error) => !error.builtin && error.name === name),
      ),
      annotations,
      idempotent: annotations.has("idempotent") || annotations.has("readonly"),
    };
  }

  /** The struct of a succinct body, or an interface of its own: `GetUserRequest`, with the service in front where two would clash. */
  #body(
    payload: PayloadModel,
    method: MethodModel,
    service: ServiceModel,
    side: "Request" | "Response",
  ): PlannedBody {
    if (payload.kind === "struct") {
      const struct = this.#model.typeByName.get(payload.name);
      const isEmpty = struct?.kind === "struct" && struct.fields.length === 0;
      return {
        typeName: pascalCase(payload.name),
        isEmpty,
        hasBigint: this.#hasBigint({ kind: "struct", name: payload.name }),
      };
    }
    const own = pascalCase(method.name);
    const wanted = this.#sharedMethods.has(own)
      ? `${pascalCase(service.name)}${own}${side}`
      : `${own}${side}`;
    const name = claimName(wanted, this.#typeNames);
    const fields = payload.arguments.map(
      (argument): PlannedField => ({
        wireName: argument.name,
        key: propertyKey(argument.name),
        optional: argument.optional,
        nullable: false,
        typeText: typeText(argument.type),
        type: argument.type,
        constraints: argument.constraints,
        aliases: [],
        twins: [],
        docs: [],
      }),
    );
    const hasBigint = payload.arguments.some(({ type }) => this.#hasBigint(type));
    const uses = { inRequests: side === "Request", inResponses: side === "Response" };
    this.bodies.push({ kind: "struct", name, docs: [], fields, hasBigint, ...uses });
    return { typeName: name, isEmpty: fields.length === 0, hasBigint };
  }
}

function planField(field: FieldModel): PlannedField[] {
  // A field with `json = -` never goes over the wire.
  if (field.wireName === undefined) return [];
  const { constraints } = field;
  const nullable = constraints.nullable === "always";
  return [
    {
      wireName: field.wireName,
      key: propertyKey(field.wireName),
      optional: field.optional && !nullable,
      nullable,
      typeText: typeText(field.type),
      type: field.type,
      constraints,
      aliases: field.aliases,
      twins: field.twins,
      docs: field.docs,
      ...deprecation(constraints),
    },
  ];
}

function planEnum(type: EnumModel, uses: Uses): PlannedType {
  const values = type.values.map((value) => ({
    key: propertyKey(value.name),
    wire: value.wire,
    ...(type.base === "string" ? {} : { number: value.value }),
    docs: value.docs,
  }));
  return { kind: "enum", name: pascalCase(type.name), docs: type.docs, base: type.base, values, ...uses };
}

function deprecation({ deprecated }: Constraints): { readonly deprecated?: string } {
  if (deprecated === undefined) return {};
  return { deprecated: deprecated === true ? "" : deprecated };
}

/** Never by locale: output is the same on every machine. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
