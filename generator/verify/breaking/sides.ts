import type { Location } from "../../language/diagnostics/diagnostic.ts";
import { type Constraints, unconstrained } from "../../language/model/meta/read.ts";
import type {
  AliasModel,
  EnumModel,
  FieldModel,
  MethodModel,
  Model,
  StructModel,
} from "../../language/model/model.ts";
import {
  type ResolvedType,
  type TypeReference,
  type UnaliasedType,
  unaliased,
} from "../../language/model/types.ts";
import type { Findings, SchemaItem } from "./findings.ts";
import { isRenamedInPlace, type NewNames, typeRenames } from "./renames.ts";
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

/** Whether two references in the same place refer to the same type, possibly under another name. */
export function isPaired(
  { callers: from, server: to, renamed }: Sides,
  callers: TypeReference,
  server: TypeReference,
): boolean {
  if (callers.kind !== server.kind) return false;
  const newName = renamed.get(callers.name);
  if (newName !== undefined || callers.name === server.name) return (newName ?? callers.name) === server.name;
  return (
    ![...renamed.values()].includes(server.name) && isRenamedInPlace(from, to, callers.name, server.name)
  );
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

/** The state of a comparison in one direction: the versions, the findings, and the pairs that were compared. */
export interface Walk {
  readonly sides: Sides;
  readonly direction: Direction;
  readonly findings: Findings;
  /** Pairs of types that were already compared, because types may be recursive. */
  readonly seen: Set<string>;
  /** Comparisons that are still to do. A queue instead of recursion, because types may be nested thousands of levels deep. */
  readonly queue: (() => void)[];
  /** Whether this comparison only tests if one type may replace another. */
  readonly isTrial?: boolean;
}

/** Runs all queued comparisons, including those that are added meanwhile. */
export function drain({ queue }: Walk): void {
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) next();
}

/** A position for a value: a field, an item, an argument, or the target of an alias. */
export interface ValueSlot {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** Meta keys of the slot itself. Other constraints come from its type. */
  readonly own: ReadonlySet<string>;
}

/** A slot in both versions: the version that writes it and the one that reads it. */
export interface SlotPair {
  readonly writer: ValueSlot;
  readonly reader: ValueSlot;
}

const none: ReadonlySet<string> = new Set();

export function declaredSlot({ type, constraints, meta }: FieldModel | AliasModel): ValueSlot {
  return { type, constraints, own: new Set(meta.map(({ key }) => key)) };
}

/** The slot of an argument, or of an item of a list or map, which have no meta keys of their own. */
export function bareSlot(type: ResolvedType, model: Model): ValueSlot {
  const constraints = type.kind === "alias" ? aliasOf(model, type.name).constraints : unconstrained;
  return { type, constraints, own: none };
}

export function resolveAliases(model: Model, type: ResolvedType): UnaliasedType {
  return unaliased(type, (name) => aliasOf(model, name).type);
}

export function aliasOf(model: Model, name: string): AliasModel {
  return model.typeByName.get(name) as AliasModel;
}

export function structOf(model: Model, name: string): StructModel {
  return model.typeByName.get(name) as StructModel;
}

export function enumOf(model: Model, name: string): EnumModel {
  return model.typeByName.get(name) as EnumModel;
}
