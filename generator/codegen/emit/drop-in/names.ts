import { claimName, isKeyword, typeIdentifier } from "../../plan/names.ts";
import {
  hasRoutes,
  type Plan,
  type PlannedError,
  type PlannedMethod,
  type PlannedService,
} from "../../plan/plan.ts";
import type { TypescriptOptions } from "./options.ts";
import { reservedFileNames, reservedNames, reservedRouteNames } from "./reserved.ts";

/** Names of the file's declarations. Each is unique. */
export class FileNames {
  readonly #reserved: ReadonlySet<string>;
  readonly #taken: Set<string>;
  readonly #types: ReadonlyMap<string, string>;
  readonly #services = new Map<PlannedService, string>();
  readonly #errors = new Map<PlannedError, string>();
  /** The type parameter for a server's context. */
  readonly context: string;

  constructor(plan: Plan, { compat }: TypescriptOptions) {
    this.#reserved = new Set([
      ...reservedNames,
      ...(hasRoutes(plan) ? reservedRouteNames : []),
      ...(hasFiles(plan) ? reservedFileNames : []),
    ]);
    this.#taken = new Set(this.#reserved);
    this.#types = this.#claimTypes(plan, compat ? compatNames(plan) : new Map());
    this.context = claimName("Context", new Set(plan.types.map(({ name }) => this.type(name))));
    for (const service of plan.services) this.#services.set(service, this.#claimService(service));
    for (const error of plan.errors) this.#errors.set(error, this.#claimError(error));
  }

  /** Returns the name of a type, by its name in the plan. */
  type(name: string): string {
    return this.#types.get(name) ?? name;
  }

  service(service: PlannedService): string {
    return this.#services.get(service) ?? service.className;
  }

  error(error: PlannedError): string {
    return this.#errors.get(error) ?? error.className;
  }

  /** Types that keep their name are claimed first. */
  #claimTypes({ types }: Plan, bodies: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const renamed = new Map<string, string>();
    for (const { name } of types) {
      const wanted = escaped(bodies.get(name) ?? name, this.#reserved);
      if (wanted === name) this.#taken.add(name);
      else renamed.set(name, wanted);
    }
    for (const [name, wanted] of renamed) renamed.set(name, claimName(wanted, this.#taken));
    return renamed;
  }

  /** A service has up to four declarations: `Pet`, `PetClient`, `PetServer`, `servePetRpc`. */
  #claimService({ name }: PlannedService): string {
    const wanted = escaped(identifier(name), this.#reserved);
    for (let count = 1; ; count++) {
      const claimed = count === 1 ? wanted : `${wanted}${count}`;
      const declared = [claimed, `${claimed}Client`, `${claimed}Server`, `serve${claimed}Rpc`];
      if (declared.some((one) => this.#taken.has(one))) continue;
      for (const one of declared) this.#taken.add(one);
      return claimed;
    }
  }

  /** gen-typescript appends "Error" to every name, even to names that end with it. */
  #claimError({ name, isOfProtocol }: PlannedError): string {
    const wanted = typeIdentifier(`${name}Error`);
    return isOfProtocol ? wanted : claimName(wanted, this.#taken);
  }
}

function hasFiles({ services }: Plan): boolean {
  return services.some(({ methods }) =>
    methods.some(({ files, fileOutput }) => fileOutput || files.length > 0),
  );
}

/** With `-compat`, bodies declared by arguments are called `GetUserArgs` and `GetUserReturn`. */
function compatNames({ services }: Plan): ReadonlyMap<string, string> {
  const bodies = services
    .flatMap(({ methods }) => methods)
    .flatMap(({ request, response }) => [
      { body: request, suffix: "Args" },
      { body: response, suffix: "Return" },
    ])
    .filter(({ body }) => body.isOwn);
  return new Map(
    bodies.map(({ body: { typeName }, suffix }) => [
      typeName,
      typeName.replace(/(Request|Response)(?=[0-9]*$)/, suffix),
    ]),
  );
}

/**
 * `GetUser` → `getUser`, `URLLookup` → `uRLLookup`: gen-typescript only lowers the first letter. With `fetch` among the
 * reserved names, `Fetch` → `fetch$`.
 */
export function memberNames(
  { methods }: PlannedService,
  reserved: ReadonlySet<string>,
): ReadonlyMap<PlannedMethod, string> {
  const taken = new Set<string>();
  return new Map(
    methods.map((method) => {
      const plain = identifier(method.name);
      const member = `${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
      return [method, claimName(reserved.has(member) ? `${member}$` : member, taken)];
    }),
  );
}

/** `GetUser` → `getUser`, `URLLookup` → `urlLookup`: the second part of a query key. */
export function queryName({ name }: PlannedMethod): string {
  const upper = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/.exec(name)?.[0] ?? "";
  return upper.toLowerCase() + name.slice(upper.length);
}

function escaped(name: string, reserved: ReadonlySet<string>): string {
  return reserved.has(name) || isKeyword(name) ? `${name}$` : name;
}

/** Replaces characters that identifiers cannot contain. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_$]/g, "_");
  return /^[0-9]/.test(plain) ? `_${plain}` : plain;
}
