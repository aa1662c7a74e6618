import { errorNames, functionNames } from "../../codegen/emit/client/index.ts";
import { claimName, MethodNames, typeIdentifier, valueIdentifier } from "../../codegen/plan/names.ts";
import type { MethodModel, Model, ServiceModel } from "../../language/model/model.ts";
import type { Findings } from "./findings.ts";
import { declaredRenames, serviceRenames } from "./renames.ts";
import type { Sides } from "./sides.ts";

/**
 * Reports methods whose functions or types have other names in generated code, because other declarations took theirs: as an error
 * if a name stands for another method in the new version.
 */
export function compareGeneratedNames(sides: Sides, findings: Findings): void {
  const { callers, server, newSide } = sides;
  const [before, now] = newSide === "server" ? [callers, server] : [server, callers];
  const [old, own] = [namesOf(before, sides), namesOf(now, sides)];
  const owners = new Map([...own].flatMap(([name, { names }]) => names.map((one) => [one, name] as const)));
  const successorOf = successors(before, now);
  for (const [name, { names }] of old) {
    const successor = successorOf(name);
    const kept = own.get(successor);
    const pairs = names.flatMap((oldName, index) => {
      const owner = owners.get(oldName);
      const isReused = owner !== undefined && owner !== successor;
      return oldName === undefined ? [] : [{ index, oldName, newName: kept?.names[index], owner, isReused }];
    });
    const reused = pairs.filter(({ isReused }) => isReused);
    const [{ owner = "" } = {}] = reused;
    const at = kept?.method.at ?? own.get(owner)?.method.at;
    if (at === undefined) continue;
    if (reused.length > 0) {
      const newNames = reused.flatMap(({ newName }) => newName ?? []);
      const parameters = { names: listed(reused.map(({ oldName }) => oldName)), before: name, now: owner };
      const note = newNames.length === 0 ? undefined : `"${successor}" is now ${listed(newNames)}.`;
      findings.add("name-reused", parameters, { name, at }, "names", { items: [name], note });
    }
    // Other names of a renamed method are no surprise.
    if (successor !== name) continue;
    for (const { index, oldName, newName, isReused } of pairs) {
      if (isReused || newName === undefined || oldName === newName) continue;
      const [callersName, serverName] = newSide === "server" ? [oldName, newName] : [newName, oldName];
      findings.add(
        "type-renamed",
        { callers: callersName, server: serverName },
        { name, at },
        `name:${index}`,
      );
    }
  }
}

/** Returns the function that returns the new name of a method: another one only if the method or its service was renamed. */
function successors(before: Model, now: Model): (name: string) => string {
  const methods = declaredRenames(before, now);
  const services = serviceRenames(before, now);
  return (name) => {
    const [service = "", method = ""] = name.split(".");
    return methods.get(name)?.name ?? `${services.get(service) ?? service}.${method}`;
  };
}

/** `"get", "GetError" and "GetRequest"`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

interface NamedMethod {
  readonly method: MethodModel;
  /** Undefined for a body that is a struct of the schema, and for what clients do not have. */
  readonly names: readonly (string | undefined)[];
}

/** The names of each method's function, error type, request and response, by service and method. */
function namesOf(
  model: Model,
  { callers, server, newSide, unchanged }: Sides,
): ReadonlyMap<string, NamedMethod> {
  const newer = newSide === "server" ? server : callers;
  // The older version was read without the methods of unchanged services.
  const methodsOf = ({ name, methods }: ServiceModel): readonly MethodModel[] =>
    (unchanged.services.has(name) && newer.services.find((service) => service.name === name)?.methods) ||
    methods;
  const classes = new Set<string>();
  const services = model.services.map((service) => {
    const className = claimName(typeIdentifier(service.name), classes);
    const functions = new Set([className]);
    const methods = methodsOf(service).map((method) => ({
      method,
      functionName: claimName(valueIdentifier(method.name), functions),
      streamInput: method.streamInput,
    }));
    return { name: service.name, className, methods };
  });
  const unique = functionNames(services);
  const exporting = services.map((service) => ({
    ...service,
    methods: service.methods.map((one) => ({ ...one, functionName: unique.get(one) ?? one.functionName })),
  }));
  const { errors } = errorNames(exporting);
  const taken = new Set(model.types.map(({ name }) => typeIdentifier(name)));
  const methodNames = new MethodNames();
  const found = new Map<string, NamedMethod>();
  for (const service of exporting)
    for (const one of service.methods) {
      const { method, functionName, streamInput } = one;
      const own = methodNames.of(service.name, method.name);
      const bodies = (["Request", "Response"] as const).map((side) =>
        (side === "Request" ? method.input : method.output).kind === "struct" ||
        (side === "Response" && method.fileOutput)
          ? undefined
          : claimName(`${own}${side}`, taken),
      );
      const names = [streamInput ? undefined : functionName, errors.get(one), ...bodies];
      found.set(`${service.name}.${method.name}`, { method, names });
    }
  return found;
}
