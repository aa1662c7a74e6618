/** Prints how a paged method gets from page to page: `{ next: (page, req) => …, items: (page) => … }`. */

import type { ResolvedType } from "../../../language/model/types.ts";
import type { FieldPath, Plan, PlannedMethod, PlannedPaging } from "../../plan/plan.ts";
import { coreTypeText } from "../../plan/value-forms.ts";
import type { Imports } from "../imports.ts";
import { bigintLiteral, literal } from "../text.ts";
import { access, requestWith } from "./field-path.ts";

const pagedFile = "ridlkit-runtime/paging";

/** Returns the type of a paged method. Undefined for other methods. */
export function pagedType(
  { paging, response }: PlannedMethod,
  typeArguments: string,
  plan: Plan,
  imports: Imports,
): string | undefined {
  if (paging?.item === undefined) return undefined;
  const { item, items = [] } = paging;
  const responseType = imports.member(typesFile, "types", response.callerType);
  return `${imports.type(pagedFile, "PagedMethod")}<${typeArguments}, ${itemType(item)}>`;

  function itemType(type: ResolvedType): string {
    if (type.kind === "struct") return imports.member(typesFile, "types", type.name);
    if (type.kind === "core") return coreTypeText(type.name, plan);
    // Responses may contain enum values and maps in a form of their own.
    const list = items.reduce((text, { wireName, optional, nullable }) => {
      const field = `${text}[${literal(wireName)}]`;
      return optional || nullable ? `NonNullable<${field}>` : field;
    }, responseType);
    return `${list}[number]`;
  }
}

const typesFile = "./types.ts";

/** Adds the functions of a paged method to the code that creates it. */
export function asPaged(created: string, { paging }: PlannedMethod, imports: Imports): string {
  if (paging?.items === undefined) return created;
  const paged = imports.value(pagedFile, "paged");
  return `${paged}(
    /* @__PURE__ */ ${created.replaceAll("\n", "\n  ")},
    {
      next: ${nextFunction(follows(paging), nextRequest(paging))},
      items: (page) => ${listAt(paging.items)},
    },
  )`;
}

function nextFunction(condition: string, next: string): string {
  const line = `(page, req) => (${condition} ? ${next} : undefined)`;
  if (line.length <= lineWidth) return line;
  return `(page, req) =>
        ${condition}
          ? ${next}
          : undefined`;
}

const lineWidth = 90;

/** `page.more`, `page.next`, or `page.items.length > 0`. */
function follows({ more, items = [] }: PlannedPaging): string {
  if (more !== undefined) return access("page", more);
  return `${mayBeAbsent(items) ? `(${listAt(items)})` : listAt(items)}.length > 0`;
}

/** `{ ...req, page: { ...req.page, number: (req.page?.number || 1) + 1 } }`. */
function nextRequest(paging: PlannedPaging): string {
  const { page, more = [], isCursor } = paging;
  const value = isCursor ? access("page", more, false) : nextNumber(paging);
  return requestWith(page, value);
}

/** An absent number is that of the first page. So is 0 where pages count from 1, because Go writes 0 for absent numbers. */
function nextNumber({ page, firstPage }: PlannedPaging): string {
  const [first, one] =
    typeof firstPage === "bigint"
      ? [bigintLiteral(firstPage), bigintLiteral(BigInt(1))]
      : [`${firstPage}`, "1"];
  const current = access("req", page);
  if (Number(firstPage) !== 0) return `(${current} || ${first}) + ${one}`;
  const isOptional = mayBeAbsent(page) || page.at(-1)?.default !== undefined;
  return `${isOptional ? `(${current} ?? ${first})` : current} + ${one}`;
}

function listAt(path: FieldPath): string {
  return mayBeAbsent(path) ? `${access("page", path)} ?? []` : access("page", path);
}

function mayBeAbsent(path: FieldPath): boolean {
  return path.some(({ optional, nullable }) => optional || nullable);
}
