import { CoderBook, type Coding, decoding, encoding, wordsIn } from "../emit/client/coders.ts";
import { differs } from "../emit/json-schema/views.ts";
import { recordedStruct } from "../emit/server/recording-view.ts";
import { structFunction } from "../emit/validators/index.ts";
import { hasOtherForms } from "../emit/validators/write.ts";
import type { FieldModel } from "../model/model.ts";
import type { ResolvedType } from "../model/types.ts";
import { constraintKey } from "../plan/constraints.ts";
import { isWide } from "../plan/int64.ts";
import { isMarked, markedNames } from "../plan/marked-fields.ts";
import { valueIdentifier } from "../plan/names.ts";
import { innermost, partsOf } from "../plan/parts.ts";
import type { PlannedField, PlannedStruct } from "../plan/plan.ts";
import type { TargetName } from "../plan/targets.ts";
import { TypeFinder } from "../plan/type-finder.ts";
import type { FewTypes } from "./few.ts";

/**
 * All that other declarations, and files as a whole, see of a struct. While it stays as it was, nothing but what is printed of the
 * struct itself can change. It says more than need be: what it says without need costs a run its short way, and no more.
 */
export function seenOf(few: FewTypes, chosen: ReadonlySet<TargetName>): string {
  const { model, struct, plan } = few;
  const { int64 } = plan;
  const has = (counts: (field: PlannedField) => boolean): boolean => struct.fields.some(counts);
  return JSON.stringify({
    // What graphs of types are made of, hidden fields too.
    named: model.fields.flatMap((field) => (isNamed(field.type) ? [namedField(field)] : [])),
    hasBigint: model.fields.some(({ type }) => {
      const inside = innermost(type);
      return inside.kind === "core" && (inside.name === "bigint" || isWide(inside.name, int64));
    }),
    hasDate:
      plan.timestamps === "Date" &&
      partsOf(struct).some((part) => part.kind === "core" && part.name === "timestamp"),
    hasAny: partsOf(struct).some(
      ({ kind, ...part }) => kind === "unknown" || ("name" in part && part.name === "any"),
    ),
    isEmpty: [model.fields.length === 0, struct.fields.length === 0],
    // Views that callers and handlers have of it.
    defaults: [
      has((field) => field.default !== undefined),
      has((field) => field.default !== undefined && !field.optional),
      has((field) => field.default !== undefined && (field.optional || field.nullable)),
    ],
    marked: markedNames(struct, new TypeFinder(plan)),
    recorded: recordedStruct(plan, struct).aliases,
    validators: chosen.has("validators") ? seenByValidators(few) : {},
    client: chosen.has("client") ? { decoded: wordsOf(decoding, few), encoded: wordsOf(encoding, few) } : {},
  });
}

/** What else stands in their files, and how it is called. */
function seenByValidators({ struct, plan }: FewTypes): object {
  const { name, inRequests, inResponses } = struct;
  return {
    hasOtherForms: hasOtherForms(struct),
    isSplit: inRequests && inResponses && differs(struct, plan),
    requests: inRequests ? structFunction(plan, name, "request").asks : [],
    responses: inResponses ? structFunction(plan, name, "response").asks : [],
  };
}

function isNamed(type: ResolvedType): boolean {
  if (type.kind === "list") return isNamed(type.element);
  if (type.kind === "map") return isNamed(type.key) || isNamed(type.value);
  return type.kind !== "core" && type.kind !== "unknown";
}

function namedField({ type, wireName, constraints }: FieldModel): unknown {
  return [type, wireName === undefined, isMarked(constraints), constraintKey(constraints)];
}

/** What files of the client import for it. */
function wordsOf(coding: Coding, { struct, plan }: FewTypes): unknown {
  const coder = new CoderBook(coding, plan).coderOf(struct);
  return [coder.fields.length > 0, wordsIn(coding, [coder])];
}

/**
 * Whether a function of validators may need another name for a variable, because one of the same file has it: what a struct's
 * fields were called before is known to go well.
 */
export function mayClash(before: PlannedStruct, now: PlannedStruct): boolean {
  const known = new Set(before.fields.map(({ wireName }) => valueIdentifier(wireName)));
  return now.fields.some(({ wireName }) => {
    const local = valueIdentifier(wireName);
    return !known.has(local) && functionNames.test(local);
  });
}

const functionNames = /^(read|check|write|to|is|faultsIn)[^a-z]|(Expected|Pattern)[0-9]*$/;
