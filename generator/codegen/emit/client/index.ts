import type { EmittedFile, Options } from "../../options.ts";
import { errorUnions, isOfRuntime } from "../../plan/errors.ts";
import { camelCase, claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import { hasPages, hasReads, hasResumes, isOmitted, type Plan, type PlannedMethod } from "../../plan/plan.ts";
import { contractCheck, Imports } from "../imports.ts";
import { template } from "../render.ts";
import { errorInfo, header, literal, literalKey, webrpcHeader } from "../text.ts";
import ownTemplate from "./client.hbs";
import { type ClientNames, type ClientServiceView, viewClientService } from "./service.ts";
import { ShapeRegistry, type StructShape } from "./shapes.ts";

interface ClientView extends SchemaView {
  readonly header: string;
  readonly imports: readonly string[];
  /** Lines that export from the runtime. */
  readonly contractCheck: string;
  readonly exports: readonly string[];
  readonly shapeType: string;
  /** Empty if no body needs a conversion. */
  readonly shapes: readonly StructShape[];
  readonly services: readonly ClientServiceView[];
}

interface SchemaView {
  readonly schemaType: string;
  readonly basepath: string;
  readonly webrpc: string;
  /** The failures of the runtime as a property. */
  readonly defaults: string;
  /** Printed if the configuration renames one. */
  readonly failures: readonly { readonly code: number; readonly info: string }[];
  /** The shapes of the data of errors, by the name of the error. */
  readonly errorData: readonly { readonly key: string; readonly shape: string }[];
  /** The function that reads them. */
  readonly readErrorData: string;
  /** Its last argument, after a comma. Empty: `JSON.parse`. */
  readonly parse: string;
}

const print = template<ClientView>(ownTemplate);

/** Emits `client.ts`: a function for each method, so that bundles contain only those in use, and a class for each service. */
export function emitClient(schemaPlan: Plan, { templates }: Options): readonly EmittedFile[] {
  const plan = withUniqueFunctions(schemaPlan);
  const names = clientNames(plan);
  const imports = new Imports(names.declared);
  const shapes = new ShapeRegistry(plan);
  const parts = { plan, names, imports, shapes, unions: errorUnions(plan) };
  const hasMethods = plan.services.some(({ methods }) => methods.some((method) => !isOmitted(method)));
  const schema = hasMethods ? viewSchema(plan, imports, shapes) : noSchema;
  const structs = shapes.all(imports);
  const view = {
    header: header(plan.schemaFile),
    ...schema,
    shapes: structs,
    shapeType: structs.length === 0 ? "" : imports.type("ridlkit-runtime/shapes", "Shape"),
    services: plan.services.map((service) => viewClientService(service, parts)),
    contractCheck,
    exports: exportsOf(plan, names.declared).lines("export"),
  };
  return [{ path: "client.ts", text: print({ ...view, imports: imports.lines() }, templates.overrides) }];
}

const clientFile = "ridlkit-runtime/client";

/** Codes of the errors that a client raises. */
const failureCodes: readonly number[] = [-1, -4, -5, -8, -9];

/** Nothing in a client without methods refers to its schema. */
const noSchema: SchemaView = {
  schemaType: "",
  basepath: "",
  webrpc: "",
  defaults: "",
  failures: [],
  errorData: [],
  readErrorData: "",
  parse: "",
};

function viewSchema(plan: Plan, imports: Imports, shapes: ShapeRegistry): SchemaView {
  const raised = plan.errors.filter(({ code }) => failureCodes.includes(code));
  // The runtime has -4 and -9, too, which few clients raise.
  const failures = raised.every(isOfRuntime)
    ? []
    : raised.filter((error) => (error.code !== -4 && error.code !== -9) || !isOfRuntime(error));
  const defaults = failures.length === 0 ? imports.value(clientFile, "failures") : "";
  return {
    schemaType: imports.type(clientFile, "Schema"),
    basepath: literal(plan.basepath),
    webrpc: literal(webrpcHeader(plan)),
    defaults: defaults === "failures" ? defaults : `failures: ${defaults}`,
    failures: failures.map((error) => ({ code: error.code, info: errorInfo(error) })),
    ...viewErrorData(plan, imports, shapes),
  };
}

function viewErrorData(
  plan: Plan,
  imports: Imports,
  shapes: ShapeRegistry,
): Pick<SchemaView, "errorData" | "readErrorData" | "parse"> {
  const errorData = plan.errors.flatMap(({ name, data }) =>
    data === undefined ? [] : [{ key: literalKey(name), shape: shapes.ofData(data) ?? "{}" }],
  );
  if (errorData.length === 0) return { errorData, readErrorData: "", parse: "" };
  const isWide = plan.int64 === "bigint" && errorData.some(({ shape }) => shape !== "{}");
  return {
    errorData,
    readErrorData: imports.value("ridlkit-runtime/shapes", "readErrorData"),
    parse: isWide ? `, ${imports.value("ridlkit-runtime/json", "parseInt64Json")}` : "",
  };
}

function hasFiles({ services }: Plan): boolean {
  return services.some(({ methods }) => methods.some(({ fileOutput }) => fileOutput));
}

function hasStreams({ services }: Plan): boolean {
  return services.some(({ methods }) => methods.some((method) => method.streamOutput && !isOmitted(method)));
}

function hasEnums({ types }: Plan): boolean {
  return types.some(({ kind }) => kind === "enum");
}

/** If a service has the name of a runtime export, such as Client, the runtime export gets another name. */
function exportsOf(plan: Plan, declared: ReadonlySet<string>): Imports {
  const exports = new Imports(declared);
  for (const { module, items, isNeeded } of runtimeExports) {
    if (isNeeded?.(plan) === false) continue;
    const from = `ridlkit-runtime/${module}`;
    for (const item of items) {
      if (item.startsWith("type ")) exports.type(from, item.slice("type ".length));
      else exports.value(from, item);
    }
  }
  return exports;
}

/** What clients export from the runtime. */
const runtimeExports: readonly {
  readonly module: string;
  readonly items: readonly string[];
  /** Undefined: every client exports it. */
  readonly isNeeded?: (plan: Plan) => boolean;
}[] = [
  {
    module: "client",
    items: [
      "type Call",
      "type CallOptions",
      "chain",
      "type Client",
      "type FailureOf",
      "type Interceptor",
      "isCallOf",
      "match",
      "queryKey",
      "reauthenticate",
      "type Result",
      "result",
      "retries",
      "retryAfterMs",
      "type WithResponse",
      "withResponse",
    ],
  },
  { module: "errors", items: ["type Issue", "RpcError"] },
  {
    module: "client-streams",
    items: [
      "type Reconnect",
      "type Stream",
      "type StreamCallbacks",
      "type StreamController",
      "type StreamOptions",
      "type StreamState",
      "subscribe",
    ],
    isNeeded: hasStreams,
  },
  { module: "client-streams", items: ["type ResumableMethod"], isNeeded: hasResumes },
  { module: "client-files", items: ["type ReceivedFile"], isNeeded: hasFiles },
  { module: "client", items: ["byGet", "byQuery", "etagOf", "ifMatch"], isNeeded: hasReads },
  { module: "shapes", items: ["isOneOf"], isNeeded: hasEnums },
  {
    module: "paging",
    items: ["items", "type PagedMethod", "type PageOptions", "type Pages", "pages"],
    isNeeded: hasPages,
  },
];

function clientNames({ services }: Plan): ClientNames {
  const { declared, errors } = errorNames(services);
  return { declared, errorOf: (method) => errors.get(method) ?? "" };
}

/** A service with what the names of its exports depend on. */
export interface ExportingService<Method extends ExportingMethod> {
  readonly name: string;
  readonly className: string;
  readonly methods: readonly Method[];
}

export type ExportingMethod = Pick<PlannedMethod, "functionName" | "streamInput">;

/** Names the error types of methods with unique functions. `declared`: the names of all classes, functions and error types. */
export function errorNames<Method extends ExportingMethod>(
  services: readonly ExportingService<Method>[],
): { readonly declared: ReadonlySet<string>; readonly errors: ReadonlyMap<Method, string> } {
  const methods = services.flatMap((service) => service.methods.filter((method) => !method.streamInput));
  const declared = new Set([
    ...services.map(({ className }) => className),
    ...methods.map(({ functionName }) => functionName),
  ]);
  const errors = new Map(
    methods.map((method) => [
      method,
      claimName(`${pascalCase(withoutEscape(method.functionName))}Error`, declared),
    ]),
  );
  return { declared, errors };
}

/** Replaces the names of functions that are equal in two services. */
export function withUniqueFunctions(plan: Plan): Plan {
  const names = functionNames(plan.services);
  const services = plan.services.map((service) => ({
    ...service,
    methods: service.methods.map((method) => {
      const functionName = names.get(method) ?? method.functionName;
      return functionName === method.functionName ? method : { ...method, functionName };
    }),
  }));
  return { ...plan, services };
}

/**
 * Names the functions of all methods. Of methods with the same name, the first keeps the name, so that services at the end rename
 * nothing; for the others, the name of the service is in front: `ping` and `ordersPing`.
 */
export function functionNames<Method extends ExportingMethod>(
  services: readonly ExportingService<Method>[],
): ReadonlyMap<Method, string> {
  const isReserved = (name: string): boolean => reservedExports.has(name) || name.startsWith("shapeOf");
  const methods = services.flatMap((service) => service.methods.map((method) => ({ service, method })));
  const taken = new Set([...reservedExports, ...methods.map(({ method }) => method.functionName)]);
  const used = new Set<string>();
  return new Map(
    methods.map(({ service, method }) => {
      const { functionName } = method;
      if (used.has(functionName) || isReserved(functionName))
        return [method, claimName(qualifiedFunction(service.name, functionName), taken)];
      used.add(functionName);
      return [method, functionName];
    }),
  );
}

/**
 * Names that a client may declare or export in addition to the methods. Reserved in all schemas, so that an
 * annotation such as `@paging` never renames a function.
 */
const reservedExports: ReadonlySet<string> = new Set([
  "schema",
  "paged",
  "resumable",
  ...runtimeExports.flatMap(({ items }) => items.map((item) => item.replace("type ", ""))),
]);

function qualifiedFunction(service: string, functionName: string): string {
  return camelCase(service) + pascalCase(withoutEscape(functionName));
}
