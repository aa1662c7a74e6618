import type { Plan } from "../../plan/plan.ts";
import { FunctionRegistry, type ValidatorDeclaration } from "./function-registry.ts";
import { WriterRegistry } from "./write.ts";

/* The functions for the bodies of a version: of its requests, its responses and the data of its errors. */

/** What the current version prints. */
interface Validators {
  readonly requests: readonly Entry[];
  readonly responses: readonly Entry[];
  readonly errorData: readonly Entry[];
  readonly requestFunctions: readonly ValidatorDeclaration[];
  readonly responseFunctions: readonly ValidatorDeclaration[];
}

/** The validators of one method, or of the data of an error. */
interface Entry {
  /** The path of the method, or the name of the error. */
  readonly key: string;
  /** The functions that `text` refers to. */
  readonly names: readonly string[];
  readonly text: string;
}

export function validatorsOf(plan: Plan): Validators {
  const bodies = bodiesOf(plan);
  const readers = new FunctionRegistry(plan, "request");
  const requestFunctions = bodyFunctions(readers, bodies.requests.map(typeNameOf));
  const checkers = new FunctionRegistry(plan, "response", { shared: readers });
  const checked = [...bodies.responses, ...bodies.errorData].map(typeNameOf);
  const checks = bodyFunctions(checkers, checked);
  const writers = new WriterRegistry(plan, { isShort: false });
  const responseOf = ({ key, typeName }: Body): Entry => {
    const names = [`check${typeName}`, writers.body(typeName)] as const;
    return { key, names, text: `{ check: ${names[0]}, write: ${names[1]} }` };
  };
  return {
    requests: bodies.requests.map(requestOf),
    responses: bodies.responses.map(responseOf),
    errorData: bodies.errorData.map(responseOf),
    requestFunctions,
    responseFunctions: [...checks, ...writers.printAll()],
  };
}

function requestOf({ key, typeName }: Body): Entry {
  const name = `read${typeName}`;
  return { key, names: [name], text: name };
}

/** What the versions of a contract can share. */
export interface SharedValidators {
  readonly tables: Readonly<Record<keyof Bodies, readonly SharedEntry[]>>;
  /** As `validatorsOf` returns them, but without functions that return issues, and with short code. */
  readonly declared: readonly ValidatorDeclaration[];
  /** What only the checks of the types `checked` need. */
  readonly checks: readonly ValidatorDeclaration[];
  /** Returns the function that finds faults in values of a type as handlers see them. */
  checkOf(typeName: string): string;
}

/** The function that reads a request, or writes a response or the data of an error. */
export interface SharedEntry {
  readonly key: string;
  readonly name: string;
}

export function sharedValidatorsOf(plan: Plan, checked: readonly string[]): SharedValidators {
  const bodies = bodiesOf(plan);
  const readers = new FunctionRegistry(plan, "request");
  const requests = bodies.requests.map(({ key, typeName }) => ({
    key,
    name: readers.body(typeName).functionName,
  }));
  const requestFunctions = readers.printAll();
  const checkers = new FunctionRegistry(plan, "response", { shared: readers });
  const checkOf = (typeName: string): string => checkers.body(typeName).functionName;
  for (const { typeName } of [...bodies.responses, ...bodies.errorData]) checkOf(typeName);
  const responseChecks = checkers.printAll();
  const known = new Set(responseChecks.map(({ name }) => name));
  for (const typeName of checked) checkOf(typeName);
  const checks = checkers.printAll().filter(({ name }) => !known.has(name));
  const writers = new WriterRegistry(plan, { isShort: true });
  const writerOf = ({ key, typeName }: Body): SharedEntry => ({ key, name: writers.body(typeName) });
  const [responses, errorData] = [bodies.responses.map(writerOf), bodies.errorData.map(writerOf)];
  return {
    tables: { requests, responses, errorData },
    declared: [...requestFunctions, ...responseChecks, ...writers.printAll()],
    checks,
    checkOf,
  };
}

interface Body {
  /** The path of the method, or the name of the error. */
  readonly key: string;
  readonly typeName: string;
}

interface Bodies {
  readonly requests: readonly Body[];
  readonly responses: readonly Body[];
  readonly errorData: readonly Body[];
}

function bodiesOf({ services, errors }: Plan): Bodies {
  const methods = services.flatMap((service) => service.methods);
  return {
    requests: methods.map(({ path, request: { typeName } }) => ({ key: path, typeName })),
    responses: methods.flatMap(({ path, response: { typeName }, fileOutput }) =>
      fileOutput ? [] : [{ key: path, typeName }],
    ),
    errorData: errors.flatMap(({ name, data }) =>
      data === undefined ? [] : [{ key: name, typeName: data.typeName }],
    ),
  };
}

function typeNameOf({ typeName }: Body): string {
  return typeName;
}

/** Prints a function for each body, and everything that it uses. */
export function bodyFunctions(
  registry: FunctionRegistry,
  typeNames: readonly string[],
): readonly ValidatorDeclaration[] {
  const prefix = registry.side === "request" ? "read" : "check";
  for (const typeName of new Set(typeNames)) {
    const name = `${prefix}${typeName}`;
    registry.root(name, () => {
      return [
        registry.dialect.function(name, { value: "unknown" }, "v.Issues | undefined"),
        `  return v.issuesOf(${registry.body(typeName).call("value", "1")});`,
        "}",
      ];
    });
  }
  return registry.printAll();
}
