import type { Rule } from "../rule.ts";
import { aliasCycles } from "./alias-cycles.ts";
import { methodArguments } from "./arguments.ts";
import { basepath, basepathGiven } from "./basepath.ts";
import { cache } from "./cache.ts";
import { defaults } from "./defaults.ts";
import { deprecationDates } from "./deprecation-dates.ts";
import { endlessStructs } from "./endless-structs.ts";
import { enumBases } from "./enum-bases.ts";
import { enumJsonNames } from "./enum-json-names.ts";
import { enumValues } from "./enum-values.ts";
import { errors, uniqueErrors } from "./errors.ts";
import { fieldNames } from "./field-names.ts";
import { files } from "./files.ts";
import { headers } from "./headers.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { importedMembers } from "./imports.ts";
import { jsonNames } from "./json-names.ts";
import { knownTypes } from "./known-types.ts";
import { metaLines, wireNames } from "./meta.ts";
import { methodErrors } from "./method-errors.ts";
import { noErrors } from "./no-errors.ts";
import { paging } from "./paging.ts";
import { referenceLosses } from "./reference-losses.ts";
import { resume } from "./resume.ts";
import { routeDefaultPaths } from "./route-default-paths.ts";
import { routeOverlaps } from "./route-overlaps.ts";
import { routeParameters } from "./route-parameters.ts";
import { routeBasepath, routePaths } from "./route-paths.ts";
import { routePlacement } from "./route-placement.ts";
import { routeQueries } from "./route-queries.ts";
import { methods, uniqueServices } from "./services.ts";
import { succinct } from "./succinct.ts";
import { typeNames } from "./type-names.ts";
import { version } from "./version.ts";

/** All rules of the language. Their order decides the order of findings at one position. */
export const rules: readonly Rule[] = [
  headers,
  version,
  basepath,
  importedMembers,
  typeNames,
  knownTypes,
  aliasCycles,
  enumBases,
  enumValues,
  enumJsonNames,
  fieldNames,
  jsonNames,
  metaLines,
  wireNames,
  defaults,
  endlessStructs,
  errors,
  uniqueErrors,
  uniqueServices,
  methods,
  methodArguments,
  succinct,
  files,
  routePlacement,
  routePaths,
  routeParameters,
  routeQueries,
  routeOverlaps,
  routeDefaultPaths,
  methodErrors,
  noErrors,
  cache,
  idempotencyKey,
  paging,
  resume,
  deprecationDates,
  referenceLosses,
];

/** Rules that never report an error. */
export const warningRules: ReadonlySet<Rule> = new Set([
  deprecationDates,
  endlessStructs,
  idempotencyKey,
  noErrors,
  paging,
  referenceLosses,
  resume,
]);

/** Rules for the entry file only. */
export const rootRules: readonly Rule[] = [basepathGiven, routeBasepath];
