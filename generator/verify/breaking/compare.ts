import { sortDiagnostics } from "../../language/compile.ts";
import { cacheOf, credentialNames, idempotencyKeyName } from "../../language/model/annotations.ts";
import type {
  FieldModel,
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
} from "../../language/model/model.ts";
import { compareErrorDeclarations, compareErrors } from "./errors.ts";
import { type ComparedField, compareFields, fieldsOf } from "./fields.ts";
import { type BreakingFinding, Findings, type SchemaItem } from "./findings.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { type DeclaredRename, declaredRenames, methodRenames, serviceRenames } from "./renames.ts";
import { compareQueryNames, compareRoutes } from "./routes.ts";
import {
  bareSlot,
  type Direction,
  declaredSlot,
  drain,
  locationsOf,
  type MethodPair,
  modelsOf,
  type Sides,
  sidesOf,
  type Walk,
} from "./sides.ts";
import { nothingUnchanged, type ReferencedTypes, type Unchanged } from "./unchanged.ts";
import { compareReferenced, compareValues } from "./values.ts";

export interface Versions {
  readonly before: Model;
  readonly now: Model;
  /** Which side is deployed first. `servers`: old callers meet a new server. `callers`: new callers meet the old server. */
  readonly first: "servers" | "callers";
  /** Declarations to skip, for speed only: the findings are the same without it. */
  readonly unchanged?: Unchanged | undefined;
}

/**
 * Finds what breaks, or may break, if one side of a contract is deployed before the other. Each change is one finding, located in
 * the new version, with a note that points to the old one.
 */
export function findBreaks({
  before,
  now,
  first,
  unchanged = nothingUnchanged,
}: Versions): readonly BreakingFinding[] {
  const sides =
    first === "servers"
      ? sidesOf(before, now, "server", unchanged)
      : sidesOf(now, before, "callers", unchanged);
  const findings = new Findings();
  const errorData = new Findings("error data");
  const walks = {
    request: { sides, findings, direction: "request", seen: new Set(), queue: [] },
    response: { sides, findings, direction: "response", seen: new Set(), queue: [] },
    errorData: { sides, findings: errorData, direction: "response", seen: new Set(), queue: [] },
  } satisfies Record<string, Walk>;
  compareBasepaths(sides, findings);
  compareErrorDeclarations(walks.errorData, findings);
  const { pairs, unchangedServices } = pairMethods(sides, findings);
  for (const pair of pairs) compareMethod(walks, pair);
  compareQueryNames(sides, findings);
  compareGeneratedNames(sides, findings);
  for (const { item, request, response } of unchangedServices) {
    for (const name of request) compareReferenced(walks.request, name, item);
    for (const name of response) compareReferenced(walks.response, name, item);
  }
  for (const walk of Object.values(walks)) drain(walk);
  findings.addAll(errorData);
  return sortDiagnostics(findings.all());
}

function compareBasepaths(sides: Sides, findings: Findings): void {
  const { callers, server, newSide } = sides;
  if (callers.basepath === server.basepath || callers.services.length === 0) return;
  const model = newSide === "server" ? server : callers;
  const file = (model.services[0] ?? callers.services[0])?.at.file;
  if (file === undefined) return;
  const line = /^[ \t]*basepath\b.*$/m.exec(file.text);
  const start = line?.index ?? 0;
  const span = { start, end: start + (line?.[0].length ?? 0) };
  const parameters = { callers: callers.basepath, server: server.basepath };
  findings.add("basepath-changed", parameters, { name: "basepath", at: { file, span } }, "basepath");
}

export interface PairedMethods {
  readonly pairs: readonly MethodPair[];
  /** The types that services without changes refer to. */
  readonly unchangedServices: readonly (ReferencedTypes & { readonly item: SchemaItem })[];
}

/** Pairs the methods of both versions, and reports those that the server does not have. */
function pairMethods(sides: Sides, findings: Findings): PairedMethods {
  const pairs: MethodPair[] = [];
  const unchangedServices: (ReferencedTypes & { readonly item: SchemaItem })[] = [];
  const renamed = serviceRenames(sides.callers, sides.server);
  const declared = sides.newSide === "server" ? declaredRenames(sides.callers, sides.server) : new Map();
  for (const service of sides.callers.services) {
    const other = sides.server.services.find(({ name }) => name === service.name);
    const isMoved = service.methods.some(({ name }) => declared.has(`${service.name}.${name}`));
    if (other === undefined && !isMoved)
      reportServiceMissing(sides, findings, service, renamed.get(service.name));
    else {
      const unchanged = sides.unchanged.services.get(service.name);
      if (other === undefined || unchanged === undefined)
        pairs.push(...pairMethodsOf(sides, findings, service, other, declared));
      else
        unchangedServices.push({
          ...unchanged,
          item: { name: service.name, ...locationsOf(sides, service.at, other.at, other.at) },
        });
    }
  }
  return { pairs, unchangedServices };
}

function reportServiceMissing(
  sides: Sides,
  findings: Findings,
  service: ServiceModel,
  newName: string | undefined,
): void {
  const { server, newSide } = sides;
  const other = server.services.find(({ name }) => name === newName);
  const fallback = other?.at ?? (newSide === "server" ? server : sides.callers).services[0]?.at ?? service.at;
  const item = { name: service.name, ...locationsOf(sides, service.at, other?.at, fallback) };
  findings.add("service-removed", { name: service.name, how: absence(sides) }, item, "service", {
    note: renamedNote(newName),
  });
}

/** Explains why the server lacks a service or method. A new server has removed it; a new client expects it too early. */
function absence({ newSide }: Sides): string {
  return newSide === "server" ? "was removed from the server" : "the server does not have yet";
}

function renamedNote(newName: string | undefined): string | undefined {
  return newName === undefined ? undefined : `It was probably renamed to "${newName}".`;
}

function pairMethodsOf(
  sides: Sides,
  findings: Findings,
  callers: ServiceModel,
  server: ServiceModel | undefined,
  declared: ReadonlyMap<string, DeclaredRename>,
): MethodPair[] {
  const { newSide } = sides;
  const byName = new Map(server?.methods.map((method) => [method.name, method]));
  let renamed: ReadonlyMap<string, string> | undefined;
  return callers.methods.flatMap((method): MethodPair[] => {
    const name = `${callers.name}.${method.name}`;
    const fallback = newSide === "server" ? (server?.at ?? method.at) : callers.at;
    const other = byName.get(method.name);
    if (other !== undefined && server !== undefined) {
      const item = { name, ...locationsOf(sides, method.at, other.at, fallback) };
      const pair = { callers: method, server: other, item };
      compareRoutes(sides, findings, { callers, server }, pair);
      return [pair];
    }
    const rename = declared.get(name);
    if (rename !== undefined) {
      const item = { name, ...locationsOf(sides, method.at, rename.now.at, fallback) };
      findings.add("method-removed", { name, how: `is "${rename.name}" now` }, item, "method", {
        note: "The new method names the old one in @renamedFrom.",
        isConvertible: true,
      });
      return [{ callers: method, server: rename.now, item: { ...item, name: rename.name } }];
    }
    renamed ??= newSide === "server" && server !== undefined ? methodRenames(callers, server) : new Map();
    const newName = renamed.get(method.name);
    const locations = locationsOf(sides, method.at, byName.get(newName ?? "")?.at, fallback);
    findings.add("method-removed", { name, how: absence(sides) }, { name, ...locations }, "method", {
      note: renamedNote(newName),
    });
    return [];
  });
}

/** Compares two versions of a method. Named types that it uses are compared separately, once. */
function compareMethod(walks: Readonly<Record<Direction, Walk>>, pair: MethodPair): void {
  const { findings } = walks.request;
  compareKinds(findings, pair);
  compareCredentials(findings, pair);
  compareRetries(findings, pair);
  compareReads(findings, pair);
  compareFiles(findings, pair);
  compareErrors(walks.response, pair);
  compareBodies(walks.request, pair.callers.input, pair.server.input, pair.item);
  if (!pair.server.fileOutput && !pair.callers.fileOutput)
    compareBodies(walks.response, pair.server.output, pair.callers.output, pair.item);
}

function compareBodies(walk: Walk, writer: PayloadModel, reader: PayloadModel, item: SchemaItem): void {
  const models = modelsOf(walk.sides, walk.direction);
  if (writer.kind === "struct" && reader.kind === "struct") {
    const slots = { writer: bareSlot(writer, models.writer), reader: bareSlot(reader, models.reader) };
    compareValues(walk, slots, item);
    return;
  }
  const fields = { writer: fieldsOf(writer, models.writer), reader: fieldsOf(reader, models.reader) };
  const body = { ...item, name: walk.direction === "request" ? `${item.name}()` : `${item.name} => ()` };
  compareFields(walk, fields, body, (field, side) => slotOf(field, models[side]), compareValues);
}

function slotOf(field: ComparedField, model: Model): ReturnType<typeof declaredSlot> {
  return "meta" in field ? declaredSlot(field as FieldModel) : bareSlot(field.type, model);
}

function compareKinds(findings: Findings, { callers, server, item }: MethodPair): void {
  const responseKind = ({ fileOutput, streamOutput }: MethodModel): string =>
    fileOutput ? "a file" : streamOutput ? "a stream" : "a single response";
  const requestKind = ({ files, streamInput }: MethodModel): string =>
    files.length > 0 ? "as a form" : streamInput ? "as a stream" : "as JSON";
  const { name } = item;
  if (responseKind(callers) !== responseKind(server))
    findings.add(
      "response-kind-changed",
      { name, callers: responseKind(callers), server: responseKind(server) },
      item,
      "answer",
    );
  if (requestKind(callers) !== requestKind(server))
    findings.add(
      "request-kind-changed",
      { name, callers: requestKind(callers), server: requestKind(server) },
      item,
      "request",
      // A kept version still reads its own form; streamed requests are not served.
      { isConvertible: !callers.streamInput && !server.streamInput },
    );
}

function credentialsOf({ annotations }: MethodModel): readonly string[] {
  return credentialNames(annotations.find(({ name }) => name === "auth")?.value);
}

function compareCredentials(findings: Findings, { callers, server, item }: MethodPair): void {
  const sent = credentialsOf(callers);
  const wanted = credentialsOf(server).filter((name) => !sent.includes(name));
  if (wanted.length === 0) return;
  const required = wanted.map((name) => `"${name}"`).join(" and ");
  findings.add("credentials-required", { name: item.name, wanted: required }, item, "auth");
}

function compareRetries(findings: Findings, { callers, server, item }: MethodPair): void {
  const isRepeatable = ({ annotations }: MethodModel): boolean =>
    annotations.some(({ name }) => name === "idempotent" || name === "readonly");
  const takesKey = ({ annotations }: MethodModel): boolean =>
    annotations.some(({ name }) => name === idempotencyKeyName);
  const isSafe = isRepeatable(server) || (takesKey(callers) && takesKey(server));
  if ((isRepeatable(callers) || takesKey(callers)) && !isSafe)
    findings.add("repeat-unsafe", { name: item.name }, item, "repeat");
}

/** A method without a route is called by GET and QUERY only with `@cache`. */
function compareReads(findings: Findings, { callers, server, item }: MethodPair): void {
  if (callers.route !== undefined || server.route !== undefined) return;
  if (cacheOf(callers) !== undefined && cacheOf(server) === undefined)
    findings.add("read-removed", { name: item.name }, item, "read");
}

function compareFiles(findings: Findings, { callers, server, item }: MethodPair): void {
  // Adding the first file or removing the last one changes the kind of the request, which is reported separately.
  if (callers.files.length === 0 || server.files.length === 0) return;
  for (const sent of callers.files) {
    const read = server.files.find(({ name }) => name === sent.name);
    const parameters = { name: `${item.name}(${sent.name})`, callers: "send a file" };
    if (read === undefined)
      findings.add(
        "request-files-changed",
        { ...parameters, server: "does not read it" },
        item,
        `file:${sent.name}`,
      );
    else if (sent.isList && !read.isList)
      findings.add(
        "request-files-changed",
        { ...parameters, callers: "may send several files", server: "reads only one" },
        item,
        `file:${sent.name}`,
        // If the server requires a file, so does the converter.
        { isConvertible: !read.optional },
      );
    else if (sent.optional && !read.optional)
      findings.add(
        "request-files-changed",
        { ...parameters, callers: "may omit the file", server: "requires it" },
        item,
        `file:${sent.name}`,
        { isConvertible: true },
      );
  }
  for (const { name, optional } of server.files) {
    if (optional || callers.files.some((file) => file.name === name)) continue;
    const parameters = { name: `${item.name}(${name})`, callers: "send no file", server: "requires one" };
    findings.add("request-files-changed", parameters, item, `file:${name}`, { isConvertible: true });
  }
}
