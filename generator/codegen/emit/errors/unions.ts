import { unlistedErrors } from "../../plan/errors.ts";
import { claimName } from "../../plan/names.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";

export interface ErrorUnion {
  readonly name: string;
  readonly docs: string;
  /** Names of classes. */
  readonly members: readonly string[];
}

export interface ErrorUnions {
  /** Part of every method. */
  readonly protocol: ErrorUnion;
  /** Part of every method. */
  readonly unlisted: ErrorUnion;
  /** Of a method that neither lists errors nor has `@noErrors`. */
  readonly schema: ErrorUnion;
}

export function errorUnions(plan: Plan): ErrorUnions {
  const { errors } = plan;
  const taken = new Set(errors.map(({ className }) => className));
  const classes = (of: readonly PlannedError[]): string[] => of.map(({ className }) => className);
  return {
    protocol: {
      name: claimName("ProtocolError", taken),
      docs: "The protocol's errors, which any method may fail with, and those of the client when no answer comes.",
      members: classes(protocolErrors(plan)),
    },
    unlisted: {
      name: claimName("UnlistedError", taken),
      docs: "The errors of the schema that no method lists: the host may return them from every method.",
      members: classes(unlistedErrors(plan)),
    },
    schema: {
      name: claimName("SchemaError", taken),
      docs: "Every error of the schema: a method that neither lists errors nor has `@noErrors` may return each of them.",
      members: classes(errors.filter(({ builtin }) => !builtin)),
    },
  };
}

/** What any method may fail with. */
export function commonErrors(plan: Plan): readonly PlannedError[] {
  return [...protocolErrors(plan), ...unlistedErrors(plan)];
}

function protocolErrors({ errors }: Plan): readonly PlannedError[] {
  return errors.filter(({ builtin, code }) => builtin && !streamCodes.has(code));
}

/** Raised by streams alone: lost, and finished. */
const streamCodes: ReadonlySet<number> = new Set([-9, -10]);

/** What follows `type X =`, with `width` characters of the line taken: on that line, or one member a line. */
export function unionText(members: readonly string[], width: number): string {
  const text = members.join(" | ");
  if (width + text.length < 110) return ` ${text || "never"}`;
  return members.map((member) => `\n  | ${member}`).join("");
}
