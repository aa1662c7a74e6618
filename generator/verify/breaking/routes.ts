import type { Constraints } from "../../language/model/meta/read.ts";
import type { MethodModel, Model, PayloadModel, ServiceModel } from "../../language/model/model.ts";
import { type Segment, segmentsOf } from "../../language/model/routes.ts";
import { bodilessVerbs } from "../../language/syntax/route-verbs.ts";
import { type ComparedField, fieldsOf } from "./fields.ts";
import type { Findings } from "./findings.ts";
import { enumOf, locationsOf, type MethodPair, resolveAliases, type Sides } from "./sides.ts";

/** A service in both versions. */
export interface ServicePair {
  readonly callers: ServiceModel;
  readonly server: ServiceModel;
}

/** Compares the verb and the path of a method. Calls that another route of the server takes never reach the method. */
export function compareRoutes(
  sides: Sides,
  findings: Findings,
  services: ServicePair,
  { callers, server, item }: MethodPair,
): void {
  const { name } = item;
  const addresses = {
    callers: addressOf(services.callers, callers),
    server: addressOf(services.server, server),
  };
  if (addresses.callers !== addresses.server) {
    findings.add("route-changed", { name, ...addresses }, item, "route");
    return;
  }
  if (callers.route === undefined) return;
  // Calls at these addresses reached another method before.
  const known = new Set(
    services.callers.methods.map((method) => shapeOf(addressOf(services.callers, method))),
  );
  const rival = services.server.methods.find(
    (one) =>
      one !== server &&
      one.route?.verb === callers.route?.verb &&
      !known.has(shapeOf(addressOf(services.server, one))) &&
      takesCalls(pathOf(one), pathOf(callers), (parameter, text) =>
        canBe(fieldNamed(callers.input, parameter, sides.callers), text, sides.callers),
      ),
  );
  if (rival === undefined) return;
  const taking = { other: `${services.server.name}.${rival.name}`, route: addressOf(services.server, rival) };
  findings.add("route-taken", { name, ...taking }, item, `route:${rival.name}`);
}

/**
 * Compares the names of fields that are sent in queries: aliases are read in bodies only. Includes unchanged services, whose
 * structs may have changed.
 */
export function compareQueryNames(sides: Sides, findings: Findings): void {
  for (const service of sides.callers.services) {
    const methods = service.methods.filter(
      ({ route }) => route !== undefined && bodilessVerbs.has(route.verb),
    );
    if (methods.length === 0) continue;
    const counterpart = sides.server.services.find(({ name }) => name === service.name);
    for (const callers of methods) {
      const server = counterpart?.methods.find(({ name }) => name === callers.name);
      if (server === undefined) continue;
      const item = {
        name: `${service.name}.${callers.name}`,
        ...locationsOf(sides, callers.at, server.at, server.at),
      };
      compareNamesOf(sides, findings, { callers, server, item });
    }
  }
}

function compareNamesOf(sides: Sides, findings: Findings, { callers, server, item }: MethodPair): void {
  const readers = fieldsOf(server.input, sides.server);
  const names = new Set(readers.map(nameInQuery));
  for (const field of fieldsOf(callers.input, sides.callers)) {
    const sent = nameInQuery(field);
    const name = nameOf(field);
    const renamed = names.has(sent)
      ? undefined
      : readers.find((one) => nameOf(one) === name || one.aliases?.includes(name));
    if (renamed === undefined) continue;
    const parameters = {
      name: `${item.name}(${nameOf(renamed)})`,
      form: `under the name "${sent}" in the query`,
    };
    findings.add("request-form-rejected", parameters, item, `query:${sent}`);
  }
}

/** `GET /pets/{id}`, below the basepath. */
function addressOf(service: ServiceModel, { name, route }: MethodModel): string {
  if (route === undefined) return `POST /${service.name}/${name}`;
  return `${route.verb} ${route.path}`;
}

/** The names of parameters do not matter. */
function shapeOf(address: string): string {
  return address.replace(/\{\w+\}/g, "{}");
}

function pathOf({ route }: MethodModel): readonly Segment[] {
  return segmentsOf(route?.path ?? "");
}

/** Whether calls of one path can match another that has texts where the first has parameters. */
function takesCalls(
  taking: readonly Segment[],
  path: readonly Segment[],
  canBeText: (parameter: string, text: string) => boolean,
): boolean {
  if (taking.length !== path.length) return false;
  let isNarrower = false;
  for (const [index, segment] of path.entries()) {
    const other = taking[index] as Segment;
    if ("text" in segment) {
      if (!("text" in other) || other.text !== segment.text) return false;
    } else if ("text" in other) {
      if (!canBeText(segment.parameter, other.text)) return false;
      isNarrower = true;
    }
  }
  return isNarrower;
}

/** Whether a value of the field can be the text of a fixed segment. Timestamps have colons, which such a text lacks. */
function canBe(field: ComparedField | undefined, text: string, model: Model): boolean {
  if (field === undefined) return true;
  const target = resolveAliases(model, field.type);
  if (target.kind === "enum") return enumOf(model, target.name).values.some(({ wire }) => wire === text);
  if (target.kind !== "core") return true;
  if (target.name === "string") return fits(text, field.constraints);
  if (target.name === "bool") return text === "true" || text === "false";
  return target.name !== "timestamp" && /^-?[0-9.]+(?:e-?[0-9]+)?$/i.test(text);
}

function fits(text: string, { pattern, minLength = 0, maxLength = text.length }: Constraints): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

function fieldNamed(payload: PayloadModel, name: string, model: Model): ComparedField | undefined {
  return fieldsOf(payload, model).find((field) => nameOf(field) === name);
}

function nameInQuery(field: ComparedField): string {
  return field.queryName ?? nameOf(field);
}

function nameOf({ wireName, name, at }: ComparedField): string {
  return (at === undefined ? name : wireName) ?? name;
}
