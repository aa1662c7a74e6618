import type { Position } from "vscode-languageserver/node";
import { SourceFile } from "../../language/source/source-file.ts";
import type { Entity } from "./entity.ts";
import type { HandlerReference } from "./language-server-host.ts";
import { offsetOf } from "./positions.ts";

/** The code of a method, or of all methods of a service; where no handler is seen, what mentions it. */
export function referencesOf(
  entity: Entity,
  sites: readonly HandlerReference[],
): readonly HandlerReference[] {
  const [service, method] =
    entity.kind === "method"
      ? [entity.service.name.value, entity.node.name.text]
      : entity.kind === "service"
        ? [entity.node.name.value, undefined]
        : [undefined, undefined];
  const found = sites.filter(
    (site) => site.service === service && (method === undefined || site.method === method),
  );
  const handlers = found.filter(({ isHandler }) => isHandler);
  return handlers.length > 0 ? handlers : found;
}

/** The method that a place in hand-written code names; anywhere in a file with one handler, that one. */
export function referenceAt(
  path: string,
  position: Position,
  sites: readonly HandlerReference[],
): HandlerReference | undefined {
  const here = sites.filter((site) => site.path === path);
  const [first] = here;
  if (first === undefined) return undefined;
  const offset = offsetOf(new SourceFile(path, first.text), position);
  const exact = here.find(({ span }) => span.start <= offset && offset <= span.end);
  if (exact !== undefined) return exact;
  const methods = new Set(here.map(({ service, method }) => `${service}.${method}`));
  return methods.size === 1 ? first : undefined;
}
