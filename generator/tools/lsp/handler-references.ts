import type { Position } from "vscode-languageserver/node";
import { SourceFile } from "../../language/source/source-file.ts";
import type { HandlerReference } from "./language-server-host.ts";
import type { Entity } from "./names-in-schema.ts";
import { offsetOf } from "./positions.ts";

/** Returns the handlers of a method or of a service. If there are none, returns all code that names the method. */
export function referencesOf(
  entity: Entity,
  references: readonly HandlerReference[],
): readonly HandlerReference[] {
  const [service, method] =
    entity.kind === "method"
      ? [entity.service.name.value, entity.node.name.text]
      : entity.kind === "service"
        ? [entity.node.name.value, undefined]
        : [undefined, undefined];
  const found = references.filter(
    (reference) => reference.service === service && (method === undefined || reference.method === method),
  );
  const handlers = found.filter(({ isHandler }) => isHandler);
  return handlers.length > 0 ? handlers : found;
}

/** The reference at a position in hand-written code. If the file refers to a single method, every position counts as a reference to it. */
export function referenceAt(
  path: string,
  position: Position,
  references: readonly HandlerReference[],
): HandlerReference | undefined {
  const here = references.filter((reference) => reference.path === path);
  const [first] = here;
  if (first === undefined) return undefined;
  const offset = offsetOf(new SourceFile(path, first.text), position);
  const exact = here.find(({ span }) => span.start <= offset && offset <= span.end);
  if (exact !== undefined) return exact;
  const methods = new Set(here.map(({ service, method }) => `${service}.${method}`));
  return methods.size === 1 ? first : undefined;
}
