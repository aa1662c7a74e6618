/** Prints how a stream with `@resume` continues: `{ after: (req, item) => …, start: (req, position) => … }`. */
import type { PlannedMethod, PlannedResume } from "../../plan/plan.ts";
import type { Imports } from "../imports.ts";
import { access, requestWith } from "./field-path.ts";

const resumableFile = "ridlkit-runtime/client-streams";

/** Returns the type of a method with `@resume`. Undefined for other methods. */
export function resumableType(
  { resume }: PlannedMethod,
  typeArguments: string,
  imports: Imports,
): string | undefined {
  return resume && `${imports.type(resumableFile, "ResumableMethod")}<${typeArguments}>`;
}

/** Adds the functions of a method with `@resume` to the code that creates it. */
export function asResumable(created: string, { resume }: PlannedMethod, imports: Imports): string {
  if (resume === undefined) return created;
  const { after, id, form } = resume;
  return `${imports.value(resumableFile, "resumable")}(
    /* @__PURE__ */ ${created.replaceAll("\n", "\n  ")},
    {
      after: (req, item) => (${requestWith(after, access("item", id))}),
      start: (req, position) => (${requestWith(after, positions[form])}),
    },
  )`;
}

const positions: Readonly<Record<PlannedResume["form"], string>> = {
  string: "position",
  number: "Number(position)",
  bigint: "BigInt(position)",
};
