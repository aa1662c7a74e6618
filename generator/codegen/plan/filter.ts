import type { IrFilter } from "../../language/ir/filter.ts";
import type { MethodModel, Model, ServiceModel } from "../../language/model/model.ts";
import { findUses } from "./uses.ts";

/**
 * A model without what a filter leaves out. Other than in the IR, where the reference tool's tree shaking loses aliases and equal
 * hashes matter more, every type that a kept method uses stays.
 */
export function filterModel(model: Model, filter: IrFilter): Model {
  const { services: wanted = [], match, ignore, schemaVersion, methodTreeShake } = filter;
  const kept = model.services.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const services = kept.map((service): ServiceModel => {
    const methods = service.methods.filter(
      (method) =>
        (ignore === undefined || !hasOne(method, ignore)) && (match === undefined || hasOne(method, match)),
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

function hasOne({ annotations }: MethodModel, wanted: ReadonlyMap<string, string>): boolean {
  return annotations.some(({ name, value }) => {
    const asked = wanted.get(name);
    return asked !== undefined && (/^ *$/.test(asked) || asked === (value ?? ""));
  });
}
