import { hash } from "node:crypto";
import { handlersName } from "../codegen/emit/server/service-view.ts";
import { type Layout, moduleIn } from "../codegen/plan/layout.ts";
import {
  isOmitted,
  type Plan,
  type PlannedDeclaration,
  type PlannedMethod,
  type PlannedService,
  type PlannedStruct,
  type PlannedType,
} from "../codegen/plan/plan.ts";
import type { ResolvedType } from "../language/model/types.ts";

/**
 * What handlers are written against: the names that they use of generated code, and shapes by which a name is known again after it
 * changed. Small, so that it can be remembered between two runs.
 */
export interface Contract {
  readonly services: Readonly<Record<string, ContractService>>;
  /** Shapes of the exported types, by name. */
  readonly types: Readonly<Record<string, string>>;
}

export interface ContractService {
  /** Name of the interface: `MarketplaceHandlers`. */
  readonly handlers: string;
  /** The module that it is in, from the generated folder, without its extension: `server/marketplace`. */
  readonly module: string;
  readonly methods: Readonly<Record<string, ContractMethod>>;
}

export interface ContractMethod {
  /** What its handler is called in a file made for it: `getOrders`. */
  readonly functionName: string;
  readonly request: string;
  readonly response: string;
  /** Of the fields of both bodies; "" if neither has any, since such methods are all alike. */
  readonly shape: string;
  /** Its handler yields items. */
  readonly isStream?: true;
  /** Its former name, if the schema says it: `@renamedFrom:FindOrders`. */
  readonly renamedFrom?: string;
}

export function contractOf(plan: Plan): Contract {
  const types = new Shapes(plan.types);
  return {
    services: Object.fromEntries(
      plan.services.map((service) => [service.name, serviceOf(service, plan.layout, types)]),
    ),
    types: Object.fromEntries(
      plan.declarations.map((declaration) => [declaration.name, shapeOfDeclaration(declaration, types)]),
    ),
  };
}

/** The types of a plan by name, and the shape of each, worked out once. */
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

/** Some interfaces are views of a type, such as a request whose defaults are filled in. */
function shapeOfDeclaration(declaration: PlannedDeclaration, types: Shapes): string {
  const type = types.get(declaration.name);
  if (type !== undefined) return types.of(type);
  const base = declaration.kind === "interface" ? types.get(declaration.base ?? "") : undefined;
  return base === undefined ? "" : digest(["view", types.of(base)]);
}

function serviceOf(service: PlannedService, layout: Layout, types: Shapes): ContractService {
  return {
    handlers: handlersName(service),
    module: moduleIn(`server/${service.fileName}`, layout),
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

/** Its own name is left out; types that it refers to count by their members, so that they may be renamed in the same edit. */
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
      // Aliases of one type are told apart by what they allow, if by anything.
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
