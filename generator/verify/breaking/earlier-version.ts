import { type Compilation, type CompiledSchema, compile } from "../../language/compile.ts";
import type { Model, TypeModel } from "../../language/model/model.ts";
import type { SourceReader } from "../../language/source/reader.ts";
import { omitUnchanged } from "./omit-unchanged.ts";
import { findUnchanged, nothingUnchanged, type Unchanged } from "./unchanged.ts";

export interface EarlierVersion {
  readonly diagnostics: Compilation["diagnostics"];
  /** Absent if there is an error. */
  readonly version?: {
    readonly compiled: CompiledSchema;
    readonly model: Model;
    readonly unchanged: Unchanged;
  };
}

interface EarlierOptions {
  readonly hashParity?: boolean;
  /** Reads what a run has asked for and was not there yet; `true` if something came. */
  readonly fetchMissing: () => Promise<boolean>;
}

/** Turns until nothing more must be read whole; after them all of it is. */
const maxAttempts = 4;

/** The earlier version of a schema, as far as it has to be looked at beside the new one; all of it where there is none. */
export async function readEarlierVersion(
  path: string,
  reader: SourceReader,
  now: CompiledSchema | undefined,
  { hashParity = false, fetchMissing }: EarlierOptions,
): Promise<EarlierVersion> {
  const whole = new Set<string>();
  for (let turn = 1; ; turn++) {
    const isShort = now !== undefined && turn <= maxAttempts;
    const shortened = isShort
      ? omitUnchanged(reader, now.scopes, whole)
      : { reader, omitted: new Set<string>() };
    const { diagnostics, result } = await compileAll(path, shortened.reader, { hashParity, fetchMissing });
    if (result === undefined) return { diagnostics };
    if (now === undefined)
      return {
        diagnostics,
        version: { compiled: result, model: result.model, unchanged: nothingUnchanged },
      };
    const unchanged = findUnchanged(now.scope, result.scope, shortened.omitted);
    // Its words are the same, and something that is seen through from it is not.
    const isSame = (what: string): boolean => {
      const [kind, name = ""] = what.split(" ");
      return kind === "struct" ? unchanged.types.has(name) : unchanged.services.has(name);
    };
    const changed = [...shortened.omitted].filter((what) => !isSame(what));
    if (changed.length === 0) {
      const model = withOmitted(result.model, now.model, shortened.omitted);
      return { diagnostics, version: { compiled: result, model, unchanged } };
    }
    for (const what of changed) whole.add(what);
  }
}

async function compileAll(
  path: string,
  reader: SourceReader,
  { hashParity = false, fetchMissing }: EarlierOptions,
): Promise<Compilation> {
  for (;;) {
    const compilation = compile(path, reader, { hashParity, errorsOnly: true });
    if (!(await fetchMissing())) return compilation;
  }
}

/** With the structs and the lists of errors of the new version in place of those that were left out. */
function withOmitted(model: Model, now: Model, left: ReadonlySet<string>): Model {
  const whole = (type: TypeModel): TypeModel =>
    left.has(`struct ${type.name}`) ? (now.typeByName.get(type.name) ?? type) : type;
  const types = model.types.map(whole);
  const listed = new Map(now.services.map((service) => [service.name, service]));
  const services = model.services.map((service) => {
    const same = left.has(`service ${service.name}`) ? listed.get(service.name) : undefined;
    return same === undefined ? service : { ...service, listedErrors: same.listedErrors };
  });
  return { ...model, types, services, typeByName: new Map(types.map((type) => [type.name, type])) };
}
