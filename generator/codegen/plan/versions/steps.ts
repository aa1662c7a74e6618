import { methodsByName } from "../../../language/model/methods.ts";
import { memoize } from "../../../language/source/memoize.ts";
import { claimName } from "../names.ts";
import { isOmitted, type Plan, type PlannedMethod } from "../plan.ts";
import { Conversions, type TypePair } from "./conversions.ts";

/* The steps from each kept version to the next one, and from the last one to the current version. */

/** A kept version, and how it is reached from the next version. */
export interface PlannedStep {
  readonly plan: Plan;
  /** Name of its folder, unique among all versions. */
  readonly folder: string;
  readonly next: Plan;
  /** Undefined if the next version is the current one. */
  readonly nextFolder: string | undefined;
  readonly methods: readonly MethodStep[];
  readonly errors: readonly ErrorStep[];
  /** All conversions of requests and of responses: of bodies and of what they contain. */
  readonly up: readonly TypePair[];
  readonly down: readonly TypePair[];
  /** Whether any conversion is custom. */
  readonly isCustom: boolean;
}

export interface MethodStep {
  readonly before: PlannedMethod;
  readonly after: PlannedMethod;
  readonly request: TypePair;
  /** Undefined if the response is a file. */
  readonly response: TypePair | undefined;
}

/** An error that has data in both versions. */
interface ErrorStep {
  /** Its name in the kept version. */
  readonly name: string;
  readonly data: TypePair;
}

/** The conversions of all bodies of one side. The data of errors belongs to the responses. */
export function bodyPairs(
  { methods, errors }: PlannedStep,
  side: "request" | "response",
): readonly TypePair[] {
  const bodies = methods.flatMap((method) => method[side] ?? []);
  return side === "request" ? bodies : [...bodies, ...errors.map(({ data }) => data)];
}

/** Returns the steps from the oldest version to the current one. */
export const planSteps: (current: Plan) => readonly PlannedStep[] = memoize((current) => {
  const { earlier: kept } = current;
  const folders = versionFolders(current);
  return kept.map((plan, index) =>
    planStep(plan, kept[index + 1] ?? current, {
      folder: folders[index] ?? "",
      nextFolder: folders[index + 1],
    }),
  );
});

/** The folders of the kept versions, the oldest first. */
function versionFolders({ earlier }: Plan): readonly string[] {
  const taken = new Set<string>();
  return earlier.map(({ schemaVersion }) => claimName(folderName(schemaVersion), taken));
}

function folderName(version: string): string {
  return version.replace(/[^A-Za-z0-9.-]/g, "-").replace(/^[.-]+/, "") || "version";
}

function planStep(plan: Plan, next: Plan, folders: Pick<PlannedStep, "folder" | "nextFolder">): PlannedStep {
  const names = new Set<string>();
  const up = new Conversions("up", plan, next, names);
  const down = new Conversions("down", next, plan, names);
  const methods = pairMethods(plan, next).map(({ before, after }) => ({
    before,
    after,
    request: up.body(before.request.typeName, after.request.typeName),
    response: before.fileOutput ? undefined : down.body(after.response.typeName, before.response.typeName),
  }));
  const errors = plan.errors.flatMap(({ name, code, data }) => {
    const same =
      next.errors.find((error) => error.name === name) ?? next.errors.find((error) => error.code === code);
    if (data === undefined || same?.data === undefined) return [];
    return [{ name, data: down.body(same.data.typeName, data.typeName) }];
  });
  const upPairs = up.complete();
  const downPairs = down.complete();
  return {
    plan,
    ...folders,
    next,
    methods,
    errors,
    up: upPairs,
    down: downPairs,
    isCustom: [...upPairs, ...downPairs].some(({ isCustom }) => isCustom),
  };
}

/* Pairs the methods and fields of two versions of a schema. */

interface MethodPair {
  readonly before: PlannedMethod;
  readonly after: PlannedMethod;
}

/**
 * Pairs methods by name, or by `@renamedFrom:Old` or `@renamedFrom:Service.Old`. Methods whose calls have another form in the
 * new version are not paired, for example if the response became a stream.
 */
function pairMethods(before: Plan, after: Plan): readonly MethodPair[] {
  const old = methodsByName(before);
  const renames = new Map<string, PlannedMethod>();
  const now = methodsByName(after);
  for (const [name, method] of now) {
    const from = method.annotations.get("renamedFrom");
    if (from === undefined || old.has(name)) continue;
    const service = name.slice(0, name.lastIndexOf("."));
    renames.set(from.includes(".") ? from : `${service}.${from}`, method);
  }
  return [...old].flatMap(([name, method]) => {
    const other = renames.get(name) ?? now.get(name);
    return other !== undefined && isCallableAs(method, other) ? [{ before: method, after: other }] : [];
  });
}

function isCallableAs(before: PlannedMethod, after: PlannedMethod): boolean {
  return (
    !isOmitted(before) &&
    !isOmitted(after) &&
    before.streamOutput === after.streamOutput &&
    before.fileOutput === after.fileOutput
  );
}
