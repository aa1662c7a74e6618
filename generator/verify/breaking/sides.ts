import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { MethodModel, Model } from "../../language/model/model.ts";
import type { TypeReference } from "../../language/model/types.ts";
import type { SchemaItem } from "./findings.ts";
import { type TypeNames, typeRenames } from "./renames.ts";
import type { Unchanged } from "./unchanged.ts";

export type Direction = "request" | "response";

/** Two versions that meet: callers who know one of them, and a server that has the other. */
export interface Sides {
  readonly callers: Model;
  readonly server: Model;
  /** Whose version is the new one; findings are shown in it. */
  readonly newSide: "callers" | "server";
  /** Names of callers' types to those of the server, where they differ. */
  readonly renamed: TypeNames;
  readonly unchanged: Unchanged;
  /** Names of the errors that some method lists. */
  readonly listed: { readonly callers: ReadonlySet<string>; readonly server: ReadonlySet<string> };
}

/** One method as both versions have it. */
export interface MethodPair {
  readonly callers: MethodModel;
  readonly server: MethodModel;
  readonly site: SchemaItem;
}

export function sidesOf(
  callers: Model,
  server: Model,
  newSide: Sides["newSide"],
  unchanged: Unchanged,
): Sides {
  const listed = { callers: listedIn(callers), server: listedIn(server) };
  return { callers, server, newSide, renamed: typeRenames(callers, server), unchanged, listed };
}

function listedIn({ services }: Model): ReadonlySet<string> {
  return new Set(services.flatMap(({ listedErrors }) => listedErrors));
}

/** Who writes and who reads in a direction. */
export function modelsOf(
  sides: Sides,
  direction: Direction,
): { readonly writer: Model; readonly reader: Model } {
  const { callers, server } = sides;
  return direction === "request" ? { writer: callers, reader: server } : { writer: server, reader: callers };
}

/** Whether two references are to the same type, be it under another name. */
export function isPaired(sides: Sides, callers: TypeReference, server: TypeReference): boolean {
  return callers.kind === server.kind && (sides.renamed.get(callers.name) ?? callers.name) === server.name;
}

/** The place in the new version, and that in the old one; what one of them does not have is shown at `holder`. */
export function locationsOf(
  sides: Sides,
  callers: Location | undefined,
  server: Location | undefined,
  holder: Location,
): { readonly at: Location; readonly before?: Location } {
  const [now, before] = sides.newSide === "server" ? [server, callers] : [callers, server];
  return { at: now ?? holder, ...(before === undefined ? {} : { before }) };
}
