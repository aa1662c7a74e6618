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

/** The names that the files of services declare. */
export interface ClientNames {
  /** Returns all names that the file of a service declares. With the layout "single", all services share one file. */
  readonly ofFile: (service: PlannedService) => ReadonlySet<string>;
  /** Returns the name of a method's error type: `getOrders` → `GetOrdersError`. */
  readonly errorOf: (method: PlannedMethod) => string;
}

export function clientNames({ services, layout }: Plan): ClientNames {
  const errors = new Map<PlannedMethod, string>();
  const groups = layout === "single" ? [services] : services.map((service) => [service]);
  const files = new Map<PlannedService, ReadonlySet<string>>();
  for (const group of groups) {
    const methods = group.flatMap((service) => service.methods.filter((method) => !isOmitted(method)));
    const taken = new Set([
      ...group.map(({ className }) => className),
      ...methods.map(({ functionName }) => functionName),
    ]);
    for (const method of methods)
      errors.set(method, claimName(`${pascalCase(withoutEscape(method.functionName))}Error`, taken));
    for (const service of group) files.set(service, taken);
  }
  return {
    ofFile: (service) => files.get(service) ?? new Set(),
    errorOf: (method) => errors.get(method) ?? "",
  };
}

/**
 * With the layout "single", functions of equally named methods are prefixed with their service: `petsPing` and
 * `ordersPing`. Neither keeps the plain name, so adding a method never changes which service a function belongs to.
 */
export function withUniqueFunctions(plan: Plan): Plan {
  if (plan.layout === "services") return plan;
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
 * Names that a single-file client may declare or export in addition to the methods. Reserved in all schemas, so that an
 * annotation such as `@paging` never renames a function.
 */
const reservedExports: ReadonlySet<string> = new Set([
  "schema",
  "refusal",
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
