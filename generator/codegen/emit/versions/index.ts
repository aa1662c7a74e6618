import { type EmittedFile, type Options, uploadReceiver } from "../../options.ts";
import { isOmitted, type Plan } from "../../plan/plan.ts";
import type { TypePair } from "../../plan/versions/conversions.ts";
import { bodyPairs, type MethodStep, type PlannedStep, planSteps } from "../../plan/versions/steps.ts";
import { Imports } from "../imports.ts";
import { emitDefinitions } from "../server/index.ts";
import { definitionName } from "../server/service-view.ts";
import {
  header,
  inlineComment,
  literal,
  literalKey,
  schemaInHeader,
  servedErrorInfo,
  webrpcHeader,
} from "../text.ts";
import { typesFile } from "../types/index.ts";
import { emitChecks, emitValidators } from "../validators/index.ts";
import { emitConverters } from "./converters.ts";

/** Emits a folder in `versions/` for each earlier version that the server speaks. */
export function emitVersions(plan: Plan, options: Options): readonly EmittedFile[] {
  const steps = planSteps(plan);
  return steps.flatMap((step, index) => {
    const needsTypes = step.isCustom || steps[index - 1]?.isCustom === true;
    return [
      ...emitDefinitions(step.plan).map((file) => moved(file, step.folder)),
      ...emitValidators(step.plan).map((file) => moved(file, step.folder)),
      ...(needsTypes ? [moved(typesFile(step.plan, options, false), step.folder)] : []),
      ...emitConverters(step),
      ...emitChecks(step.next, `versions/${step.folder}/request-checks.ts`, checkedTypes(step, "request")),
      ...emitChecks(step.plan, `versions/${step.folder}/response-checks.ts`, checkedTypes(step, "response")),
      emitVersion(step, options),
    ];
  });
}

/** Moves a file into the folder of its version. */
function moved({ path, text }: EmittedFile, folder: string): EmittedFile {
  return { path: `versions/${folder}/${path}`, text };
}

/* Prints a kept version as data: how its calls are read, and the way of each method to the next version. */

function emitVersion(step: PlannedStep, options: Options): EmittedFile {
  const { plan, folder, methods, errors } = step;
  const services = plan.services.filter((service) => !service.methods.every(isOmitted));
  const takesFiles = plan.services.some((service) => service.methods.some(({ files }) => files.length > 0));
  const uploads = uploadReceiver(options);
  const imports = new Imports([]);
  const isWide = plan.int64 === "bigint";
  imports.type("ridlkit-runtime/versions", "KeptVersion");
  if (takesFiles) imports.value(`ridlkit-runtime/${uploads.module}`, uploads.name);
  if (isWide) imports.value("ridlkit-runtime/json", "int64Json");
  const steps = methods.map((method) => `    ${stepText(method, imports)}`);
  const errorSteps = errors.map(
    ({ name, data }) => `    ${literalKey(name)}: ${conversionText("response", data, imports)},`,
  );
  for (const service of services) imports.value("./server.ts", definitionName(service));
  const hasErrorData = plan.errors.some(({ data }) => data !== undefined);
  const tables = ["requests", "responses", ...(hasErrorData ? ["errorData"] : [])];
  for (const name of tables) imports.value("./validators.ts", name);
  const lines = [
    header(plan.schemaFile),
    ...imports.lines(),
    "",
    `/** ${inlineComment(plan.schemaVersion)} of the API. */`,
    "export const version: KeptVersion = {",
    `  version: ${literal(schemaInHeader(plan).version)},`,
    "  api: {",
    `    basepath: ${literal(plan.basepath)},`,
    `    webrpc: ${literal(webrpcHeader(plan))},`,
    ...errorLines(plan),
    `    services: [${services.map(definitionName).join(", ")}],`,
    `    validators: { ${tables.join(", ")} },`,
    ...(isWide ? ["    json: int64Json,"] : []),
    ...(takesFiles ? [`    uploads: ${uploads.name},`] : []),
    "  },",
    "  steps: {",
    ...steps,
    "  },",
    ...(errors.length === 0 ? [] : ["  errorData: {", ...errorSteps, "  },"]),
    "};",
  ];
  return { path: `versions/${folder}/version.ts`, text: `${lines.join("\n")}\n` };
}

function errorLines({ errors }: Plan): readonly string[] {
  const lines = errors.filter(({ builtin }) => !builtin).map((error) => `      ${servedErrorInfo(error)},`);
  return lines.length === 0 ? ["    schemaErrors: [],"] : ["    schemaErrors: [", ...lines, "    ],"];
}

/** The types of the bodies that are checked after their conversion. */
function checkedTypes(step: PlannedStep, side: "request" | "response"): readonly string[] {
  return [...new Set(bodyPairs(step, side).flatMap(({ needsCheck, to }) => (needsCheck ? [to] : [])))];
}

/** `"/rpc/Shop/Get": { path: "/rpc/Shop/Find", request: { convert: upGetRequest } },`. */
function stepText({ before, after, request, response }: MethodStep, imports: Imports): string {
  const parts = [
    `path: ${literal(after.path)}`,
    ...bodyText("request", request, imports),
    ...bodyText("response", response, imports),
  ];
  return `${literalKey(before.path)}: { ${parts.join(", ")} },`;
}

function bodyText(
  side: "request" | "response",
  pair: TypePair | undefined,
  imports: Imports,
): readonly string[] {
  const text = pair === undefined ? "{}" : conversionText(side, pair, imports);
  return text === "{}" ? [] : [`${side}: ${text}`];
}

/** `{ convert: upGetRequest, check: checkGetRequest }`. */
function conversionText(side: "request" | "response", pair: TypePair, imports: Imports): string {
  const { name, to, isSame, needsCheck } = pair;
  const parts = [
    ...(isSame ? [] : [`convert: ${imports.value("./converters.ts", name)}`]),
    ...(needsCheck ? [`check: ${imports.value(`./${side}-checks.ts`, `check${to}`)}`] : []),
  ];
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
