import { camelCase, claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import { isOmitted, type Plan, type PlannedMethod, type PlannedService } from "../../plan/plan.ts";
import {
  enumExports,
  fileExports,
  pageExports,
  readExports,
  resumeExports,
  runtimeExports,
  streamExports,
} from "./exports.ts";

export interface ClientNames {
  /** The names of classes, functions and error types. */
  readonly declared: ReadonlySet<string>;
  /** Returns the name of a method's error type: `getOrders` → `GetOrdersError`. */
  readonly errorOf: (method: PlannedMethod) => string;
}

export function clientNames({ services }: Plan): ClientNames {
  const methods = services.flatMap((service) => service.methods.filter((method) => !isOmitted(method)));
  const declared = new Set([
    ...services.map(({ className }) => className),
    ...methods.map(({ functionName }) => functionName),
  ]);
  const errors = new Map(
    methods.map((method) => [
      method,
      claimName(`${pascalCase(withoutEscape(method.functionName))}Error`, declared),
    ]),
  );
  return { declared, errorOf: (method) => errors.get(method) ?? "" };
}

/**
 * Prefixes functions of equally named methods with their service: `petsPing` and `ordersPing`. Neither keeps the plain
 * name, so adding a method never changes which service a function belongs to.
 */
export function withUniqueFunctions(plan: Plan): Plan {
  const methods = plan.services.flatMap((service) => service.methods);
  const counts = new Map<string, number>();
  for (const { functionName } of methods) counts.set(functionName, (counts.get(functionName) ?? 0) + 1);
  const isShared = (name: string): boolean =>
    (counts.get(name) ?? 0) > 1 || reservedExports.has(name) || name.startsWith("shapeOf");
  const taken = new Set([...reservedExports, ...[...counts.keys()].filter((name) => !isShared(name))]);
  const services = plan.services.map((service) => ({
    ...service,
    methods: service.methods.map((method) =>
      isShared(method.functionName)
        ? { ...method, functionName: claimName(qualifiedFunction(service, method), taken) }
        : method,
    ),
  }));
  return { ...plan, services };
}

/**
 * Names that a client may declare or export in addition to the methods. Reserved in all schemas, so that an
 * annotation such as `@paging` never renames a function.
 */
const reservedExports: ReadonlySet<string> = new Set([
  "schema",
  "generatedCodeV1",
  "paged",
  "resumable",
  ...[
    runtimeExports,
    streamExports,
    resumeExports,
    fileExports,
    enumExports,
    readExports,
    pageExports,
  ].flatMap(namesOf),
]);

function namesOf(exports: typeof runtimeExports): readonly string[] {
  return Object.values(exports)
    .flat()
    .map((item) => item.replace("type ", ""));
}

function qualifiedFunction({ name }: PlannedService, method: PlannedMethod): string {
  return camelCase(name) + pascalCase(withoutEscape(method.functionName));
}
