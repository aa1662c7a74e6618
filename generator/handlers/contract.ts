import { hash } from "node:crypto";
import { handlersName } from "../codegen/emit/server/service-view.ts";
import { declarationsOf, type TsDeclaration } from "../codegen/emit/types/declarations.ts";
import { resolveOptions } from "../codegen/options.ts";
import { buildPlan } from "../codegen/plan/build.ts";
import {
  isOmitted,
  type Plan,
  type PlannedMethod,
  type PlannedService,
  type PlannedStruct,
  type PlannedType,
} from "../codegen/plan/plan.ts";
import type { Model } from "../language/model/model.ts";
import type { ResolvedType } from "../language/model/types.ts";

/**
 * The part of the contract that handlers depend on: the generated names that they use, and a hash of the shape of each item. A renamed item
 * is recognized by its hash. Kept small, because it is stored between runs.
 */
export interface HandlersContract {
  readonly services: Readonly<Record<string, ContractService>>;
  /** Shapes of the exported types, by name. */
  readonly types: Readonly<Record<string, string>>;
}

export interface ContractService {
  /** Name of the interface: `MarketplaceHandlers`. */
  readonly handlers: string;
  readonly methods: Readonly<Record<string, ContractMethod>>;
}

export interface ContractMethod {
  /** Name of the handler in its stub: `getOrders`. */
  readonly functionName: string;
  readonly request: string;
  readonly response: string;
  /** Hash of the fields of both bodies; "" if neither body has fields, because all such methods look the same. */
  readonly shape: string;
  /** Whether the handler yields items of a stream. */
  readonly isStream?: true;
  /** The former name from the schema: `@renamedFrom:FindOrders`. */
  readonly renamedFrom?: string;
}

/** The contract of a schema with the default options: handlers do not depend on them. */
export function contractOfModel(model: Model): HandlersContract {
  return contractOf(buildPlan(model, resolveOptions({})));
}

export function contractOf(plan: Plan): HandlersContract {
  const types = new Shapes(plan.types);
  return {
    services: Object.fromEntries(plan.services.map((service) => [service.name, serviceOf(service, types)])),
    types: Object.fromEntries(
      declarationsOf(plan).map((declaration) => [declaration.name, shapeOfDeclaration(declaration, types)]),
    ),
  };
}

/** The types of a plan by name, with cached shapes. */
class Shapes {
  readonly #types: Types;
  readonly #known = new Map<PlannedType, string>();

  constructor(types: readonly PlannedType[]) {
    this.#types = new Map(types.map((type) => [type.name, type]));
  }

  get(name: string): PlannedType | undefined {
    return this.#types.get(name);
  }

  of(type: PlannedType): string {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const shape = shapeOfType(type, this.#types);
    this.#known.set(type, shape);
    return shape;
  }
}

/** Some interfaces are variants of a type, such as a request after its defaults are filled in. */
function shapeOfDeclaration(declaration: TsDeclaration, types: Shapes): string {
  const type = types.get(declaration.name);
  if (type !== undefined) return types.of(type);
  const base = declaration.kind === "interface" ? types.get(declaration.base ?? "") : undefined;
  return base === undefined ? "" : digest(["view", types.of(base)]);
}

function serviceOf(service: PlannedService, types: Shapes): ContractService {
  return {
    handlers: handlersName(service),
    methods: Object.fromEntries(
      service.methods
        .filter((method) => !isOmitted(method))
        .map((method) => [method.name, methodOf(method, types)]),
    ),
  };
}

function methodOf(method: PlannedMethod, types: Shapes): ContractMethod {
  const { functionName, request, response, streamInput, streamOutput, annotations } = method;
  const bodies = [request, response].map((body) => types.get(body.typeName));
  const hasFields = bodies.some((body) => body?.kind === "struct" && body.fields.length > 0);
  const shapes = bodies.map((body) => (body === undefined ? "" : types.of(body)));
  const renamedFrom = annotations.get("renamedFrom");
  return {
    functionName,
    request: request.typeName,
    response: response.typeName,
    shape: hasFields ? digest([...shapes, streamInput, streamOutput]) : "",
    ...(streamOutput ? { isStream: true } : {}),
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
  };
}

type Types = ReadonlyMap<string, PlannedType>;

/** Hashes a type without its name. Hashes references by the members of their types, so that these types may be renamed in the same edit. */
function shapeOfType(type: PlannedType, types: Types): string {
  switch (type.kind) {
    case "struct":
      return digest([
        "struct",
        type.fields.map(({ wireName, optional, nullable, type: of }) => [
          wireName,
          optional,
          nullable,
          shapeOf(of, types),
        ]),
      ]);
    case "enum":
      return digest(["enum", type.base, type.values.map(({ wire }) => wire)]);
    case "alias":
      // Aliases of the same type differ only in their constraints.
      return digest(["alias", shapeOf(type.type, types), type.constraints]);
  }
}

function shapeOf(type: ResolvedType, types: Types): unknown {
  switch (type.kind) {
    case "core":
      return type.name;
    case "list":
      return ["list", shapeOf(type.element, types)];
    case "map":
      return ["map", shapeOf(type.value, types)];
    case "unknown":
      return "unknown";
    default:
      return ["named", membersOf(types.get(type.name))];
  }
}

function membersOf(type: PlannedType | undefined): unknown {
  if (type?.kind === "struct") return fieldNames(type);
  if (type?.kind === "enum") return type.values.map(({ wire }) => wire);
  return type?.kind ?? "";
}

function fieldNames({ fields }: PlannedStruct): readonly string[] {
  return fields.map(({ wireName }) => wireName);
}

function digest(value: unknown): string {
  return hash("sha256", JSON.stringify(value, bigintsAsText), "base64url").slice(0, 12);
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
