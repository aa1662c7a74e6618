import { type EmittedFile, type Options, uploadReceiver } from "../../options.ts";
import { renamesBuiltins } from "../../plan/errors.ts";
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
import { planSteps } from "../../plan/versions/steps.ts";
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
    ...viewIndex({ ...plan, services }, options, imports),
  };
  return [{ path: "server.ts", text: print({ ...view, imports: imports.lines() }, overrides) }];
}

/** Emits the methods as data, without the types of handlers. */
export function emitDefinitions(plan: Plan): readonly EmittedFile[] {
  const imports = new Imports([]);
  const options = { hasReads: hasReads(plan), hasHandlers: false, imports };
  const services = servedServices(plan).map((service) => printService(viewServerService(service, options)));
  if (services.length === 0) return [];
  const head = [header(plan.schemaFile), ...imports.lines()].join("\n");
  return [{ path: "server.ts", text: `${head}\n\n${services.join("\n")}` }];
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
  readonly isWide: boolean;
  readonly takesFiles: boolean;
  /** Whether calls may have idempotency keys. */
  readonly isKeyed: boolean;
  /** The receiver of uploads. */
  readonly uploads: string;
  readonly services: readonly ServiceLine[];
  /** The earlier versions that the server speaks, the oldest first. */
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

function viewIndex(plan: Plan, options: Options, imports: Imports): IndexView {
  const marked = markedFields(plan);
  const versions = planSteps(plan).map(({ plan: { schemaVersion }, folder, isCustom }) => ({
    key: literalKey(schemaVersion),
    local: imports.value(`./versions/${folder}/version.ts`, "version"),
    custom: isCustom ? imports.type(`./versions/${folder}/converters.ts`, "CustomConversions") : undefined,
  }));
  const isCustom = versions.some(({ custom }) => custom !== undefined);
  const isKeyed = [plan, ...plan.earlier].some(hasKeys);
  const isWide = plan.int64 === "bigint";
  const takesFiles = plan.services.some(({ methods }) => methods.some(({ files }) => files.length > 0));
  const uploads = uploadReceiver(options);
  imports.type("ridlkit-runtime/definition", "ApiDefinition");
  imports.type("ridlkit-runtime/handler", "ApiErrorMakers");
  imports.value("ridlkit-runtime/handler", "apiErrorMakers");
  imports.type("ridlkit-runtime/handler", "ErrorInfo");
  imports.type("ridlkit-runtime/server", "RpcServer");
  imports.type("ridlkit-runtime/server", "ServerArguments");
  const hasErrorData = plan.errors.some(({ data }) => data !== undefined);
  const tables = ["requests", "responses", ...(hasErrorData ? ["errorData"] : [])];
  for (const name of tables) imports.value("./validators.ts", name);
  if (!renamesBuiltins(plan.errors)) imports.value("ridlkit-runtime/builtin-errors", "builtinErrors");
  if (isKeyed) imports.type("ridlkit-runtime/server", "KeyedServerArguments");
  if (isWide) imports.value("ridlkit-runtime/json", "int64Json");
  if (takesFiles) imports.value(`ridlkit-runtime/${uploads.module}`, uploads.name);
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
    isWide,
    takesFiles,
    isKeyed,
    uploads: uploads.name,
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
    exports.value(from, "keysInMemory");
  }
  if (hasResumes(plan)) {
    const from = "ridlkit-runtime/server-streams";
    for (const name of ["ItemsInMemoryOptions", "ReplayEntry", "ReplayStore"]) exports.type(from, name);
    for (const name of ["itemsInMemory", "replay"]) exports.value(from, name);
  }
  return exports;
}

interface ErrorsView {
  /** The union of the names. */
  readonly names: string;
  readonly schemaErrors: readonly { readonly docs: string; readonly info: string }[];
  /** Empty if the configuration renames none. */
  readonly builtinErrors: readonly string[];
}

function viewErrors(errors: readonly PlannedError[], imports: Imports): ErrorsView {
  const own = errors.filter(({ builtin }) => !builtin);
  return {
    names: unionText(
      own.map((error) => raisedName(error, imports)),
      "export type SchemaErrorName = ;".length,
    ),
    schemaErrors: own.map((error) => ({ docs: docComment(error, "  "), info: servedErrorInfo(error) })),
    builtinErrors: renamesBuiltins(errors) ? errors.filter(({ builtin }) => builtin).map(errorInfo) : [],
  };
}
