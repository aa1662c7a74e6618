import { camelCase, claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import { isOmitted, type Plan, type PlannedMethod, type PlannedService } from "../../plan/plan.ts";
import { decoding, encoding } from "./coders.ts";
import { fileExports, runtimeExports, streamExports } from "./exports.ts";

/** What the files of the services declare. */
export interface ClientNames {
  /** All that the file of a service declares. In a client of a single file this is the same for all of them. */
  readonly ofFile: (service: PlannedService) => ReadonlySet<string>;
  /** The type of what a method may fail with: `getOrders` → `GetOrdersError`. */
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
 * In a client of a single file, where two services have a method of one name, both functions carry the name of their service:
 * `petsPing` and `ordersPing`. So no function becomes that of another service because a method was added. */
export function withUniqueFunctions(plan: Plan): Plan {
  if (plan.layout === "services") return plan;
  const methods = plan.services.flatMap((service) => service.methods);
  const counts = new Map<string, number>();
  for (const { functionName } of methods) counts.set(functionName, (counts.get(functionName) ?? 0) + 1);
  const isShared = (name: string): boolean =>
    (counts.get(name) ?? 0) > 1 || reservedExports.has(name) || /^(?:de|en)code[A-Z]/.test(name);
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

/** What a client of a single file declares or exports beside the methods. */
const reservedExports: ReadonlySet<string> = new Set([
  "schema",
  "refusal",
  ...[runtimeExports, streamExports, fileExports]
    .flatMap((files) => Object.values(files).flat())
    .map((item) => item.replace("type ", "")),
  ...[decoding, encoding].flatMap(({ runtimeFunctions }) => Object.values(runtimeFunctions).flat()),
]);

function qualifiedFunction({ name }: PlannedService, method: PlannedMethod): string {
  return camelCase(name) + pascalCase(withoutEscape(method.functionName));
}
