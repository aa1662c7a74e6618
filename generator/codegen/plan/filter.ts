import type { IrFilter } from "../../language/ir/filter.ts";
import type { MethodModel, Model, ServiceModel } from "../../language/model/model.ts";
import { findUses } from "./type-graph.ts";

/**
 * Applies a filter to a model. Keeps every type that a remaining method uses. The filtered IR instead drops most aliases,
 * as the reference tool does, so that the hashes are equal.
 */
export function filterModel(model: Model, filter: IrFilter): Model {
  const { services: wanted = [], match, ignore, schemaVersion, methodTreeShake } = filter;
  const kept = model.services.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const services = kept.map((service): ServiceModel => {
    const methods = service.methods.filter(
      (method) =>
        (ignore === undefined || !hasAnnotation(method, ignore)) &&
        (match === undefined || hasAnnotation(method, match)),
    );
    const listedErrors = [...new Set(methods.flatMap(({ errors = [] }) => errors))];
    return { ...service, methods, listedErrors };
  });
  const filtered = { ...model, services, version: schemaVersion ?? model.version };
  if (methodTreeShake !== true || wanted.length === 0) return filtered;
  const uses = findUses(filtered);
  return {
    ...filtered,
    types: model.types.filter(
      ({ name }) => uses.get(name)?.inRequests === true || uses.get(name)?.inResponses === true,
    ),
  };
}

function hasAnnotation({ annotations }: MethodModel, wanted: ReadonlyMap<string, string>): boolean {
  return annotations.some(({ name, value }) => {
    const required = wanted.get(name);
    return required !== undefined && (/^ *$/.test(required) || required === (value ?? ""));
  });
}
