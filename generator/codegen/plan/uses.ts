import type { Model, PayloadModel } from "../../language/model/model.ts";
import type { ResolvedType, TypeReference } from "../../language/model/types.ts";
import type { Uses } from "./plan.ts";

/** Finds which types requests and responses contain, starting at the methods. */
export function findUses(model: Model): ReadonlyMap<string, Uses> {
  const methods = model.services.flatMap((service) => service.methods);
  const inRequests = reachable(
    model,
    methods.map(({ input }) => input),
  );
  const inResponses = reachable(
    model,
    methods.map(({ output }) => output),
  );
  return new Map(
    model.types.map(({ name }) => [
      name,
      { inRequests: inRequests.has(name), inResponses: inResponses.has(name) },
    ]),
  );
}

function reachable(model: Model, payloads: readonly PayloadModel[]): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: TypeReference[] = [];
  const visit = (type: ResolvedType): void => {
    if (type.kind === "list") visit(type.element);
    else if (type.kind === "map") {
      if (type.key.kind !== "core") visit(type.key);
      visit(type.value);
    } else if (type.kind !== "core" && type.kind !== "unknown" && !found.has(type.name)) {
      found.add(type.name);
      pending.push(type);
    }
  };
  for (const payload of payloads) {
    if (payload.kind === "struct") visit(payload);
    else for (const { type } of payload.arguments) visit(type);
  }
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const declared = model.typeByName.get(type.name);
    if (declared?.kind === "struct") for (const field of declared.fields) visit(field.type);
    else if (declared?.kind === "alias") visit(declared.type);
  }
  return found;
}
