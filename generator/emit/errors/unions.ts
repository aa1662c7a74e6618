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
  readonly common: ErrorUnion;
  /** Of a method without an errors clause. */
  readonly schema: ErrorUnion;
}

/**
 * What methods share. An error that no clause names is the host's: its hooks (credentials, limits, capacity) raise it around any
 * method. So is an error of the protocol, and what the client itself makes when there is no answer.
 */
export function errorUnions(plan: Plan): ErrorUnions {
  const { errors } = plan;
  const taken = new Set(errors.map(({ className }) => className));
  const classes = (of: readonly PlannedError[]): string[] => of.map(({ className }) => className);
  return {
    common: {
      name: claimName("CommonError", taken),
      docs: "What any method may fail with: the host's refusals, the protocol's errors, and no answer at all.",
      members: classes(commonErrors(plan)),
    },
    schema: {
      name: claimName("SchemaError", taken),
      docs: "Every error that the schema declares.",
      members: classes(errors.filter(({ builtin }) => !builtin)),
    },
  };
}

/** What any method may fail with. */
export function commonErrors({ errors, services }: Plan): readonly PlannedError[] {
  const clauses = services.flatMap(({ methods }) => methods.flatMap((method) => method.errors ?? []));
  const named = new Set(clauses.map(({ name }) => name));
  return errors.filter(({ builtin, code, name }) => (builtin ? !streamCodes.has(code) : !named.has(name)));
}

/** Raised by streams alone: lost, and finished. */
const streamCodes: ReadonlySet<number> = new Set([-9, -10]);

/** What follows `type X =`, with `width` characters of the line taken: on that line, or one member a line. */
export function unionText(members: readonly string[], width: number): string {
  const text = members.join(" | ");
  if (width + text.length < 110) return ` ${text || "never"}`;
  return members.map((member) => `\n  | ${member}`).join("");
}
