/** The method that a person may call first, with one click. */
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import { isRead, keysOf } from "../schema/ir.ts";
import { bodyShape, hasFiles } from "../schema/shape.ts";
import type { HostInfo } from "./host-info.ts";

/**
 * A read whose keys are there, preferably one with a request. On a developer's machine, any method if there is no read. `keyValues`: by the
 * name of the key.
 */
export function firstCallOf(
  schema: Schema,
  { services, isMock, command }: HostInfo,
  keyValues: Readonly<Record<string, string>>,
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
  const reads = callable.filter(({ method }) => isRead(method));
  const isOwn = isMock === true || command !== undefined;
  return (
    reads.find(({ method }) => method.inputs.length > 0) ?? reads[0] ?? (isOwn ? callable[0] : undefined)
  );
}
