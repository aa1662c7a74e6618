import type { Plan, PlannedError } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { Imports } from "../imports.ts";
import { type Overrides, template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import ownTemplate from "./errors.hbs";
import { type ErrorUnion, errorUnions, unionText } from "./unions.ts";

interface ErrorsView {
  readonly header: string;
  readonly imports: readonly string[];
  readonly base: string;
  readonly options: string;
  readonly test: string;
  readonly classes: readonly ClassView[];
  readonly unions: readonly UnionView[];
}

interface ClassView {
  readonly docs: string;
  readonly className: string;
  /** As literals. */
  readonly name: string;
  readonly message: string;
  readonly code: number;
  readonly status: number;
}

interface UnionView {
  readonly docs: string;
  readonly name: string;
  readonly members: string;
}

const print = template<ErrorsView>(ownTemplate);

/** Emits `errors.ts`: a class for every built-in and schema error, and the unions that methods share. */
export function emitErrors(plan: Plan, overrides?: Overrides): readonly EmittedFile[] {
  const { protocol, unlisted, schema } = errorUnions(plan);
  const unions = [protocol, unlisted, schema];
  const imports = new Imports([
    ...plan.errors.map(({ className }) => className),
    ...unions.map(({ name }) => name),
  ]);
  const runtime = "./runtime/v1/errors.ts";
  const view = {
    header: header(plan.schemaFile),
    base: imports.value(runtime, "RpcError"),
    options: imports.type(runtime, "RpcErrorOptions"),
    test: imports.value(runtime, "isRpcError"),
    classes: plan.errors.map(classView),
    unions: unions.map(unionView),
    imports: imports.lines(),
  };
  return [{ path: "errors.ts", text: print(view, overrides) }];
}

function classView(error: PlannedError): ClassView {
  const { name, className, code, message, httpStatus } = error;
  const summary = `${message.replace(/[\s.]+$/, "")} (${code}, HTTP ${httpStatus}).`;
  return {
    docs: docComment({ ...error, docs: [summary, ...error.docs] }, ""),
    className,
    name: literal(name),
    message: literal(message),
    code,
    status: httpStatus,
  };
}

function unionView({ name, docs, members }: ErrorUnion): UnionView {
  const width = `export type ${name} = ;`.length;
  return { docs: docComment({ docs: [docs] }, ""), name, members: unionText(members, width) };
}
