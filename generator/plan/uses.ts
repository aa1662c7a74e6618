import type { Model, PayloadModel } from "../model/model.ts";
import type { ResolvedType } from "../model/types.ts";
import type { Uses } from "./plan.ts";

/** Which types requests carry, and which responses, found by walking from the methods. */
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
  const open: ResolvedType[] = [];
  for (const payload of payloads) {
    if (payload.kind === "struct") open.push({ kind: "struct", name: payload.name });
    else open.push(...payload.arguments.map(({ type }) => type));
  }
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "list") open.push(type.element);
    else if (type.kind === "map") open.push(type.key, type.value);
    else if (type.kind === "struct" || type.kind === "enum" || type.kind === "alias") {
      if (found.has(type.name)) continue;
      found.add(type.name);
      const declared = model.typeByName.get(type.name);
      if (declared?.kind === "struct") open.push(...declared.fields.map((field) => field.type));
      else if (declared?.kind === "alias") open.push(declared.type);
    }
  }
  return found;
}
