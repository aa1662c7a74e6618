import { type Diagnostic, diagnose, type Location, type Note } from "../language/diagnostics/diagnostic.ts";
import { SourceFile } from "../language/source/source-file.ts";
import type { Span } from "../language/source/span.ts";
import type { Contract } from "./contract.ts";
import { methodKey, type Renames } from "./find-renames.ts";
import { handlerPath } from "./folders.ts";
import type { HandlerIndex, HandlerReference } from "./index/handler-index.ts";

type Files = ReadonlyMap<string, string>;

/** Reports the first syntax error of each file. */
export function findSyntaxErrors({ syntaxErrors }: HandlerIndex, files: Files): Diagnostic[] {
  const first = new Map(syntaxErrors.toReversed().map((error) => [error.path, error]));
  return [...first.values()]
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, span, message }) => diagnose("handler-syntax", { reason: message }, at(path, span, files)));
}

/** Reports methods with handlers in two files. */
export function findDuplicateHandlers({ references }: HandlerIndex, files: Files): Diagnostic[] {
  const first = new Map<string, HandlerReference>();
  return references.flatMap((reference): Diagnostic[] => {
    if (reference.kind !== "type" || !reference.isHandler) return [];
    const key = methodKey(reference.service, reference.method);
    const other = first.get(key);
    if (other === undefined) first.set(key, reference);
    if (other === undefined || other.path === reference.path) return [];
    const note: Note = { message: "The other handler is here.", at: at(other.path, other.span, files) };
    return [
      diagnose("two-handlers", { method: key }, at(reference.path, reference.span, files), { notes: [note] }),
    ];
  });
}

export interface OrphanSearch {
  readonly index: HandlerIndex;
  readonly renames: Renames;
  readonly before: Contract;
  readonly now: Contract;
  readonly files: Files;
  readonly root: string;
}

/** Reports handlers of removed methods and services. */
export function findOrphans(search: OrphanSearch): Diagnostic[] {
  const { renames, before, now } = search;
  const locations = handlerLocations(search);
  const reported = new Set<string>();
  return [...locations].flatMap(([key, [first, ...others]]): Diagnostic[] => {
    if (first === undefined || renames.methods.has(key)) return [];
    const { service, method } = first;
    const current = now.services[renames.services.get(service) ?? service];
    if (current?.methods[method] !== undefined) return [];
    // Other members of a class, or exports of a module, are not handlers.
    if (first.kind !== "type" && before.services[service]?.methods[method] === undefined) return [];
    const notes = others.map(
      ({ location }): Note => ({ message: "The handler is also used here.", at: location }),
    );
    if (current !== undefined) return [orphan(first, notes)];
    if (reported.has(service)) return [];
    reported.add(service);
    return [diagnose("orphan-service", { service }, first.location)];
  });
}

function orphan({ service, method, location }: HandlerLocation, notes: readonly Note[]): Diagnostic {
  const advice = `Remove the handler, or, if another method replaced "${method}", add @renamedFrom:${method} to that method.`;
  return diagnose("orphan-handler", { method: methodKey(service, method) }, location, { notes, advice });
}

/** Keys of all methods that hand-written code refers to. */
export function referencedMethods(search: OrphanSearch): ReadonlySet<string> {
  return new Set(handlerLocations(search).keys());
}

interface HandlerLocation {
  readonly service: string;
  readonly method: string;
  readonly kind: HandlerReference["kind"] | "file";
  readonly location: Location;
}

function handlerLocations({
  index,
  before,
  files,
  root,
}: OrphanSearch): ReadonlyMap<string, readonly HandlerLocation[]> {
  const locations = new Map<string, HandlerLocation[]>();
  const add = (found: HandlerLocation): void => {
    const key = methodKey(found.service, found.method);
    locations.set(key, [...(locations.get(key) ?? []), found]);
  };
  for (const { service, method, kind, path, span } of index.references)
    add({ service, method, kind, location: at(path, span, files) });
  for (const [service, { methods }] of Object.entries(before.services))
    for (const method of Object.keys(methods)) {
      const path = handlerPath(root, service, method);
      if (files.has(path) && !locations.has(methodKey(service, method)))
        add({ service, method, kind: "file", location: at(path, { start: 0, end: 0 }, files) });
    }
  return locations;
}

function at(path: string, span: Span, files: Files): Location {
  return { file: new SourceFile(path, files.get(path) ?? ""), span };
}
