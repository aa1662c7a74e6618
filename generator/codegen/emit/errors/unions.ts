import { unlistedErrors } from "../../plan/errors.ts";
import { claimName } from "../../plan/names.ts";
import type { Plan, PlannedError } from "../../plan/plan.ts";

export interface ErrorUnion {
  readonly name: string;
  readonly docs: string;
  /** Class names. */
  readonly members: readonly string[];
}

export interface ErrorUnions {
  /** Built-in errors. Part of every method's union. */
  readonly protocol: ErrorUnion;
  /** Schema errors that no method lists. Part of every method's union. */
  readonly unlisted: ErrorUnion;
  /** For methods that neither list errors nor have `@noErrors`. */
  readonly schema: ErrorUnion;
}

export function errorUnions(plan: Plan): ErrorUnions {
  const { errors } = plan;
  const taken = new Set(errors.map(({ className }) => className));
  const classes = (of: readonly PlannedError[]): string[] => of.map(({ className }) => className);
  return {
    protocol: {
      name: claimName("ProtocolError", taken),
      docs: "The errors of the protocol and of the client. Every method may fail with them.",
      members: classes(protocolErrors(plan)),
    },
    unlisted: {
      name: claimName("UnlistedError", taken),
      docs: "The schema errors that no method lists. Every method may fail with them.",
      members: classes(unlistedErrors(plan)),
    },
    schema: {
      name: claimName("SchemaError", taken),
      docs: "All errors of the schema. Methods that neither list errors nor have `@noErrors` may fail with any of them.",
      members: classes(errors.filter(({ builtin }) => !builtin)),
    },
  };
}

/** Returns the errors that any method may fail with. */
export function commonErrors(plan: Plan): readonly PlannedError[] {
  return [...protocolErrors(plan), ...unlistedErrors(plan)];
}

function protocolErrors({ errors }: Plan): readonly PlannedError[] {
  return errors.filter(({ builtin, code }) => builtin && !streamCodes.has(code));
}

/** Codes of WebrpcStreamLost and WebrpcStreamFinished, which only streams raise. */
const streamCodes: ReadonlySet<number> = new Set([-9, -10]);

/**
 * Prints the text after `type X =`: on the same line if it fits, or else one member per line. `width` is the length of
 * all other text on that line.
 */
export function unionText(members: readonly string[], width: number): string {
  const text = members.join(" | ");
  if (width + text.length < 110) return ` ${text || "never"}`;
  return members.map((member) => `\n  | ${member}`).join("");
}
