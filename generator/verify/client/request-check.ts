import { requestCheckCode } from "../../codegen/emit/validators/index.ts";
import type { Plan, PlannedMethod, TypeFinder } from "../../codegen/plan/plan.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { type Issue, issue, pointerOf, toIssues } from "../../runtime/src/errors.ts";
import { BodyFault, parseInt64Json, parseJson } from "../../runtime/src/json.ts";
import * as validation from "../../runtime/src/validation.ts";
import { type Check, pathKey } from "../../runtime/src/validation.ts";

/** Nesting that generated servers accept by default. */
const jsonMaxDepth = 64;

/** Why a request does not match its contract. */
export interface RequestFault {
  /** One line for each invalid value: `/id: expected an integer, found "x"`. */
  readonly lines: readonly string[];
  readonly issues: readonly Issue[];
}

/** Checks the text of a request as generated validators do. The plan needs 64-bit integers as bigints. */
export function checkRequest(plan: Plan, method: PlannedMethod, text: string): RequestFault | undefined {
  const value = parseJson(text, jsonMaxDepth, parseInt64Json);
  if (value instanceof BodyFault) return { lines: [value.reason], issues: [] };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const found = isObject
    ? requestCheck(plan, method)(value)
    : toIssues([issue([], "an object", validation.describe(value))]);
  if (found === undefined) return undefined;
  const { listed, more } = found;
  const lines = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`);
  return {
    lines: more === 0 ? lines : [...lines, `and ${more} more`],
    issues: listed,
  };
}

function requestCheck(plan: Plan, method: PlannedMethod): Check {
  return new Function("v", requestCheckCode(plan, method))(validation) as Check;
}

/** A field that the contract does not have. Servers ignore it. */
export interface UnknownField {
  /** `/filter/limt`. */
  readonly pointer: string;
  readonly name: string;
  /** The names that the contract has in its place. */
  readonly known: readonly string[];
}

/** Most fields that are reported: a request for another method has nothing else. */
const maxReported = 10;

/** Finds the unknown fields of a valid request. */
export function unknownFields(
  types: TypeFinder,
  { request, files }: PlannedMethod,
  text: string,
): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const visit = (value: unknown, type: ResolvedType, at: readonly (string | number)[]): void => {
    if (typeof value !== "object" || value === null) return;
    const target = types.unaliased(type);
    if (target.kind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, target.element, [...at, index]);
    } else if (target.kind === "map") {
      for (const [key, item] of Object.entries(value)) visit(item, target.value, [...at, pathKey(key)]);
    } else if (target.kind === "struct") {
      const { fields } = types.struct(target.name);
      const own = files.filter(({ within }) =>
        within === undefined ? at.length === 0 : at[0] === within.name,
      );
      const known = [...fields.map(({ wireName }) => wireName), ...own.map(({ name }) => name)];
      for (const [name, part] of Object.entries(value)) {
        const field = fields.find(({ wireName, aliases }) => wireName === name || aliases.includes(name));
        if (field !== undefined) visit(part, field.type, [...at, name]);
        else if (!known.includes(name) && found.length < maxReported)
          found.push({ pointer: pointerOf([...at, pathKey(name)]), name, known });
      }
    }
  };
  visit(parseInt64Json(text), { kind: "struct", name: request.typeName }, []);
  return found;
}
