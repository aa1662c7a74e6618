import { propertyKey } from "../../plan/names.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";
import { template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import bigintTemplate from "./bigint.hbs";
import clientTemplate from "./client.hbs";
import fileTemplate from "./file.hbs";
import { FileNames } from "./names.ts";
import type { TypescriptOptions } from "./options.ts";
import serverTemplate from "./server.hbs";
import { viewService } from "./services.ts";
import { shapeLines } from "./shapes.ts";
import streamTemplate from "./stream.hbs";
import { typeBlocks } from "./types.ts";

const printFile = template<object>(fileTemplate);
const printClient = template<ClientHelpers>(clientTemplate);
const printStream = template<object>(streamTemplate);
const printServer = template<{ readonly hasServices: boolean; readonly hasRoutes: boolean }>(serverTemplate);
const printBigint = template<{ readonly checksJson: boolean }>(bigintTemplate);

interface ClientHelpers {
  readonly webrpcHeader: boolean;
  readonly hasMethods: boolean;
  /** Methods that neither stream nor have a route. */
  readonly hasCalls: boolean;
  readonly hasRoutes: boolean;
}

/**
 * Emits one file without imports that has the public names of gen-typescript, so apps written for gen-typescript can
 * use it. It also fixes bugs of gen-typescript: error messages, bigints in maps, lists on a server, and the basepath.
 */
export function emitTypescript(plan: Plan, options: TypescriptOptions): string {
  const names = new FileNames(plan, options);
  const { client, server, schemaHash } = options;
  const services = plan.services.map((service) => viewService(plan.basepath, service, names));
  const methods = services.flatMap((service) => service.methods);
  const hasRoutes = methods.some(({ route }) => route !== undefined);
  const hasStreams = methods.some(({ streams }) => streams);
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
    clientHelpers: printClient({
      webrpcHeader: options.webrpcHeader,
      hasMethods: methods.length > 0,
      hasCalls: methods.some(({ streams, route }) => !streams && route === undefined),
      hasRoutes,
    }).trimEnd(),
    streamHelpers: printStream({}).trimEnd(),
    serverHelpers: printServer({ hasServices: services.length > 0, hasRoutes }).trimEnd(),
    bigintHelpers: printBigint({
      checksJson: (client && methods.length > 0) || (server && services.length > 0),
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
