import { credentialNames } from "../../language/model/credentials.ts";
import type {
  FieldModel,
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
} from "../../language/model/model.ts";
import { compareErrors } from "./errors.ts";
import { type ComparedField, compareFields } from "./fields.ts";
import type { Findings, SchemaItem } from "./findings.ts";
import { methodRenames, serviceRenames } from "./renames.ts";
import { type Direction, locationsOf, type MethodPair, modelsOf, type Sides } from "./sides.ts";
import type { ReferencedTypes } from "./unchanged.ts";
import { compareValues } from "./values.ts";
import { bareSlot, fieldSlot, structOf, type Walk } from "./walk.ts";

export interface PairedMethods {
  readonly pairs: readonly MethodPair[];
  /** Of services that are the same in both versions. */
  readonly unchangedServices: readonly (ReferencedTypes & { readonly site: SchemaItem })[];
}

/** The methods that callers know and the server still has; those that are gone are told. */
export function pairMethods(sides: Sides, findings: Findings): PairedMethods {
  const pairs: MethodPair[] = [];
  const unchangedServices: (ReferencedTypes & { readonly site: SchemaItem })[] = [];
  const renamed = serviceRenames(sides.callers, sides.server);
  for (const service of sides.callers.services) {
    const other = sides.server.services.find(({ name }) => name === service.name);
    if (other === undefined) reportServiceGone(sides, findings, service, renamed.get(service.name));
    else {
      const unchanged = sides.unchanged.services.get(service.name);
      if (unchanged === undefined) pairs.push(...pairMethodsOf(sides, findings, service, other));
      else
        unchangedServices.push({
          ...unchanged,
          site: { name: service.name, ...locationsOf(sides, service.at, other.at, other.at) },
        });
    }
  }
  return { pairs, unchangedServices };
}

function reportServiceGone(
  sides: Sides,
  findings: Findings,
  service: ServiceModel,
  now: string | undefined,
): void {
  const { server, newSide } = sides;
  const other = server.services.find(({ name }) => name === now);
  const holder = other?.at ?? (newSide === "server" ? server : sides.callers).services[0]?.at ?? service.at;
  const site = { name: service.name, ...locationsOf(sides, service.at, other?.at, holder) };
  findings.add(
    "service-gone",
    { name: service.name, how: absence(sides) },
    site,
    "service",
    renamedNote(now),
  );
}

/** Why the server lacks what clients call: an old client calls what was removed, a new client what is not deployed yet. */
function absence({ newSide }: Sides): string {
  return newSide === "server" ? "was removed from the server" : "the server does not have yet";
}

function renamedNote(now: string | undefined): string | undefined {
  return now === undefined ? undefined : `It was probably renamed to "${now}".`;
}

function pairMethodsOf(
  sides: Sides,
  findings: Findings,
  callers: ServiceModel,
  server: ServiceModel,
): MethodPair[] {
  const { newSide } = sides;
  const byName = new Map(server.methods.map((method) => [method.name, method]));
  let renamed: ReadonlyMap<string, string> | undefined;
  return callers.methods.flatMap((method): MethodPair[] => {
    const other = byName.get(method.name);
    const name = `${callers.name}.${method.name}`;
    const holder = newSide === "server" ? server.at : callers.at;
    if (other !== undefined)
      return [
        {
          callers: method,
          server: other,
          site: { name, ...locationsOf(sides, method.at, other.at, holder) },
        },
      ];
    renamed ??= newSide === "server" ? methodRenames(callers, server) : new Map();
    const now = renamed.get(method.name);
    const places = locationsOf(sides, method.at, byName.get(now ?? "")?.at, holder);
    findings.add(
      "method-gone",
      { name, how: absence(sides) },
      { name, ...places },
      "method",
      renamedNote(now),
    );
    return [];
  });
}

/** All that is compared of a method, apart from what its types hold in general. */
export function compareMethod(walks: Readonly<Record<Direction, Walk>>, pair: MethodPair): void {
  const { findings } = walks.request;
  compareKinds(findings, pair);
  compareCredentials(findings, pair);
  compareRetries(findings, pair);
  compareFiles(findings, pair);
  compareErrors(walks.response, pair);
  compareBodies(walks.request, pair.callers.input, pair.server.input, pair.site);
  if (!pair.server.fileOutput && !pair.callers.fileOutput)
    compareBodies(walks.response, pair.server.output, pair.callers.output, pair.site);
}

function compareBodies(walk: Walk, writer: PayloadModel, reader: PayloadModel, site: SchemaItem): void {
  const models = modelsOf(walk.sides, walk.direction);
  if (writer.kind === "struct" && reader.kind === "struct") {
    const slots = { writer: bareSlot(writer, models.writer), reader: bareSlot(reader, models.reader) };
    compareValues(walk, slots, site);
    return;
  }
  const fields = { writer: fieldsOf(writer, models.writer), reader: fieldsOf(reader, models.reader) };
  const body = { ...site, name: walk.direction === "request" ? `${site.name}()` : `${site.name} => ()` };
  compareFields(walk, fields, body, (field, side) => slotOf(field, models[side]), compareValues);
}

function fieldsOf(payload: PayloadModel, model: Model): readonly ComparedField[] {
  return payload.kind === "struct" ? structOf(model, payload.name).fields : payload.arguments;
}

function slotOf(field: ComparedField, model: Model): ReturnType<typeof fieldSlot> {
  return "meta" in field ? fieldSlot(field as FieldModel) : bareSlot(field.type, model);
}

function compareKinds(findings: Findings, { callers, server, site }: MethodPair): void {
  const answer = ({ fileOutput, streamOutput }: MethodModel): string =>
    fileOutput ? "a file" : streamOutput ? "a stream" : "a single response";
  const request = ({ files, streamInput }: MethodModel): string =>
    files.length > 0 ? "as a form" : streamInput ? "as a stream" : "as JSON";
  const { name } = site;
  if (answer(callers) !== answer(server))
    findings.add(
      "answer-kind-changed",
      { name, callers: answer(callers), server: answer(server) },
      site,
      "answer",
    );
  if (request(callers) !== request(server))
    findings.add(
      "request-kind-changed",
      { name, callers: request(callers), server: request(server) },
      site,
      "request",
    );
}

function credentialsOf({ annotations }: MethodModel): readonly string[] {
  return credentialNames(annotations.find(({ name }) => name === "auth")?.value);
}

function compareCredentials(findings: Findings, { callers, server, site }: MethodPair): void {
  const sent = credentialsOf(callers);
  const wanted = credentialsOf(server).filter((name) => !sent.includes(name));
  if (wanted.length === 0) return;
  const words = wanted.map((name) => `"${name}"`).join(" and ");
  findings.add("credentials-needed", { name: site.name, wanted: words }, site, "auth");
}

function compareRetries(findings: Findings, { callers, server, site }: MethodPair): void {
  const isRepeatable = ({ annotations }: MethodModel): boolean =>
    annotations.some(({ name }) => name === "idempotent" || name === "readonly");
  if (isRepeatable(callers) && !isRepeatable(server))
    findings.add("repeat-unsafe", { name: site.name }, site, "repeat");
}

function compareFiles(findings: Findings, { callers, server, site }: MethodPair): void {
  // The first file makes a form of the request, and the last one no form; that is told as such.
  if (callers.files.length === 0 || server.files.length === 0) return;
  for (const sent of callers.files) {
    const read = server.files.find(({ name }) => name === sent.name);
    const parameters = { name: `${site.name}(${sent.name})`, callers: "send a file" };
    if (read === undefined)
      findings.add(
        "request-files-changed",
        { ...parameters, server: "does not read it" },
        site,
        `file:${sent.name}`,
      );
    else if (sent.isList && !read.isList)
      findings.add(
        "request-files-changed",
        { ...parameters, callers: "may send several files", server: "reads only one" },
        site,
        `file:${sent.name}`,
      );
    else if (sent.optional && !read.optional)
      findings.add(
        "request-files-changed",
        { ...parameters, callers: "may omit the file", server: "requires it" },
        site,
        `file:${sent.name}`,
      );
  }
  for (const { name, optional } of server.files) {
    if (optional || callers.files.some((file) => file.name === name)) continue;
    const parameters = { name: `${site.name}(${name})`, callers: "send no file", server: "requires one" };
    findings.add("request-files-changed", parameters, site, `file:${name}`);
  }
}
