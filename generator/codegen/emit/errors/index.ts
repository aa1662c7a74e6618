import type { EmittedFile, Options } from "../../options.ts";
import {
  clientOutdatedCode,
  type ErrorUnion,
  errorUnions,
  isOfRuntime,
  renamesProtocolErrors,
} from "../../plan/errors.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";
import { contractCheck, Imports, importLine } from "../imports.ts";
import { template } from "../render.ts";
import { docComment, errorInfo, header, literal, unionText } from "../text.ts";
import ownTemplate from "./errors.hbs";

interface ErrorsView {
  readonly header: string;
  readonly imports: readonly string[];
  /** Lines that export from the runtime. */
  readonly exports: readonly string[];
  /** Local names of imports, `""` without classes. */
  readonly classType: string;
  readonly errorType: string;
  readonly create: string;
  readonly classes: readonly ClassView[];
  readonly unions: readonly UnionView[];
}

interface ClassView {
  readonly docs: string;
  readonly className: string;
  /** As a literal. */
  readonly name: string;
  readonly code: number;
  /** A comma and the type of its data, if it has any. */
  readonly data: string;
  readonly info: string;
}

interface UnionView {
  readonly docs: string;
  readonly name: string;
  readonly members: string;
}

const print = template<ErrorsView>(ownTemplate);

/**
 * Emits `errors.ts`: a class for each error of the schema, those of the protocol errors from the runtime, and the unions
 * that methods share. protocol errors that the configuration renames are printed, too.
 */
export function emitErrors(plan: Plan, { templates }: Options): readonly EmittedFile[] {
  const { protocol, unlisted, schema } = errorUnions(plan);
  const ofProtocol = plan.errors.filter(isOfRuntime);
  const printed = plan.errors.filter((error) => !isOfRuntime(error));
  const imports = new Imports([
    ...printed.map(({ className }) => className),
    ...[protocol, unlisted, schema].map(({ name }) => name),
  ]);
  const isStandard =
    protocol.name === "ProtocolError" &&
    !renamesProtocolErrors(plan.errors) &&
    plan.errors.every(({ code }) => code !== clientOutdatedCode);
  const exported = ofProtocol.map(({ className }) => className);
  if (!isStandard)
    for (const className of exported)
      if (protocol.members.includes(className)) imports.type(protocolErrorsFile, className);
  const [classType, errorType, create] =
    printed.length === 0
      ? ["", "", ""]
      : [
          imports.type(runtime, "RpcErrorClass"),
          imports.type(runtime, "RpcError"),
          imports.value(runtime, "rpcErrorClass"),
        ];
  const view = {
    header: header(plan.schemaFile),
    exports: [
      contractCheck,
      "",
      isStandard
        ? `export * from "${protocolErrorsFile}";`
        : importLine("export", exported, protocolErrorsFile),
    ],
    classType,
    errorType,
    create,
    classes: printed.map((error) => classView(error, imports)),
    unions: (isStandard ? [unlisted, schema] : [protocol, unlisted, schema]).map(unionView),
    imports: imports.lines(),
  };
  return [{ path: "errors.ts", text: print(view, templates.overrides) }];
}

const runtime = "ridlkit-runtime/errors";
const protocolErrorsFile = "ridlkit-runtime/protocol-errors";

function classView(error: PlannedError, imports: Imports): ClassView {
  const { name, className, code, message, httpStatus, data } = error;
  const summary = `${message.replace(/[\s.]+$/, "")} (${code}, HTTP ${httpStatus}).`;
  return {
    docs: docComment({ ...error, docs: [summary, ...error.docs] }, ""),
    className,
    name: literal(name),
    code,
    data: data === undefined ? "" : `, ${imports.member("./types.ts", "types", data.type)}`,
    info: errorInfo(error),
  };
}

function unionView({ name, docs, members }: ErrorUnion): UnionView {
  const width = `export type ${name} = ;`.length;
  return { docs: docComment({ docs: [docs] }, ""), name, members: unionText(members, width) };
}
