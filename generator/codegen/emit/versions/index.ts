import { type EmittedFile, type Options, uploadModules } from "../../options.ts";
import { isOmitted, type Plan, type PlannedError } from "../../plan/plan.ts";
import type { TypePair } from "../../plan/versions/conversions.ts";
import { type MethodStep, type PlannedStep, planSteps } from "../../plan/versions/steps.ts";
import { Imports } from "../imports.ts";
import { emitDefinitions, type KeptDefinitions } from "../server/index.ts";
import {
  header,
  inlineComment,
  literal,
  literalKey,
  schemaInHeader,
  servedErrorInfo,
  webrpcHeader,
  withoutTexts,
} from "../text.ts";
import { keptTypesFile } from "../types/index.ts";
import { type KeptValidators, keptValidators } from "../validators/kept.ts";
import { type EmittedConverters, emitConverters } from "./converters.ts";

/** Emits a folder in `versions/` for each kept version: what differs from the next version. */
export function emitVersions(plan: Plan, options: Options): readonly EmittedFile[] {
  const steps = planSteps(plan);
  const validators = keptValidators(plan);
  const converters = steps.map((step) => ({ step, ...emitConverters(step) }));
  const types = keptTypes(converters, options);
  return converters.flatMap(({ step, ...convert }, index) => {
    const folder = `versions/${step.folder}/`;
    const definitions = emitDefinitions(step.plan, step.next);
    const own = validators[index] as KeptValidators;
    const code = { imports: new Imports([]), convert, validators: own };
    const files = [
      ...definitions.files,
      ...own.files,
      ...(types[index] ?? []),
      ...convert.files,
      versionFile(step, definitions, code, options),
    ];
    return files.map((file) => ({ path: folder + file.path, text: file.text }));
  });
}

/** The functions that a version refers to, and its imports. */
interface StepCode {
  readonly imports: Imports;
  readonly convert: EmittedConverters;
  readonly validators: KeptValidators;
}

/** The types that custom conversions name, unless the next version has the same. The oldest version first. */
function keptTypes(
  converters: readonly (EmittedConverters & { readonly step: PlannedStep })[],
  options: Options,
): readonly (readonly EmittedFile[])[] {
  const used = (index: number, of: "older" | "newer"): readonly string[] =>
    [...withoutTexts(converters[index]?.files[0]?.text ?? "").matchAll(/\b(older|newer)\.([\w$]+)/g)].flatMap(
      ([, version, name = ""]) => (version === of ? [name] : []),
    );
  let wanted: readonly string[] = [];
  return converters.map(({ step: { plan, next, nextFolder } }, index) => {
    wanted = [...wanted, ...used(index - 1, "newer"), ...used(index, "older")];
    if (wanted.length === 0) return [];
    const from = nextFolder === undefined ? "../../types.ts" : `../${nextFolder}/types.ts`;
    const { file, shared } = keptTypesFile(plan, { next, from, wanted }, options);
    wanted = shared;
    return [file];
  });
}

/* Prints a kept version as data: how its calls are read, and the way of each method to the next version. */

function versionFile(
  step: PlannedStep,
  definitions: KeptDefinitions,
  code: StepCode,
  options: Options,
): EmittedFile {
  const { plan, next } = step;
  const {
    imports,
    validators: { tables },
  } = code;
  const takesFiles = [plan, next].map(({ services }) =>
    services.some(({ methods }) => methods.some(({ files }) => files.length > 0)),
  );
  imports.type("ridlkit-runtime/kept-version", "KeptVersion");
  for (const name of definitions.services) imports.value("./server.ts", name);
  for (const name of tables) imports.value("./validators.ts", name);
  const uploads = takesFiles[0] === true && takesFiles[1] !== true;
  if (uploads) imports.value(`ridlkit-runtime/${uploadModules(options).module}`, "uploadReceiver");
  const errors = changedErrors(step);
  const errorSteps = step.errors.flatMap(({ name, data }) => {
    const text = conversionText("response", data, code);
    return errors.some((error) => error.name === name) ? [`    ${literalKey(name)}: ${text},`] : [];
  });
  const parts = [
    ...(plan.basepath === next.basepath ? [] : [`  basepath: ${literal(plan.basepath)},`]),
    ...listLines("missing", definitions.missing.map(literal)),
    ...(errors.length === 0
      ? []
      : ["  errors: [", ...errors.map((error) => `    ${servedErrorInfo(error)},`), "  ],"]),
    ...listLines("missingErrors", missingErrors(step).map(literal)),
    ...(definitions.services.length === 0 ? [] : [`  services: [${definitions.services.join(", ")}],`]),
    ...(tables.length === 0 ? [] : [`  validators: { ${tables.join(", ")} },`]),
    ...(uploads ? ["  uploads: uploadReceiver,"] : []),
    ...block("steps", methodSteps(step, code)),
    ...block("errorData", errorSteps),
  ];
  const lines = [
    header(plan.schemaFile),
    ...imports.lines(),
    "",
    `/** ${inlineComment(plan.schemaVersion)} of the API, as far as it differs from the next version. */`,
    "export const version: KeptVersion = {",
    `  version: ${literal(schemaInHeader(plan).version)},`,
    `  webrpc: ${literal(webrpcHeader(plan))},`,
    ...parts,
    "};",
  ];
  return { path: "version.ts", text: `${lines.join("\n")}\n` };
}

function listLines(name: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`  ${name}: [${items.join(", ")}],`];
}

function block(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${name}: {`, ...lines, "  },"];
}

function ownErrors({ errors }: Plan): readonly PlannedError[] {
  return errors.filter(({ isOfProtocol }) => !isOfProtocol);
}

/** The errors that the next version lacks or describes otherwise, and those whose data is converted. */
function changedErrors({ plan, next, errors }: PlannedStep): readonly PlannedError[] {
  const known = new Set(ownErrors(next).map(servedErrorInfo));
  const isSameData = (name: string): boolean =>
    errors.some(({ name: other, data }) => other === name && data.isSame && !data.needsCheck);
  return ownErrors(plan).filter(
    (error) => !known.has(servedErrorInfo(error)) || (error.data !== undefined && !isSameData(error.name)),
  );
}

function missingErrors({ plan, next }: PlannedStep): readonly string[] {
  const own = new Set(ownErrors(plan).map(({ name }) => name));
  return ownErrors(next)
    .map(({ name }) => name)
    .filter((name) => !own.has(name));
}

/** The steps of the methods that the next version serves in another way, or not at all. */
function methodSteps({ plan, next, methods }: PlannedStep, code: StepCode): readonly string[] {
  const steps = new Map(methods.map((method) => [method.before.path, method]));
  const paths = (of: Plan): readonly string[] =>
    of.services.flatMap((service) =>
      service.methods.filter((one) => !isOmitted(one)).map(({ path }) => path),
    );
  const known = new Set(paths(next));
  return paths(plan).flatMap((path) => {
    const step = steps.get(path);
    if (step !== undefined) return stepText(step, code);
    // The next version has a method on the path that clients cannot call in the same way.
    return known.has(path) ? [`    ${literalKey(path)}: undefined,`] : [];
  });
}

/** `"/rpc/Shop/Get": { path: "/rpc/Shop/Find", request: { convert: … } },`. Nothing if both versions are the same. */
function stepText({ before, after, request, response }: MethodStep, code: StepCode): readonly string[] {
  const parts = [
    ...(before.path === after.path ? [] : [`path: ${literal(after.path)}`]),
    ...bodyText("request", request, code),
    ...bodyText("response", response, code),
  ];
  if (parts.length === 0) return [];
  return [`    ${literalKey(before.path)}: { ${parts.join(", ")} },`];
}

function bodyText(
  side: "request" | "response",
  pair: TypePair | undefined,
  code: StepCode,
): readonly string[] {
  const text = pair === undefined ? "{}" : conversionText(side, pair, code);
  return text === "{}" ? [] : [`${side}: ${text}`];
}

/** `{ convert: converters.upGetRequest, check: current.responseFaultsInGetRequest }`. */
function conversionText(
  side: "request" | "response",
  pair: TypePair,
  { imports, convert, validators }: StepCode,
): string {
  const { to, isSame, needsCheck } = pair;
  const parts = [
    ...(isSame
      ? []
      : [`convert: ${imports.valueMember("./converters.ts", "converters", convert.nameOf(pair))}`]),
    ...(needsCheck ? [`check: ${validators.checkText(side, to, imports)}`] : []),
  ];
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
