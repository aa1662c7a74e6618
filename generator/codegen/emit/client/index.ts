import type { EmittedFile, Options } from "../../options.ts";
import { isOfRuntime } from "../../plan/errors.ts";
import { hasPages, hasReads, hasResumes, isOmitted, type Plan } from "../../plan/plan.ts";
import { errorUnions } from "../errors/unions.ts";
import { Imports } from "../imports.ts";
import { template } from "../render.ts";
import { header, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import ownTemplate from "./client.hbs";
import {
  type Exports,
  enumExports,
  fileExports,
  pageExports,
  readExports,
  resumeExports,
  runtimeExports,
  streamExports,
} from "./exports.ts";
import { clientNames, withUniqueFunctions } from "./names.ts";
import { type ServiceView, viewService } from "./service.ts";
import { ShapeRegistry, type StructShape } from "./shapes.ts";

interface ClientView extends SchemaView {
  readonly header: string;
  readonly imports: readonly string[];
  /** Lines that export from the runtime. */
  readonly exports: readonly string[];
  readonly shapeType: string;
  /** Empty if no body needs a conversion. */
  readonly shapes: readonly StructShape[];
  readonly services: readonly ServiceView[];
}

interface SchemaView {
  readonly schemaType: string;
  readonly basepath: string;
  readonly webrpc: string;
  /** The failures of the runtime as a property. */
  readonly defaults: string;
  /** Printed if the configuration renames one. */
  readonly failures: readonly object[];
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
  const schema = hasMethods ? viewSchema(plan, imports) : noSchema;
  const structs = shapes.all(imports);
  const view = {
    header: header(plan.schemaFile),
    ...schema,
    shapes: structs,
    shapeType: structs.length === 0 ? "" : imports.type("ridlkit-runtime/shapes", "Shape"),
    services: plan.services.map((service) => viewService(service, parts)),
    exports: exportsOf(plan, names.declared).lines("export"),
  };
  return [{ path: "client.ts", text: print({ ...view, imports: imports.lines() }, templates.overrides) }];
}

const clientFile = "ridlkit-runtime/client";

/** Codes of the errors that a client raises. */
const failureCodes: readonly number[] = [-1, -4, -5, -8, -9];

/** Nothing in a client without methods refers to its schema. */
const noSchema: SchemaView = { schemaType: "", basepath: "", webrpc: "", defaults: "", failures: [] };

function viewSchema(plan: Plan, imports: Imports): SchemaView {
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
    failures: failures.map(({ code, name, message, httpStatus }) => ({
      code,
      name: literal(name),
      message: literal(message),
      status: httpStatus,
    })),
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
  const needed: readonly Exports[] = [
    { contract: ["generatedCodeV1"] },
    runtimeExports,
    ...(hasStreams(plan) ? [streamExports] : []),
    ...(hasResumes(plan) ? [resumeExports] : []),
    ...(hasFiles(plan) ? [fileExports] : []),
    ...(hasReads(plan) ? [readExports] : []),
    ...(hasEnums(plan) ? [enumExports] : []),
    ...(hasPages(plan) ? [pageExports] : []),
  ];
  const exports = new Imports(declared);
  for (const [module, items] of needed.flatMap((each) => Object.entries(each)))
    for (const item of items) {
      const from = `ridlkit-runtime/${module}`;
      if (item.startsWith("type ")) exports.type(from, item.slice("type ".length));
      else exports.value(from, item);
    }
  return exports;
}
