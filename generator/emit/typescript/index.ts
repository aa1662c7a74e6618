import { propertyKey, typeIdentifier } from "../../plan/names.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";
import { template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import bigintTemplate from "./bigint.hbs";
import clientTemplate from "./client.hbs";
import fileTemplate from "./file.hbs";
import { bodyName } from "./names.ts";
import type { TypescriptOptions } from "./options.ts";
import serverTemplate from "./server.hbs";
import { viewService } from "./services.ts";
import { shapeLines } from "./shapes.ts";
import streamTemplate from "./stream.hbs";
import { typeBlocks } from "./types.ts";

const printFile = template<object>(fileTemplate);
const printClient = template<{ readonly webrpcHeader: boolean }>(clientTemplate);
const printStream = template<object>(streamTemplate);
const printServer = template<object>(serverTemplate);
const printBigint = template<object>(bigintTemplate);

/**
 * One file that imports nothing, with the public names of gen-typescript: what an app was written against it does with this file
 * too. Where gen-typescript's own code goes wrong (messages of errors, bigints in maps, lists on a server, the basepath), this does not.
 */
export function emitTypescript(plan: Plan, options: TypescriptOptions): string {
  const nameOf = bodyNames(plan, options);
  const { client, server, schemaHash } = options;
  const methods = plan.services.flatMap((service) => service.methods);
  return printFile({
    header: header(plan.schemaFile),
    client,
    server,
    schemaHash,
    schemaVersion: literal(plan.schemaVersion),
    hash: literal(plan.schemaHash),
    services: plan.services.map((service) => viewService(plan.basepath, service, options)),
    types: typeBlocks(plan, nameOf, options),
    hasStreams: methods.some(({ streamOutput }) => streamOutput),
    clientHelpers: printClient(options).trimEnd(),
    streamHelpers: printStream({}).trimEnd(),
    serverHelpers: printServer({}).trimEnd(),
    bigintHelpers: printBigint({}).trimEnd(),
    shapes: shapeLines(plan, nameOf, server),
    errors: plan.errors.map(viewError),
    unionEnums: options.enumStyle === "union",
    webrpc: literal(webrpcHeader(plan)),
  });
}

/** Names of types in the file; only bodies of methods have another than the plan's. */
function bodyNames({ services }: Plan, options: TypescriptOptions): (typeName: string) => string {
  const names = new Map<string, string>();
  for (const { request, response } of services.flatMap(({ methods }) => methods)) {
    names.set(request.typeName, bodyName(request, "request", options));
    names.set(response.typeName, bodyName(response, "response", options));
  }
  return (typeName) => names.get(typeName) ?? typeName;
}

/** gen-typescript puts "Error" behind every name, also behind one that ends with it. */
function viewError(error: PlannedError): object {
  const { name, code, message, httpStatus } = error;
  return {
    docs: docComment(error, ""),
    className: typeIdentifier(`${name}Error`),
    key: propertyKey(name),
    name: literal(name),
    code,
    message: literal(message),
    status: httpStatus,
  };
}
