import { credentialNames } from "../../language/model/annotations.ts";
import { withSentence } from "../plan/docs-sentence.ts";
import type { Documented, PlannedError, PlannedMethod } from "../plan/plan.ts";
import { inlineComment } from "./text.ts";

/** Most errors in the docs of a method. */
const errorsMax = 8;

/**
 * Returns the docs of a method for editors: its comment, its last day, its credentials, and a `@throws` for each error that it lists.
 * `nameOf` returns the name of an error where the docs are printed.
 */
export function methodDocs(
  { docs, deprecated, deprecation, annotations, errors = [] }: PlannedMethod,
  nameOf: (error: PlannedError) => string,
): Documented {
  const sunset = deprecation?.sunset;
  const dated = sunset === undefined ? docs : withSentence(docs, `Stops working on ${sunset}.`);
  const described = annotations.has("auth")
    ? withSentence(dated, credentials(annotations.get("auth")))
    : dated;
  const throws = errors
    .slice(0, errorsMax)
    .map((error) => `@throws {${nameOf(error)}} ${inlineComment(error.message)}`);
  const more = errors.length - throws.length;
  if (more > 0) throws.push(`@throws and ${more} more`);
  const all = [...described, ...throws];
  return deprecated === undefined ? { docs: all } : { docs: all, deprecated };
}

function credentials(auth: string | undefined): string {
  const names = credentialNames(auth);
  return names.length === 0 ? "Requires credentials." : `Requires credentials: ${names.join(", ")}.`;
}
