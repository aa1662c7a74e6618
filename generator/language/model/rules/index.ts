import type { Rule } from "../rule.ts";
import { cache, deprecationDates, falseAnnotations, idempotencyKey, paging, resume } from "./annotations.ts";
import { enumBases, enumJsonNames, enumValues } from "./enums.ts";
import { errorData, errors, uniqueErrors } from "./errors.ts";
import {
  basepath,
  basepathGiven,
  files,
  headers,
  importedMembers,
  referenceLosses,
  version,
} from "./files.ts";
import { groups } from "./groups.ts";
import { defaults, metaLines, wireNames } from "./meta.ts";
import { fieldNames, jsonNames, typeNames } from "./names.ts";
import {
  routeBasepath,
  routeDefaultPaths,
  routeOverlaps,
  routeParameters,
  routePaths,
  routePlacement,
  routeQueries,
} from "./routes.ts";
import { methodArguments, methodErrors, methods, noErrors, succinct, uniqueServices } from "./services.ts";
import { aliasCycles, endlessStructs, knownTypes } from "./types.ts";

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
  groups,
  endlessStructs,
  errors,
  uniqueErrors,
  errorData,
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
  falseAnnotations,
  idempotencyKey,
  paging,
  resume,
  deprecationDates,
  referenceLosses,
];

/** Rules for the entry file only. */
export const rootRules: readonly Rule[] = [basepathGiven, routeBasepath];
