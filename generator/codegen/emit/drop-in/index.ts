import { propertyKey } from "../../plan/names.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";
import { template } from "../render.ts";
import { docComment, header, literal, webrpcHeader } from "../text.ts";
import bigintTemplate from "./bigint.hbs";
import clientTemplate from "./client.hbs";
import fileTemplate from "./file.hbs";
import filesTemplate from "./files.hbs";
import { FileNames } from "./names.ts";
import type { TypescriptForm, TypescriptOptions } from "./options.ts";
import serverTemplate from "./server.hbs";
import { viewService } from "./services.ts";
import { shapeLines } from "./shapes.ts";
import streamTemplate from "./stream.hbs";
import { typeBlocks } from "./types.ts";

const printFile = template<object>(fileTemplate);
const printClient = template<ClientHelpers>(clientTemplate);
const printStream = template<object>(streamTemplate);
const printServer = template<ServerHelpers>(serverTemplate);
const printFiles = template<{ readonly client: boolean; readonly servesRequests: boolean }>(filesTemplate);
const printBigint = template<{ readonly checksJson: boolean }>(bigintTemplate);

interface ClientHelpers {
  readonly webrpcHeader: boolean;
  readonly hasMethods: boolean;
  /** Methods that do not stream. */
  readonly hasSends: boolean;
  /** Methods that neither stream, nor have files or a route. */
  readonly hasCalls: boolean;
  readonly hasRoutes: boolean;
}

interface ServerHelpers extends TypescriptForm {
  readonly hasServices: boolean;
  readonly hasRoutes: boolean;
  readonly hasFiles: boolean;
}

/**
 * Emits one file without imports that has the public names of gen-typescript, so apps written for gen-typescript can
 * use it. It also fixes bugs of gen-typescript: error messages, bigints in maps, lists on a server, and the basepath.
 */
export function emitTypescript(
  plan: Plan,
  options: TypescriptOptions,
  { servesRequests = true }: Partial<TypescriptForm> = {},
): string {
  const names = new FileNames(plan, options);
  const { client, server, schemaHash } = options;
  const services = plan.services.map((service) => viewService(plan.basepath, service, names));
  const methods = services.flatMap((service) => service.methods);
  const hasRoutes = methods.some(({ route }) => route !== undefined);
  const hasStreams = methods.some(({ streams }) => streams);
  const withFiles = methods.some(({ hasFiles }) => hasFiles);
  const hasServices = services.length > 0;
  return printFile({
    header: header(plan.schemaFile),
    client,
    server,
    schemaHash,
    schemaVersion: literal(plan.schemaVersion),
    hash: literal(plan.schemaHash),
    services,
    types: typeBlocks(plan, names, options),
    hasStreams,
    servesRequests,
    clientHelpers: printClient({
      webrpcHeader: options.webrpcHeader,
      hasMethods: methods.length > 0,
      hasSends: methods.some(({ streams }) => !streams),
      hasCalls: methods.some(({ streams, route, hasFiles }) => !streams && !hasFiles && route === undefined),
      hasRoutes,
    }).trimEnd(),
    streamHelpers: printStream({}).trimEnd(),
    serverHelpers: printServer({ hasServices, hasRoutes, hasFiles: withFiles, servesRequests }).trimEnd(),
    fileHelpers:
      withFiles && (client || server)
        ? printFiles({ client, servesRequests: server && servesRequests }).trimEnd()
        : "",
    bigintHelpers: printBigint({
      checksJson: (client && methods.length > 0) || (server && hasServices),
    }).trimEnd(),
    shapes: shapeLines(plan, names, server),
    errors: plan.errors.map((error) => viewError(error, names.error(error))),
    unionEnums: options.enumStyle === "union",
    webrpc: literal(webrpcHeader(plan)),
  });
}

function viewError(error: PlannedError, className: string): object {
  const { name, code, message, httpStatus } = error;
  return {
    docs: docComment(error, ""),
    className,
    key: propertyKey(name),
    name: literal(name),
    code,
    message: literal(message),
    status: httpStatus,
  };
}
