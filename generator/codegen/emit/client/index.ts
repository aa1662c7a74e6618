import { claimName } from "../../plan/names.ts";
import { hasPages, hasReads, hasResumes, hasRoutes, isOmitted, type Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { errorUnions } from "../errors/unions.ts";
import { Imports } from "../imports.ts";
import { type Overrides, template } from "../render.ts";
import { header, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import {
  enumExports,
  fileExports,
  pageExports,
  readExports,
  resumeExports,
  runtimeExports,
  streamExports,
} from "./exports.ts";
import { clientFiles } from "./files.ts";
import indexTemplate from "./index.hbs";
import { clientNames, withUniqueFunctions } from "./names.ts";
import schemaTemplate from "./schema.hbs";
import { type ClientParts, emitService } from "./service.ts";
import shapesTemplate from "./shapes.hbs";
import { ShapeRegistry, type StructShape } from "./shapes.ts";

const printIndex = template<{ header: string; exports: readonly string[] }>(indexTemplate);
const printSchema = template<{
  header: string;
  imports: readonly string[];
  schemaType: string;
  failureType: string;
  basepath: string;
  webrpc: string;
  failures: readonly object[];
  /** Name of the error for invalid requests. Empty if no request is checked. */
  refusal: string;
  refusalMessage: string;
}>(schemaTemplate);

const printShapes = template<{
  header: string;
  imports: readonly string[];
  shapeType: string;
  /** `const` in a file that contains all users of the shapes. */
  declare: "const" | "export const";
  shapes: readonly StructShape[];
}>(shapesTemplate);

/** Emits `client/`: one file per service, their shared parts, and `index.ts`, which exports everything. */
export function emitClient(schemaPlan: Plan, overrides?: Overrides): readonly EmittedFile[] {
  const plan = withUniqueFunctions(schemaPlan);
  const names = clientNames(plan);
  // Files that are joined later must use the same local names for their imports.
  const shared = plan.services.slice(0, 1).map((service) => new Imports(names.ofFile(service)));
  const importsOf = (own: ReadonlySet<string>): Imports =>
    (plan.layout === "single" ? shared[0] : undefined) ?? new Imports(own);
  const parts = {
    plan,
    names,
    importsOf,
    overrides,
    fileNames: clientFiles(plan),
    unions: errorUnions(plan),
    shapes: new ShapeRegistry(plan),
  };
  return [
    ...plan.services.map((service) => emitService(service, parts)),
    emitSchema(parts),
    ...emitShapes(parts),
    emitIndex(parts),
  ];
}

const clientFile = "../runtime/v1/client.ts";

/** Codes of the errors that a client raises. The last one is only needed for streams. */
const failureCodes: readonly number[] = [-1, -5, -8, -9];

function emitSchema(parts: ClientParts): EmittedFile {
  const { plan, overrides, importsOf } = parts;
  const codes = hasStreams(plan) ? failureCodes : failureCodes.slice(0, -1);
  const refusal = plan.errors.find(({ builtin, code }) => builtin && code === -4);
  const failures = plan.errors.filter(({ builtin, code }) => builtin && codes.includes(code));
  const imports = importsOf(new Set(["schema", "refusal"]));
  const checksRequests = rejectsRequests(parts);
  const schemaType = imports.type(clientFile, "Schema");
  const failureType = checksRequests ? imports.type(clientFile, "FailureInfo") : "";
  const view = {
    header: header(plan.schemaFile),
    imports: imports.lines(),
    schemaType,
    failureType,
    basepath: literal(plan.basepath),
    webrpc: literal(webrpcHeader(plan)),
    failures: failures.map(({ code, name, message, httpStatus }) => ({
      code,
      name: literal(name),
      message: literal(message),
      status: httpStatus,
    })),
    refusal: checksRequests && refusal !== undefined ? literal(refusal.name) : "",
    refusalMessage: literal(refusal?.message ?? ""),
  };
  return { path: `client/${clientFiles(plan).schema}.ts`, text: printSchema(view, overrides) };
}

/** Whether the client rejects some requests before sending them. */
function rejectsRequests({ plan, shapes }: ClientParts): boolean {
  const methods = plan.services.flatMap((service) => service.methods).filter((method) => !isOmitted(method));
  return hasRoutes(plan) || methods.some((method) => shapes.nameFor(method, "request") !== undefined);
}

/** Emits nothing if no body needs a conversion. */
function emitShapes({ plan, overrides, shapes: registry, importsOf }: ClientParts): readonly EmittedFile[] {
  // Shapes are called `shapeOfOrder`, which is never the name of an import.
  const imports = importsOf(new Set());
  const shapes = registry.all(imports);
  if (shapes.length === 0) return [];
  const shapeType = imports.type("../runtime/v1/shape.ts", "Shape");
  const declare = plan.layout === "single" ? ("const" as const) : ("export const" as const);
  const view = { header: header(plan.schemaFile), imports: imports.lines(), shapeType, declare, shapes };
  return [{ path: `client/${clientFiles(plan).shapes}.ts`, text: printShapes(view, overrides) }];
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

function emitIndex({ plan, names, overrides }: ClientParts): EmittedFile {
  const [first] = plan.services;
  const localNames = plan.layout === "single" && first !== undefined ? names.ofFile(first) : [];
  const taken = new Set([...plan.services.map(({ className }) => className), ...localNames]);
  const services = plan.services.map(
    ({ className, fileName }) => `export { ${className} } from "./${fileName}.ts";`,
  );
  const namesByFile = {
    ...runtimeExports,
    ...(hasStreams(plan) && streamExports),
    ...(hasResumes(plan) && resumeExports),
    ...(hasFiles(plan) && fileExports),
    ...(hasReads(plan) && readExports),
    ...(hasEnums(plan) && enumExports),
    ...(hasPages(plan) && pageExports),
  };
  const runtime = Object.entries(namesByFile).map(([file, exports]) => {
    const items = exports.map((name) => exported(name, taken));
    return `export { ${items.join(", ")} } from "../runtime/v1/${file}.ts";`;
  });
  return {
    path: `client/${clientFiles(plan).index}.ts`,
    text: printIndex({ header: header(plan.schemaFile), exports: [...runtime, ...services] }, overrides),
  };
}

/** If a service has the name of a runtime export, such as Client, the runtime export gets another name. */
function exported(item: string, taken: Set<string>): string {
  const name = item.replace("type ", "");
  const own = claimName(name, taken);
  return own === name ? item : `${item} as ${own}`;
}
