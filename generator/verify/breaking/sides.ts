import type { Location } from "../../language/diagnostics/diagnostic.ts";
import type { MethodModel, Model } from "../../language/model/model.ts";
import type { TypeReference } from "../../language/model/types.ts";
import type { SchemaItem } from "./findings.ts";
import { type NewNames, typeRenames } from "./renames.ts";
import type { Unchanged } from "./unchanged.ts";

export type Direction = "request" | "response";

/** The two compared versions: callers use one, and the server uses the other. */
export interface Sides {
  readonly callers: Model;
  readonly server: Model;
  /** The side with the new version, in which findings are shown. */
  readonly newSide: "callers" | "server";
  /** Maps renamed types of the callers to types of the server. */
  readonly renamed: NewNames;
  readonly unchanged: Unchanged;
  /** Names of the errors that at least one method lists. */
  readonly listed: { readonly callers: ReadonlySet<string>; readonly server: ReadonlySet<string> };
}

/** A method that both versions have. */
export interface MethodPair {
  readonly callers: MethodModel;
  readonly server: MethodModel;
  readonly item: SchemaItem;
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

/** The models of the writing and the reading side in a direction. */
export function modelsOf(
  sides: Sides,
  direction: Direction,
): { readonly writer: Model; readonly reader: Model } {
  const { callers, server } = sides;
  return direction === "request" ? { writer: callers, reader: server } : { writer: server, reader: callers };
}

/** Whether two references refer to the same type, possibly under another name. */
export function isPaired(sides: Sides, callers: TypeReference, server: TypeReference): boolean {
  return callers.kind === server.kind && (sides.renamed.get(callers.name) ?? callers.name) === server.name;
}

/** The locations in the new and the old version. An item that the new version lacks is shown at `fallback`. */
export function locationsOf(
  sides: Sides,
  callers: Location | undefined,
  server: Location | undefined,
  fallback: Location,
): { readonly at: Location; readonly before?: Location } {
  const [now, before] = sides.newSide === "server" ? [server, callers] : [callers, server];
  return { at: now ?? fallback, ...(before === undefined ? {} : { before }) };
}
