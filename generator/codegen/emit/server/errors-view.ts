import { renamesBuiltins } from "../../plan/errors.ts";
import { propertyKey } from "../../plan/names.ts";
import type { PlannedError } from "../../plan/plan.ts";
import { unionText } from "../errors/unions.ts";
import { docComment, literal } from "../text.ts";

interface ErrorsView {
  /** The union of the names. */
  readonly names: string;
  readonly schemaErrors: readonly ErrorLine[];
  /** Empty if the configuration renames none. */
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
    names: unionText(
      own.map(({ name }) => literal(name)),
      "export type SchemaErrorName = ;".length,
    ),
    schemaErrors: own.map(viewError),
    builtinErrors: renamesBuiltins(errors) ? errors.filter(({ builtin }) => builtin).map(viewError) : [],
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
