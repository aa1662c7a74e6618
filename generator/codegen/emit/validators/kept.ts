import { memoize } from "../../../language/source/memoize.ts";
import type { EmittedFile } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { sharedNames } from "../../plan/type-graph.ts";
import { bodyPairs, type PlannedStep, planSteps } from "../../plan/versions/steps.ts";
import {
  distinctCode,
  parametersIn,
  referencesIn,
  typeOf,
  withNames,
  withParameters,
} from "../equal-code.ts";
import { Imports } from "../imports.ts";
import { header, withoutTexts } from "../text.ts";
import { blocksOf, runtimeImport, tableOf, textOf, textOfBlocks } from "./blocks.ts";
import { type SharedEntry, type SharedValidators, sharedValidatorsOf } from "./bodies.ts";
import type { ValidatorDeclaration } from "./function-registry.ts";

/* Which validators the versions of a contract share. */

/** A declaration where it is printed. Versions with the same code share it. */
interface Printed extends ValidatorDeclaration {
  readonly file: File;
  /** What the names in its code stand for. */
  readonly scope: Scope;
  /** The names that older versions give another meaning. */
  readonly parameters: string[];
  /** Replaces the code of a function if a newer version has the same, with other meanings of some names. */
  call?: Call | undefined;
}

/** A file in the folder of a kept version. The current version has the folder "". */
interface File {
  readonly folder: string;
  readonly name: string;
}

const validatorsFile = "validators.ts";
/** Checks of requests as the next version gets them. */
const checksFile = "request-checks.ts";

type Scope = ReadonlyMap<string, Printed>;

interface Call {
  readonly target: Printed;
  readonly parameters: readonly string[];
}

/** The validators of a version. */
interface VersionValidators extends SharedValidators {
  readonly scope: Scope;
  /** All that it declares. */
  readonly declared: readonly ValidatorDeclaration[];
}

/** Returns the validators of all versions, the oldest first. */
const versionsOf = memoize((plan: Plan): readonly VersionValidators[] => {
  const steps = planSteps(plan);
  const versions: VersionValidators[] = [];
  for (let index = steps.length; index >= 0; index--)
    versions.unshift(
      declare(steps[index]?.plan ?? plan, steps[index]?.folder, steps[index - 1], versions[0]),
    );
  return versions;
});

/** `older`: the step from the version before, whose requests are checked after their conversion. */
function declare(
  plan: Plan,
  folder: string | undefined,
  older: PlannedStep | undefined,
  next: VersionValidators | undefined,
): VersionValidators {
  const validators = sharedValidatorsOf(plan, older === undefined ? [] : checkedTypes(older, "request"));
  const declared = [...validators.declared, ...validators.checks];
  const ownFile = { folder: folder ?? "", name: validatorsFile };
  const checkFile = { folder: older?.folder ?? "", name: checksFile };
  const files = new Map<ValidatorDeclaration, File>(validators.checks.map((one) => [one, checkFile]));
  const shared = next === undefined ? new Set() : sharedNames(declared, next.declared, namesIn);
  // What the next version has comes first, because it needs no code.
  const ordered = [true, false].flatMap((isShared) =>
    declared.filter(({ name }) => shared.has(name) === isShared),
  );
  const { nameOf } = distinctCode(ordered);
  const scope = new Map<string, Printed>();
  for (const one of ordered) {
    const { name } = one;
    const file = files.get(one) ?? ownFile;
    // The current version prints all that it declares.
    const equal = file.folder === "" ? undefined : scope.get(nameOf(name));
    const known = shared.has(name) ? next?.scope.get(name) : equal;
    scope.set(name, known ?? { ...one, file, scope, parameters: [] });
  }
  for (const one of scope.values())
    if (one.scope === scope) one.call = callFor(one, next?.scope.get(one.name));
  return { ...validators, declared, scope };
}

/** Returns the call of a newer function with the same code, unless the call is as long as the code. */
function callFor(own: Printed, newer: Printed | undefined): Call | undefined {
  const target = newer?.call?.target ?? newer;
  if (target === undefined || own.lines.length <= 3 || textOf(own.lines) !== textOf(target.lines))
    return undefined;
  const names = referencesIn(own.lines.slice(1)).filter(
    (name) => own.scope.get(name) !== target.scope.get(name),
  );
  const typeIn = ({ scope }: Printed, name: string): string | undefined => typeOf(scope.get(name)?.lines);
  if (!names.every((name) => typeIn(own, name) === typeIn(target, name))) return undefined;
  const { parameters } = target;
  parameters.push(...names.filter((name) => !parameters.includes(name)));
  return { target, parameters: [...parameters] };
}

/** The names that a declaration may refer to, without those in texts and the keys of objects. */
function namesIn({ lines }: ValidatorDeclaration): readonly string[] {
  return [...withoutTexts(lines.join("\n")).matchAll(/[A-Za-z_$][\w$]*(?![\w$]*:)/g)].map(([name]) => name);
}

/** The types of the bodies that are checked after their conversion. */
function checkedTypes(step: PlannedStep, side: "request" | "response"): readonly string[] {
  return [...new Set(bodyPairs(step, side).flatMap(({ needsCheck, to }) => (needsCheck ? [to] : [])))];
}

/** Returns a function that adds to declarations of the current version the parameters that older versions need. */
export function parameterizer(plan: Plan): (declaration: ValidatorDeclaration) => ValidatorDeclaration {
  const scope = plan.earlier.length === 0 ? undefined : versionsOf(plan).at(-1)?.scope;
  return (one) => ({ ...one, lines: parameterized(one, scope?.get(one.name)) });
}

function parameterized(
  { lines }: ValidatorDeclaration,
  { parameters, scope }: Pick<Printed, "parameters" | "scope"> = { parameters: [], scope: new Map() },
): readonly string[] {
  return withParameters(
    lines,
    new Map(parameters.map((name) => [name, typeOf(scope.get(name)?.lines) ?? ""])),
  );
}

/* The files of kept versions: what the next version lacks. */

/** What a kept version prints. */
export interface KeptValidators {
  readonly files: readonly EmittedFile[];
  /** Names of the tables that `validators.ts` exports. */
  readonly tables: readonly string[];
  /** Prints the function that finds faults in converted values of a type, for `version.ts`. */
  checkText(side: "request" | "response", typeName: string, imports: Imports): string;
}

interface Table {
  readonly name: string;
  readonly type: string;
  readonly entries: readonly { readonly key: string; readonly printed: Printed }[];
}

/** Where code is printed. */
interface Place {
  readonly file: File;
  readonly imports: Imports;
  /** The functions that others call. A call of another function is printed where the function is listed. */
  readonly called: ReadonlySet<Printed>;
}

/** Returns the validators of each kept version, the oldest first. */
export function keptValidators(plan: Plan): readonly KeptValidators[] {
  const versions = versionsOf(plan);
  const kept = planSteps(plan).map((step, index) => {
    const [own, next] = versions.slice(index) as [VersionValidators, VersionValidators];
    const checkOf = (side: "request" | "response", typeName: string): Printed => {
      const version = side === "request" ? next : own;
      return declaredAs(version.checkOf(typeName), version.scope);
    };
    return { step, tables: changedTables(own, next), checkOf };
  });
  const roots = kept.flatMap(({ step, tables, checkOf }) => [
    ...tables.flatMap(({ entries }) => entries.map(({ printed }) => printed)),
    ...checkedTypes(step, "request").map((typeName) => checkOf("request", typeName)),
    ...checkedTypes(step, "response").map((typeName) => checkOf("response", typeName)),
  ]);
  const called = calledFrom(roots);
  const printed = new Set([...called, ...roots.filter(({ call }) => call === undefined)]);
  const ordered = versions.flatMap(({ scope }) => [...scope.values()].filter((one) => printed.delete(one)));
  return kept.map(({ step, tables, checkOf }) => {
    const { folder } = step;
    const emit = (name: string, own: readonly Table[]): readonly EmittedFile[] => {
      const declared = ordered.filter(({ file }) => file.folder === folder && file.name === name);
      if (declared.length === 0 && own.length === 0) return [];
      const place = { file: { folder, name }, imports: new Imports(declared.flatMap(namesIn)), called };
      return [{ path: name, text: fileText(step.plan.schemaFile, declared, own, place) }];
    };
    return {
      files: [...emit(validatorsFile, tables), ...emit(checksFile, [])],
      tables: tables.map(({ name }) => name),
      checkText: (side, typeName, imports) =>
        functionText(checkOf(side, typeName), { file: { folder, name: "version.ts" }, imports, called }),
    };
  });
}

function fileText(
  schemaFile: string,
  declared: readonly Printed[],
  tables: readonly Table[],
  place: Place,
): string {
  const code = declared.map((one) => ({ name: one.name, lines: codeOf(one, place) }));
  const printed = tables.map(({ name, type, entries }) => {
    const texts = entries.map((entry) => ({ key: entry.key, text: functionText(entry.printed, place) }));
    return tableOf(name, place.imports.type("ridlkit-runtime/validation", type), texts);
  });
  const head = [header(schemaFile), ...runtimeImport(code), ...place.imports.lines()];
  // Kept versions that are older import the functions.
  const exported = new Set(code.map(({ name }) => name));
  return textOfBlocks([head, ...blocksOf(code, exported), ...printed]);
}

function declaredAs(name: string, scope: Scope): Printed {
  const printed = scope.get(name);
  if (printed === undefined) throw new Error(`${name} is not declared`);
  return printed;
}

/** Returns what differs from the tables of the next version. */
function changedTables(own: VersionValidators, next: VersionValidators): readonly Table[] {
  const table = (name: keyof SharedValidators["tables"], type: string): readonly Table[] => {
    const isSame = (entry: SharedEntry): boolean =>
      own.scope.get(entry.name) === next.scope.get(entry.name) &&
      next.tables[name].some((other) => other.key === entry.key && other.name === entry.name);
    const entries = own.tables[name]
      .filter((entry) => !isSame(entry))
      .map((entry) => ({ key: entry.key, printed: declaredAs(entry.name, own.scope) }));
    return entries.length === 0 ? [] : [{ name, type, entries }];
  };
  return [
    ...table("requests", "RequestFaults"),
    ...table("responses", "ResponseWriters"),
    ...table("errorData", "ResponseWriters"),
  ];
}

/** Returns the declarations that the code of `roots` leads to. */
function calledFrom(roots: readonly Printed[]): ReadonlySet<Printed> {
  const called = new Set(roots.flatMap(referencesOf));
  // Iterating a Set includes elements added during the loop.
  for (const one of called) for (const reference of referencesOf(one)) called.add(reference);
  return called;
}

function referencesOf({ call, lines, scope }: Printed): readonly Printed[] {
  const names = call?.parameters ?? referencesIn(lines.slice(1));
  return [...(call === undefined ? [] : [call.target]), ...names.flatMap((name) => scope.get(name) ?? [])];
}

/** Prints a declaration. */
function codeOf(one: Printed, place: Place): readonly string[] {
  const { call, lines, scope } = one;
  if (call !== undefined) return [lines[0] ?? "", `  return ${callText(one, call, place)};`, "}"];
  return withNames(parameterized(one, one), (name) => {
    const printed = scope.get(name);
    return printed && refer(printed, place);
  });
}

/** Prints an expression for a function whose caller passes a depth. */
function functionText(one: Printed, place: Place): string {
  const { call, lines, parameters } = one;
  const given = parametersIn(lines).join(", ");
  if (call !== undefined && !place.called.has(one)) return `(${given}) => ${callText(one, call, place)}`;
  return parameters.length === 0 ? refer(one, place) : `(${given}) => ${refer(one, place)}(${given})`;
}

function callText({ lines, scope }: Printed, { target, parameters }: Call, place: Place): string {
  const own = parameters.map((name) => refer(declaredAs(name, scope), place));
  return `${refer(target, place)}(${[...parametersIn(lines), ...own].join(", ")})`;
}

function refer({ name, file }: Printed, { file: at, imports }: Place): string {
  if (file.folder === at.folder && file.name === at.name) return name;
  const [from, local] = file.folder === "" ? ["../..", "current"] : [`../${file.folder}`, "newer"];
  return file.folder === at.folder
    ? imports.valueMember(`./${file.name}`, "own", name)
    : imports.valueMember(`${from}/${file.name}`, local, name);
}
