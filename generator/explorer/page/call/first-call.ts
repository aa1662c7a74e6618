/** The method that a person may call first, with one click. */
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import { isQuery, isRead, keysOf } from "../schema/ir.ts";
import { bodyShape, hasFiles, type Shape, shapeOf } from "../schema/shape.ts";
import type { HostInfo } from "./host-info.ts";

/**
 * A read whose keys are there, preferably one with a request and with many fields in its response. On a developer's machine, a method named
 * like a read or any other one if there is no read. `keyValues`: by the name of the key. `recommended`: the method that the host
 * prefers.
 */
export function firstCallOf(
  schema: Schema,
  { services, isMock, command }: HostInfo,
  keyValues: Readonly<Record<string, string>>,
  recommended?: string,
): ServiceMethod | undefined {
  const callable = schema.ir.services
    .filter(({ name }) => services?.includes(name) ?? true)
    .flatMap((service) => service.methods.map((method) => ({ service, method })))
    .filter(
      ({ method }) =>
        method.streamInput !== true &&
        method.streamOutput !== true &&
        method.annotations?.["deprecated"] === undefined &&
        !hasFiles(schema, bodyShape(schema, method, method.inputs)) &&
        keysOf(method).every((name) => (keyValues[name] ?? "") !== ""),
    );
  const richness = ({ method }: ServiceMethod): number =>
    fieldsIn(schema, bodyShape(schema, method, method.outputs));
  const reads = callable.filter(({ method }) => isRead(method));
  const telling = reads
    .filter(({ method }) => method.inputs.length > 0)
    .sort((a, b) => richness(b) - richness(a));
  const isOwn = isMock === true || command !== undefined;
  const own = isOwn ? (callable.find(({ method }) => isQuery(method)) ?? callable[0]) : undefined;
  const preferred = callable.find(({ service, method }) => `${service.name}/${method.name}` === recommended);
  return preferred ?? telling[0] ?? reads[0] ?? own;
}

/** How many fields a response surely shows, two levels deep. */
function fieldsIn(schema: Schema, shape: Shape, depth = 0): number {
  if (depth > 2) return 0;
  if (shape.kind === "list") return fieldsIn(schema, shapeOf(schema, shape.item), depth + 1);
  if (shape.kind !== "struct") return 1;
  return shape.fields
    .filter(({ isOptional }) => !isOptional)
    .reduce((sum, { reference }) => sum + fieldsIn(schema, shapeOf(schema, reference), depth + 1), 0);
}
