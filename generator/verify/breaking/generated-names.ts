import { claimName, MethodNames, typeIdentifier, valueIdentifier } from "../../codegen/plan/names.ts";
import type { MethodModel, Model, ServiceModel } from "../../language/model/model.ts";
import type { Findings } from "./findings.ts";
import type { Sides } from "./sides.ts";

/** Reports methods whose functions or types have other names in generated code, because other declarations took theirs. */
export function compareGeneratedNames(sides: Sides, findings: Findings): void {
  const { callers, server } = sides;
  const [old, own] = [namesOf(callers, sides), namesOf(server, sides)];
  for (const [name, { method, names }] of old) {
    const other = own.get(name);
    if (other === undefined) continue;
    const item = { name, at: sides.newSide === "server" ? other.method.at : method.at };
    for (const [index, callersName] of names.entries()) {
      const serverName = other.names[index];
      if (serverName !== undefined && callersName !== undefined && serverName !== callersName)
        findings.add("type-renamed", { callers: callersName, server: serverName }, item, `name:${index}`);
    }
  }
}

interface NamedMethod {
  readonly method: MethodModel;
  /** Undefined for a body that is a struct of the schema. */
  readonly names: readonly (string | undefined)[];
}

/** The names of each method's function, request and response, by service and method. */
function namesOf(
  model: Model,
  { callers, server, newSide, unchanged }: Sides,
): ReadonlyMap<string, NamedMethod> {
  const newer = newSide === "server" ? server : callers;
  // The older version was read without the methods of unchanged services.
  const methodsOf = ({ name, methods }: ServiceModel): readonly MethodModel[] =>
    (unchanged.services.has(name) && newer.services.find((service) => service.name === name)?.methods) ||
    methods;
  const taken = new Set(model.types.map(({ name }) => typeIdentifier(name)));
  const methodNames = new MethodNames();
  const found = new Map<string, NamedMethod>();
  for (const service of model.services)
    for (const method of methodsOf(service)) {
      const own = methodNames.of(service.name, method.name);
      const bodies = (["Request", "Response"] as const).map((side) =>
        (side === "Request" ? method.input : method.output).kind === "struct"
          ? undefined
          : claimName(`${own}${side}`, taken),
      );
      found.set(`${service.name}.${method.name}`, { method, names: [valueIdentifier(own), ...bodies] });
    }
  return found;
}
