import { type Options, uploadReceiver } from "../../options.ts";
import { renamesBuiltins } from "../../plan/errors.ts";
import { markedFields } from "../../plan/marked-fields.ts";
import { propertyKey } from "../../plan/names.ts";
import { hasKeys, hasResumes, type Plan } from "../../plan/plan.ts";
import { planSteps } from "../../plan/versions/steps.ts";
import { Imports } from "../imports.ts";
import { docComment, literal, literalKey } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import { definitionName, handlersName } from "./service-view.ts";

interface IndexView {
  readonly basepath: string;
  readonly webrpc: string;
  /** The constants of the services. */
  readonly definitions: string;
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

export function viewIndex(plan: Plan, options: Options, imports: Imports): IndexView {
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
  for (const name of ["requests", "responses"]) imports.value("./validators.ts", name);
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
export function exportsOf(plan: Plan): Imports {
  const exports = new Imports([]);
  exports.value("ridlkit-runtime/contract", "generatedCodeV1");
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
