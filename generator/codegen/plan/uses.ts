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
  const open: TypeReference[] = [];
  const meet = (type: ResolvedType): void => {
    if (type.kind === "list") meet(type.element);
    else if (type.kind === "map") {
      if (type.key.kind !== "core") meet(type.key);
      meet(type.value);
    } else if (type.kind !== "core" && type.kind !== "unknown" && !found.has(type.name)) {
      found.add(type.name);
      open.push(type);
    }
  };
  for (const payload of payloads) {
    if (payload.kind === "struct") meet(payload);
    else for (const { type } of payload.arguments) meet(type);
  }
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    const declared = model.typeByName.get(type.name);
    if (declared?.kind === "struct") for (const field of declared.fields) meet(field.type);
    else if (declared?.kind === "alias") meet(declared.type);
  }
  return found;
}
