import type { ErrorModel, MethodModel, Model } from "../../language/model/model.ts";
import type { Findings, SchemaItem } from "./findings.ts";
import { bareSlot, locationsOf, type MethodPair, type ValueSlot, type Walk } from "./sides.ts";
import { compareValues } from "./values.ts";

/**
 * Reports errors that a method may return but its callers do not expect. If the cause is a change of the error's
 * declaration or of another method's list of errors, the error is reported once, at its declaration.
 */
export function compareErrors({ sides, findings }: Walk, { callers, server, item }: MethodPair): void {
  const expected = possibleErrors(callers, sides.callers, sides.listed.callers);
  const returned = possibleErrors(server, sides.server, sides.listed.server);
  const itemOf = (error: ErrorModel, other: ErrorModel | undefined): SchemaItem => ({
    name: error.name,
    ...locationsOf(sides, other?.at, error.at, item.at),
  });
  const ownErrors: ErrorModel[] = [];
  for (const error of without(returned, expected)) {
    const known = sameIn(sides.callers.errors, error);
    const isUnlisted = !sides.listed.server.has(error.name);
    if (known !== undefined && isUnlisted)
      findings.add("error-unlisted", { name: error.name }, itemOf(error, known), "listed");
    else if (known === undefined && (isUnlisted || callers.errors === undefined)) {
      const method = isUnlisted
        ? "Every method"
        : "Every method that lists it, or neither lists errors nor has @noErrors,";
      findings.add("error-unknown", { method, errors: `"${error.name}"` }, itemOf(error, known), "error");
    } else ownErrors.push(error);
  }
  if (ownErrors.length > 0) {
    const errors =
      server.errors === undefined ? "any error" : ownErrors.map(({ name }) => `"${name}"`).join(", ");
    const items = [item.name, ...ownErrors.map(({ name }) => name)];
    findings.add("error-unknown", { method: `"${item.name}"`, errors }, item, "errors", { items });
  }
  for (const error of without(expected, returned)) {
    const other = sameIn(sides.server.errors, error);
    if (other !== undefined && !sides.listed.callers.has(error.name) && sides.listed.server.has(other.name))
      findings.add("error-newly-listed", { name: error.name }, itemOf(other, error), "listed");
  }
}

/** Every method may return the errors that no method lists. */
function possibleErrors(
  { errors: own }: MethodModel,
  { errors }: Model,
  listed: ReadonlySet<string>,
): readonly ErrorModel[] {
  return own === undefined ? errors : errors.filter(({ name }) => own.includes(name) || !listed.has(name));
}

function without(errors: readonly ErrorModel[], others: readonly ErrorModel[]): readonly ErrorModel[] {
  return errors.filter((error) => sameIn(others, error) === undefined);
}

/** Callers recognize an error by its name or its code. */
function sameIn(errors: readonly ErrorModel[], { name, code }: ErrorModel): ErrorModel | undefined {
  return errors.find((one) => one.name === name) ?? errors.find((one) => one.code === code);
}

/** Callers identify errors by their codes. `walk`: compares their data, like a response. */
export function compareErrorDeclarations(walk: Walk, findings: Findings): void {
  const { sides } = walk;
  for (const known of sides.callers.errors) {
    const same = sides.server.errors.find(({ name }) => name === known.name);
    const other = same ?? sides.server.errors.find(({ code }) => code === known.code);
    if (other === undefined) continue;
    const item = { name: known.name, ...locationsOf(sides, known.at, other.at, other.at) };
    const { name } = known;
    if (other.code !== known.code)
      findings.add("error-code-changed", { name, callers: known.code, server: other.code }, item, "code");
    else if (other.httpStatus !== known.httpStatus)
      findings.add(
        "error-status-changed",
        { name, callers: known.httpStatus, server: other.httpStatus },
        item,
        "status",
      );
    else if (other.name !== name)
      findings.add("type-renamed", { callers: name, server: other.name }, item, "name");
    if (known.data === undefined) continue;
    if (other.data === undefined) findings.add("error-data-missing", { name }, item, "data");
    else
      compareValues(
        walk,
        { writer: dataSlot(sides.server, other.data), reader: dataSlot(sides.callers, known.data) },
        item,
      );
  }
}

function dataSlot(model: Model, name: string): ValueSlot {
  return bareSlot({ kind: "alias", name }, model);
}
