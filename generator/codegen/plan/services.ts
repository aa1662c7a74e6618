import { idempotencyKeyName, keyFault, readDeprecation } from "../../language/model/annotations.ts";
import type {
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
  TypeModel,
} from "../../language/model/model.ts";
import { type PagingModel, readPaging } from "../../language/model/paging.ts";
import { type ResumeModel, readResume } from "../../language/model/resume.ts";
import { documented, withDeprecation } from "./deprecations.ts";
import {
  claimName,
  kebabCase,
  memberIdentifier,
  pascalCase,
  typeIdentifier,
  valueIdentifier,
} from "./names.ts";
import type { PlannedBody, PlannedError, PlannedMethod, PlannedService, PlannedStruct } from "./plan.ts";
import { planRead } from "./reads.ts";
import { type Route, routeOf } from "./routes.ts";
import type { TypeNames } from "./type-names.ts";
import { planFile, type TypePlanner } from "./types.ts";

type Side = "Request" | "Response";

/** A body before its views are named. */
export type Body = Omit<PlannedBody, "callerType" | "handlerType">;

export type Method = Omit<PlannedMethod, "request" | "response" | "route" | "paging" | "resume"> & {
  readonly request: Body;
  readonly response: Body;
  readonly route?: Route;
  readonly paging?: PagingModel;
  readonly resume?: ResumeModel;
};

export type Service = Omit<PlannedService, "methods"> & { readonly methods: readonly Method[] };

/** Plans the services of a model. */
export class ServicePlanner {
  /** The request and response types that methods declare by their arguments. */
  readonly bodies: PlannedStruct[] = [];
  readonly #model: Model;
  readonly #names: TypeNames;
  readonly #types: TypePlanner;
  readonly #errors: ReadonlyMap<string, PlannedError>;
  /** Names of methods that several services have. */
  readonly #sharedMethods: ReadonlySet<string>;

  constructor(model: Model, names: TypeNames, types: TypePlanner, errors: readonly PlannedError[]) {
    this.#model = model;
    this.#names = names;
    this.#types = types;
    this.#errors = new Map(errors.filter(({ builtin }) => !builtin).map((error) => [error.name, error]));
    this.#sharedMethods = sharedNames(model.services);
  }

  plan(): Service[] {
    const classes = new Set<string>();
    const files = new Set<string>();
    return this.#model.services.map((service) => {
      const className = claimName(typeIdentifier(service.name), classes);
      // The class and the functions of a service are exports of one module.
      const functions = new Set([className]);
      const members = new Set<string>();
      return {
        name: service.name,
        className,
        fileName: claimName(kebabCase(service.name), files),
        ...documented(service.docs),
        methods: service.methods.map((method) =>
          this.#method(method, service, {
            functionName: claimName(valueIdentifier(method.name), functions),
            memberName: claimName(memberIdentifier(method.name), members),
          }),
        ),
      };
    });
  }

  #method(
    method: MethodModel,
    service: ServiceModel,
    { functionName, memberName }: Pick<Method, "functionName" | "memberName">,
  ): Method {
    const annotations = new Map(method.annotations.map(({ name, value }) => [name, value]));
    const reason = annotations.has("deprecated") ? (annotations.get("deprecated") ?? "") : undefined;
    const { docs, deprecated } = documented(method.docs, reason);
    const planned = {
      name: method.name,
      functionName,
      memberName,
      path: `${this.#model.basepath}${service.name}/${method.name}`,
      docs,
      request: this.#body(method.input, method, service, "Request"),
      response: method.fileOutput ? noBody : this.#body(method.output, method, service, "Response"),
      files: method.files.map(planFile),
      fileOutput: method.fileOutput,
      streamInput: method.streamInput,
      streamOutput: method.streamOutput,
      errors: method.errors?.flatMap((name) => this.#errors.get(name) ?? []),
      annotations,
      idempotent: annotations.has("idempotent") || annotations.has("readonly"),
    };
    const takesKey = annotations.has(idempotencyKeyName) && keyFault(keyedMethod(method)) === undefined;
    const { dates } = readDeprecation(method.annotations);
    const route = method.route && routeOf(method.route, this.#model);
    const read = planRead(annotations, route);
    const typeOf = (name: string): TypeModel | undefined => this.#model.typeByName.get(name);
    const paging = readPaging(method, typeOf);
    const resume = readResume(method, { typeOf, errorNames: this.#model.errors.map(({ name }) => name) });
    const called = {
      ...planned,
      ...(takesKey ? { takesKey } : {}),
      ...(Object.keys(dates).length === 0 ? {} : { deprecation: dates }),
      ...(route === undefined ? {} : { route }),
      ...(read === undefined ? {} : { read }),
      ...(paging === undefined || !("page" in paging) ? {} : { paging }),
      ...(resume === undefined || !("after" in resume) ? {} : { resume }),
    };
    return withDeprecation(called, deprecated);
  }

  /**
   * Returns a struct of the schema, or a type such as `GetUserRequest` for arguments. The service's name is prepended
   * if two methods have the same name.
   */
  #body(payload: PayloadModel, method: MethodModel, service: ServiceModel, side: Side): Body {
    if (payload.kind === "struct") {
      const struct = this.#model.typeByName.get(payload.name);
      return {
        typeName: this.#names.of(payload.name),
        isOwn: false,
        isEmpty: struct?.kind === "struct" && struct.fields.length === 0 && struct.files.length === 0,
        hasBigint: this.#types.hasBigint({ kind: "struct", name: payload.name }),
      };
    }
    const own = pascalCase(method.name);
    const owner = this.#sharedMethods.has(own) ? pascalCase(service.name) : "";
    const typeName = this.#names.claim(`${owner}${own}${side}`);
    const uses = { inRequests: side === "Request", inResponses: side === "Response" };
    const body = this.#types.body(typeName, payload.arguments, uses);
    const files = side === "Request" ? method.files.filter(({ within }) => within === undefined) : [];
    this.bodies.push(files.length === 0 ? body : { ...body, files: files.map(planFile) });
    const isEmpty = body.fields.length === 0 && files.length === 0;
    return { typeName, isOwn: true, isEmpty, hasBigint: body.hasBigint };
  }
}

function keyedMethod(method: MethodModel): Parameters<typeof keyFault>[0] {
  return {
    annotations: method.annotations,
    verb: method.route?.verb,
    isStream: method.streamInput || method.streamOutput,
    hasFiles: method.files.length > 0 || method.fileOutput,
  };
}

function sharedNames(services: readonly ServiceModel[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { methods } of services) {
    for (const { name } of methods) {
      const own = pascalCase(name);
      if (seen.has(own)) shared.add(own);
      seen.add(own);
    }
  }
  return shared;
}

/** The response of a method that returns a file. */
const noBody: Body = { typeName: "", isOwn: true, isEmpty: true, hasBigint: false };
