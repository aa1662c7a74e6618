import { decoding, encoding } from "../emit/client/coders.ts";
import { clientFiles } from "../emit/client/files.ts";
import type { IsFound } from "../emit/finder.ts";
import { findViews } from "../emit/json-schema/views.ts";
import { serverFiles } from "../emit/server/index.ts";
import { countedTypes, endlessTypes } from "../emit/validators/depth.ts";
import { otherNamesIn, sharedFile } from "../emit/validators/index.ts";
import { writtenTypes } from "../emit/validators/write.ts";
import { viewNamesOf } from "../plan/build.ts";
import type { ViewNames } from "../plan/declarations.ts";
import type { Plan, PlannedType } from "../plan/plan.ts";
import type { TargetName } from "../plan/targets.ts";
import { type Finding, findings, type WholeSchema } from "../plan/whole.ts";

/** A generation that stands in a folder: what its text was, and what was found by looking at all of it. */
export interface Before {
  readonly schemaHash: string;
  readonly files: FileNames;
  readonly viewNames: ViewNames;
  readonly whole: WholeSchema;
}

/** Paths of files that hold something of structs, where a service may have taken the usual name. */
export interface FileNames {
  readonly decode: string;
  readonly encode: string;
  readonly recording: string;
  /** Name of the file in the folders of validators that services share. */
  readonly shared: string;
}

type Entries = readonly (readonly [string, string])[];

/** The same as JSON. */
export interface KeptBefore {
  readonly schemaHash: string;
  readonly files: FileNames;
  readonly viewNames: Readonly<Record<keyof ViewNames, Entries>>;
  readonly otherNames: Readonly<Record<"request" | "response", Entries>>;
  /** A name a line. */
  readonly types: string;
  /** By type, a bit a finding. */
  readonly found: readonly number[];
}

/** Of a plan whose files were printed, all that these targets give. */
export function keepBefore(plan: Plan, chosen: ReadonlySet<TargetName>): KeptBefore {
  const { caller, handler } = viewNamesOf(plan);
  const { request, response } = otherNamesIn(plan);
  const client = clientFiles(plan);
  const finders = findersOf(plan, chosen);
  return {
    schemaHash: plan.schemaHash,
    files: {
      decode: `client/${client.decode}.ts`,
      encode: `client/${client.encode}.ts`,
      recording: `server/${serverFiles(plan).recording}.ts`,
      shared: `${sharedFile(plan)}.ts`,
    },
    viewNames: { caller: [...caller], handler: [...handler] },
    otherNames: { request: [...request], response: [...response] },
    types: plan.types.map(({ name }) => name).join("\n"),
    found: plan.types.map((type) => bitsOf(type, finders)),
  };
}

function bitsOf(type: PlannedType, finders: readonly Find[]): number {
  return finders.reduce((bits, isFound, index) => (isFound(type) ? bits | (1 << index) : bits), 0);
}

/** What no printed file hangs on is not looked for. */
function findersOf(plan: Plan, chosen: ReadonlySet<TargetName>): readonly Find[] {
  const finders: Readonly<Record<Finding, Find>> = {
    inRequests: ({ inRequests }) => inRequests,
    inResponses: ({ inResponses }) => inResponses,
    hasBigint: (type) => type.kind !== "enum" && type.hasBigint,
    ...noValidators,
    ...noClient,
    ...(chosen.has("client") && clientFinders(plan)),
    ...(chosen.has("validators") && validatorFinders(plan)),
  };
  return findings.map((finding) => finders[finding]);
}

function validatorFinders(plan: Plan): typeof noValidators {
  return {
    isSplit: byName(findViews(plan, "").isSplit),
    isEndless: byName(endlessTypes(plan)),
    isCounted: byName(countedTypes(plan)),
    isWritten: byName(writtenTypes(plan)),
  };
}

function clientFinders(plan: Plan): typeof noClient {
  return {
    isDecoded: byName(decoding.types(plan)),
    isEncoded: byName(encoding.types(plan)),
    isEndless: byName(endlessTypes(plan)),
  };
}

type Find = (type: PlannedType) => boolean;

function byName(isFound: IsFound): Find {
  return ({ name }) => isFound(name);
}

const no: Find = () => false;
const noValidators = { isSplit: no, isEndless: no, isCounted: no, isWritten: no };
const noClient = { isDecoded: no, isEncoded: no, isEndless: no };

export function readBefore({ schemaHash, files, viewNames, otherNames, types, found }: KeptBefore): Before {
  const bits = new Map(types.split("\n").map((name, index) => [name, found[index] ?? 0]));
  const names = { request: new Map(otherNames.request), response: new Map(otherNames.response) };
  return {
    schemaHash,
    files,
    viewNames: { caller: new Map(viewNames.caller), handler: new Map(viewNames.handler) },
    whole: {
      has: (finding, typeName) => ((bits.get(typeName) ?? 0) & (1 << findings.indexOf(finding))) !== 0,
      otherName: (side, key) => names[side].get(key),
    },
  };
}
