import { type EmittedFile, type Options, uploadModules } from "../../options.ts";
import { renamesProtocolErrors, unlistedErrors } from "../../plan/errors.ts";
import { markedFields } from "../../plan/marked-fields.ts";
import { propertyKey } from "../../plan/names.ts";
import {
  hasKeys,
  hasReads,
  hasResumes,
  isOmitted,
  type Plan,
  type PlannedError,
  type PlannedService,
} from "../../plan/plan.ts";
import { type PlannedStep, planSteps } from "../../plan/versions/steps.ts";
import { contractCheck, Imports } from "../imports.ts";
import { template } from "../render.ts";
import {
  docComment,
  errorInfo,
  header,
  literal,
  literalKey,
  servedErrorInfo,
  unionText,
  webrpcHeader,
} from "../text.ts";
import ownTemplate from "./server.hbs";
import serviceTemplate from "./service.hbs";
import {
  definitionName,
  handlersName,
  raisedName,
  type ServerServiceView,
  viewServerService,
} from "./service-view.ts";

interface ServerView extends IndexView, ErrorsView {
  readonly header: string;
  readonly imports: readonly string[];
  /** Lines that export from the runtime. */
  readonly contractCheck: string;
  readonly exports: readonly string[];
  readonly serviceTexts: readonly string[];
}

const print = template<ServerView>(ownTemplate);
const printService = template<ServerServiceView>(serviceTemplate);

/**
 * Emits `server.ts`: the errors as data, the types of the handlers of each service, and `createServer`. Services whose
 * methods all stream their requests are omitted, and so is the server if no service remains.
 */
export function emitServer(plan: Plan, options: Options): readonly EmittedFile[] {
  const { overrides } = options.templates;
  const services = servedServices(plan);
  if (services.length === 0) return [];
  const imports = new Imports([]);
  const serviceOptions = { hasReads: hasReads(plan), hasHandlers: true, imports };
  const view = {
    header: header(plan.schemaFile),
    contractCheck,
    exports: exportsOf(plan).lines("export"),
    ...viewErrors(plan.errors, imports),
    serviceTexts: services.map((service) =>
      printService(viewServerService(service, serviceOptions), overrides).trimEnd(),
    ),
    ...viewIndex({ ...plan, services }, planSteps(plan), options, imports),
  };
  return [{ path: "server.ts", text: print({ ...view, imports: imports.lines() }, overrides) }];
}

/** The methods of a kept version as data, without those that the next version has in the same form. */
export interface KeptDefinitions {
  readonly files: readonly EmittedFile[];
  /** The constants of the services. */
  readonly services: readonly string[];
  /** The paths of the next version that the kept version lacks. */
  readonly missing: readonly string[];
}

export function emitDefinitions(plan: Plan, next: Plan): KeptDefinitions {
  const known = definitionsOf(next);
  const own = definitionsOf(plan);
  const services = plan.services.flatMap((service) => {
    const methods = service.methods.filter(({ path }) => own.has(path) && own.get(path) !== known.get(path));
    return methods.length === 0 ? [] : [{ ...service, methods }];
  });
  const missing = [...known.keys()].filter((path) => !own.has(path));
  if (services.length === 0) return { files: [], services: [], missing };
  const imports = new Imports([]);
  const options = { hasReads: hasReads(plan), hasHandlers: false, imports };
  const texts = services.map((service) => printService(viewServerService(service, options)));
  const text = `${[header(plan.schemaFile), ...imports.lines()].join("\n")}\n\n${texts.join("\n")}`;
  return { files: [{ path: "server.ts", text }], services: services.map(definitionName), missing };
}

/** What the server of a kept version does not take from the current method, by path. */
function definitionsOf(plan: Plan): ReadonlyMap<string, string> {
  const options = { hasReads: false, hasHandlers: false, imports: new Imports([]) };
  return new Map(
    plan.services.flatMap((service) => {
      const served = { ...service, methods: service.methods.filter((method) => !isOmitted(method)) };
      return viewServerService(served, options).methods.map(
        ({ docs, errors, unmatched, deprecation, annotations: _, read, ...own }, index) => {
          const { path = "", annotations = new Map() } = served.methods[index] ?? {};
          // The IR sorts annotations.
          const sorted = [...annotations].map(String).sort();
          return [path, JSON.stringify([service.name, own, sorted, read !== undefined])];
        },
      );
    }),
  );
}

function servedServices({ services }: Plan): readonly PlannedService[] {
  return services.filter(({ methods }) => !methods.every(isOmitted));
}

interface IndexView {
  readonly basepath: string;
  readonly webrpc: string;
  /** The constants of the services. */
  readonly definitions: string;
  /** The tables of validators. */
  readonly validators: string;
  /** Names of the errors that no method lists. */
  readonly unlisted: string | undefined;
  readonly isWide: boolean;
  readonly takesFiles: boolean;
  /** Whether calls may have idempotency keys. */
  readonly isKeyed: boolean;
  readonly services: readonly ServiceLine[];
  /** The union of the names. Undefined if no method has annotations. */
  readonly annotationNames: string | undefined;
  /** The kept versions, the oldest first. */
  readonly versions: readonly VersionLine[];
  /** Those with custom conversions. */
  readonly custom: readonly VersionLine[];
  /** Names as literals. Undefined if no field is marked. */
  readonly markedFields: string | undefined;
}

interface VersionLine {
  /** The version as the key of an object. */
  readonly key: string;
  readonly local: string;
  /** Name of the type of its custom conversions. */
  readonly custom: string | undefined;
}

interface ServiceLine {
  readonly docs: string;
  readonly key: string;
  readonly handlers: string;
}

function viewIndex(plan: Plan, steps: readonly PlannedStep[], options: Options, imports: Imports): IndexView {
  const marked = markedFields(plan);
  // Methods without a list may raise all errors.
  const hasLists = plan.services.some(({ methods }) => methods.some(({ errors }) => errors !== undefined));
  const unlisted = hasLists ? unlistedErrors(plan).map(({ name }) => literal(name)) : [];
  const versions = steps.map(({ plan: { schemaVersion }, folder, isCustom }) => ({
    key: literalKey(schemaVersion),
    local: imports.value(`./versions/${folder}/version.ts`, "version"),
    custom: isCustom ? imports.type(`./versions/${folder}/converters.ts`, "CustomConversions") : undefined,
  }));
  const isCustom = versions.some(({ custom }) => custom !== undefined);
  const isKeyed = [plan, ...plan.earlier].some(hasKeys);
  const isWide = plan.int64 === "bigint";
  const takesFiles = plan.services.some(({ methods }) => methods.some(({ files }) => files.length > 0));
  const methods = plan.services.flatMap((service) => service.methods.filter((method) => !isOmitted(method)));
  const annotations = [...new Set(methods.flatMap((method) => [...method.annotations.keys()]))].sort();
  imports.type("ridlkit-runtime/definition", "ApiDefinition");
  imports.type("ridlkit-runtime/handler", "ApiErrorMakers");
  imports.value("ridlkit-runtime/handler", "apiErrorMakers");
  imports.type("ridlkit-runtime/handler", "ErrorInfo");
  imports.type("ridlkit-runtime/server", "RpcServer");
  imports.type("ridlkit-runtime/server", "ServerArguments");
  const hasErrorData = plan.errors.some(({ data }) => data !== undefined);
  const tables = ["requests", "responses", ...(hasErrorData ? ["errorData"] : [])];
  for (const name of tables) imports.value("./validators.ts", name);
  if (!renamesProtocolErrors(plan.errors))
    imports.value("ridlkit-runtime/protocol-error-table", "protocolErrors");
  if (isKeyed) imports.type("ridlkit-runtime/server", "KeyedServerArguments");
  if (isWide) imports.value("ridlkit-runtime/json", "int64Json");
  if (takesFiles) imports.value(`ridlkit-runtime/${uploadModules(options).module}`, "uploadReceiver");
  if (versions.length === 0) imports.value("ridlkit-runtime/server", "createRpcServer");
  else imports.value("ridlkit-runtime/versions", "createVersionedServer");
  if (isCustom) imports.type("ridlkit-runtime/versions", "VersionedArguments");
  return {
    versions,
    custom: versions.filter(({ custom }) => custom !== undefined),
    basepath: literal(plan.basepath),
    markedFields: marked.length === 0 ? undefined : marked.map(literal).join(", "),
    webrpc: literal(webrpcHeader(plan)),
    definitions: plan.services.map(definitionName).join(", "),
    validators: tables.join(", "),
    unlisted: unlisted.length === 0 ? undefined : `[${unlisted.join(", ")}]`,
    isWide,
    takesFiles,
    isKeyed,
    annotationNames:
      annotations.length === 0
        ? undefined
        : unionText(annotations.map(literal), "export type AnnotationName = ;".length),
    services: plan.services.map((service) => ({
      docs: docComment(service, "  "),
      key: propertyKey(service.name),
      handlers: handlersName(service),
    })),
  };
}

/** What a server exports from the runtime. */
function exportsOf(plan: Plan): Imports {
  const exports = new Imports([]);
  if ([plan, ...plan.earlier].some(hasKeys)) {
    const from = "ridlkit-runtime/idempotency";
    for (const name of ["IdempotencyStore", "KeptResponse", "KeyUse"]) exports.type(from, name);
    exports.value(from, "memoryIdempotencyStore");
  }
  if (hasResumes(plan)) {
    const from = "ridlkit-runtime/server-streams";
    for (const name of ["MemoryReplayStoreOptions", "ReplayEntry", "ReplayStore"]) exports.type(from, name);
    for (const name of ["memoryReplayStore", "replay"]) exports.value(from, name);
  }
  return exports;
}

interface ErrorsView {
  /** The union of the names. */
  readonly names: string;
  readonly schemaErrors: readonly { readonly docs: string; readonly info: string }[];
  /** Empty if the configuration renames none. */
  readonly protocolErrors: readonly string[];
}

function viewErrors(errors: readonly PlannedError[], imports: Imports): ErrorsView {
  const own = errors.filter(({ isOfProtocol }) => !isOfProtocol);
  return {
    names: unionText(
      own.map((error) => raisedName(error, imports)),
      "export type SchemaErrorName = ;".length,
    ),
    schemaErrors: own.map((error) => ({ docs: docComment(error, "  "), info: servedErrorInfo(error) })),
    protocolErrors: renamesProtocolErrors(errors)
      ? errors.filter(({ isOfProtocol }) => isOfProtocol).map(errorInfo)
      : [],
  };
}
