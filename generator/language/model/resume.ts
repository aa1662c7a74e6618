/**
 * Reads `@resume:"AFTER,ID,GAP"`: how clients continue a broken stream. AFTER is a field of the request, ID the field of each
 * item that a request sends as AFTER, and GAP the error for a position that the server cannot continue from.
 */
import {
  FieldFinder,
  type Found,
  fault,
  isCore,
  isInteger,
  isRequired,
  type Path,
  type PathFault,
} from "./field-paths.ts";
import type { MethodModel, TypeModel } from "./model.ts";
import { isSameType } from "./types.ts";

export const resumeName = "resume";

export interface ResumeModel {
  /** In the request. */
  readonly after: Path;
  /** In each item. */
  readonly id: Path;
}

/** What a method may refer to. */
export interface ResumeScope {
  readonly typeOf: (name: string) => TypeModel | undefined;
  /** The errors of the schema. */
  readonly errorNames: readonly string[];
}

/** Returns undefined for a method without the annotation. */
export function readResume(
  method: MethodModel,
  { typeOf, errorNames }: ResumeScope,
): ResumeModel | PathFault | undefined {
  const annotation = method.annotations.find(({ name }) => name === resumeName);
  if (annotation === undefined) return undefined;
  const { input, output, streamInput, streamOutput } = method;
  if (!streamOutput || streamInput)
    return fault("only streams of items can be resumed", "Remove the annotation.");
  const names = (annotation.value ?? "").split(",").map((name) => name.trim());
  const [afterPath = "", idPath = "", gap = ""] = names;
  if (names.length !== 3 || names.includes(""))
    return fault("it needs two names of fields and the name of an error", 'Write @resume:"after,id,Gap".');
  const finder = new FieldFinder(typeOf);
  const after = finder.find(afterPath, input, "request");
  if ("reason" in after) return after;
  const id = finder.find(idPath, output, "item");
  if ("reason" in id) return id;
  return (
    finder.requestFault(after) ??
    typeFault(after, id) ??
    startFault(after) ??
    idFault(id) ??
    gapFault(gap, method.errors, errorNames) ?? { after: after.path, id: id.path }
  );
}

function typeFault(after: Found, id: Found): PathFault | undefined {
  const isPosition = isInteger(after.type) || isCore(after.type, "string");
  const isSame = isSameType(after.type, id.type);
  if (isPosition && isSame) return undefined;
  const [request, item] = [after, id].map(({ path }) => `"${path.join(".")}"`);
  return isSame
    ? fault(
        `${request} and ${item} are neither strings nor integers of up to 64 bits`,
        "Make both fields strings.",
      )
    : fault(
        `${request} and ${item} are not both strings or integers of one type`,
        "Give both fields the same type, such as string.",
      );
}

/** A number has a start, such as 0. A text has none. */
function startFault(after: Found): PathFault | undefined {
  const isNeeded = isInteger(after.type) ? false : after.fields.every(isRequired);
  return isNeeded
    ? fault(
        `"${after.path.join(".")}" is required, so no call can start without a position`,
        "Make the field optional.",
      )
    : undefined;
}

function idFault(id: Found): PathFault | undefined {
  const absent = id.fields.find(({ optional, constraints }) => optional || constraints.nullable === "always");
  return absent && fault(`"${absent.name}" of an item may be absent`, "Make the field required.");
}

function gapFault(
  gap: string,
  listed: readonly string[] | undefined,
  errorNames: readonly string[],
): PathFault | undefined {
  const known = listed ?? errorNames;
  if (known.includes(gap)) return undefined;
  if (errorNames.includes(gap))
    return fault(`the method does not list the error "${gap}"`, `Add "${gap}" to the errors of the method.`);
  return {
    ...fault(
      `there is no error "${gap}"`,
      'Declare the error: error 100 FeedGap "items are missing" HTTP 410.',
    ),
    unknown: { name: gap, known: errorNames, within: [] },
  };
}
