import { propertyKey } from "../../plan/names.ts";
import type { PlannedError } from "../../plan/plan.ts";
import { docComment, literal } from "../text.ts";

interface ErrorsView {
  readonly names: readonly string[];
  readonly schemaErrors: readonly ErrorLine[];
  readonly builtinErrors: readonly ErrorLine[];
}

interface ErrorLine {
  readonly docs: string;
  readonly key: string;
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
}

export function viewErrors(errors: readonly PlannedError[]): ErrorsView {
  const own = errors.filter(({ builtin }) => !builtin);
  return {
    names: own.map(({ name }) => literal(name)),
    schemaErrors: own.map(viewError),
    builtinErrors: errors.filter(({ builtin }) => builtin).map(viewError),
  };
}

function viewError(error: PlannedError): ErrorLine {
  const { name, code, message, httpStatus } = error;
  return {
    docs: docComment(error, "  "),
    key: propertyKey(name),
    name: literal(name),
    code,
    message: literal(message),
    status: httpStatus,
  };
}
