/** Names of components that stay different in the code of all common generators. */

import { claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedEnumValue, PlannedType, TypeFinder } from "../../plan/plan.ts";
import { kindUnionOf } from "../../plan/unions.ts";
import type { Side } from "../../plan/values.ts";
import { findVariants, sidesOf } from "../json-schema/index.ts";
import type { Variants } from "../json-schema/schema-builder.ts";

/**
 * Claims names. Generators keep only letters and digits and may ignore case. They also derive names of their own from
 * operations, properties and responses, so that two types may get the same name.
 */
export class ComponentNames {
  readonly #taken = new Set(generatorNames.map(keyOf));
  readonly #operations: readonly string[];

  constructor({ services }: Plan) {
    const taken = new Set<string>();
    this.#operations = services.flatMap(({ name, methods }) =>
      methods.map((method) => claimName(keyOf(pascalCase(name) + pascalCase(method.name)), taken)),
    );
  }

  /**
   * Returns the first free name: `Order`, `OrderModel`, `OrderModel2`, … Generators append the suffixes to the name, so
   * these names are claimed, too.
   */
  claim(wanted: string, suffixes: readonly string[] = []): string {
    const keysOf = (name: string): readonly string[] =>
      ["", ...suffixes].map((suffix) => keyOf(name + suffix));
    let name = wanted;
    for (let count = 1; !keysOf(name).every((key) => this.#isFree(key)); count++)
      name = `${wanted}Model${count === 1 ? "" : count}`;
    for (const key of keysOf(name)) this.#taken.add(key);
    return name;
  }

  #isFree(key: string): boolean {
    if (this.#taken.has(key)) return false;
    return !this.#operations.some(
      (operation) => key.startsWith(operation) && derivedEnd.test(key.slice(operation.length)),
    );
  }
}

/** Names with the same key are the same name for some generators. */
export function keyOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** What follows the name of an operation in derived names. Operations of reads end with `_Get` or `_Query`. */
const derivedEnd =
  /^(get|query)?((json|multipart|formdata|text)?(request)?(body|data|errors?|headers|object|params|responses?|responseobject|result)?|(response)?[0-9]{3}.*)$/;

/** Global types that generated clients use, and names that they declare or import. */
const generatorNames: readonly string[] = [
  ...["Array", "Blob", "Headers", "Promise", "RequestInit", "Response", "TypedResponse"],
  ...["Client", "ClientInterface", "ClientOption", "ClientWithResponses", "ClientWithResponsesInterface"],
  ...["HttpRequestDoer", "RequestEditorFn", "ClientOptions", "Options"],
  ...["AuthenticatedClient", "File", "HTTPStatus", "Mapping", "TypeVar", "Unset"],
];

/** The types of the document. If the schemas of requests and responses differ, that of requests is `OrderInput`. */
export function componentVariants(plan: Plan, names: ComponentNames): Variants {
  const variants = findVariants(plan, { root: "#/components/schemas/", isCanonical: true });
  const types = plan.finder;
  const bodies = bodyNames(plan);
  const declared = plan.types.filter(({ name }) => !bodies.has(name));
  const claimed = new Map<string, string>();
  const claim = (type: PlannedType, side: Side, wanted: string): void => {
    claimed.set(variants.nameOf(type.name, side), names.claim(wanted, mapNames(type, types)));
  };
  for (const type of declared)
    claim(type, type.inResponses ? "response" : "request", withoutEscape(type.name));
  for (const type of declared)
    if (variants.isSplit(type.name)) claim(type, "request", `${withoutEscape(type.name)}Input`);
  for (const type of plan.types) {
    const name = bodies.get(type.name);
    if (name !== undefined) claim(type, "request", name);
  }
  const nameOf = (name: string, side: Side): string => claimed.get(variants.nameOf(name, side)) ?? name;
  const kindKey = (name: string, side: Side, kind: string): string =>
    `${variants.nameOf(name, side)} ${kind}`;
  for (const type of declared)
    for (const side of sidesOf(type, variants))
      for (const { key, wire } of kindsOf(type, types)) {
        const wanted = nameOf(type.name, side) + pascalCase(key);
        claimed.set(kindKey(type.name, side, wire), names.claim(wanted, mapNames(type, types)));
      }
  return {
    ...variants,
    nameOf,
    kindNameOf: (name, side, kind) => claimed.get(kindKey(name, side, kind)) ?? nameOf(name, side),
  };
}

/**
 * The names of bodies that the arguments of methods declare: `PetsGetInput` and `PetsGetOutput`. These names stay the same
 * when another service gets a method of the same name.
 */
function bodyNames({ services }: Plan): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const service of services) {
    for (const { name, request, response } of service.methods) {
      const prefix = pascalCase(service.name) + pascalCase(name);
      if (request.isOwn) names.set(request.typeName, `${prefix}Input`);
      if (response.isOwn) names.set(response.typeName, `${prefix}Output`);
    }
  }
  return names;
}

/** The kinds of a struct whose other fields depend on its kind. */
function kindsOf(type: PlannedType, types: TypeFinder): readonly PlannedEnumValue[] {
  const union = type.kind === "struct" ? kindUnionOf(type, types) : undefined;
  return union?.cases.map(({ kind }) => kind) ?? [];
}

/** The fields of a struct that are maps: generators declare a type for each. */
function mapNames(type: PlannedType, types: TypeFinder): readonly string[] {
  if (type.kind !== "struct") return [];
  return type.fields
    .filter((field) => types.unaliased(field.type).kind === "map")
    .map(({ wireName }) => wireName);
}
