import { type Compilation, type CompiledSchema, compile } from "../../language/compile.ts";
import type { Model, TypeModel } from "../../language/model/model.ts";
import type { SourceReader } from "../../language/source/reader.ts";
import { findUnchanged, nothingUnchanged, omitUnchanged, type Unchanged } from "./unchanged.ts";

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
  /** Fetches the files that the last attempt did not find; `true` if it fetched any. */
  readonly fetchMissing: () => Promise<boolean>;
}

/** After this number of attempts, the earlier version is read completely. */
const maxAttempts = 4;

/** Compiles the earlier version of a schema. Leaves out unchanged declarations if there is a new version to compare with. */
export async function readEarlierVersion(
  path: string,
  reader: SourceReader,
  now: CompiledSchema | undefined,
  options: EarlierOptions,
): Promise<EarlierVersion> {
  const keptWhole = new Set<string>();
  let isReduced = now !== undefined;
  for (let attempt = 1; ; attempt++) {
    const mayOmit = isReduced && now !== undefined && attempt <= maxAttempts;
    const reduced = mayOmit
      ? omitUnchanged(reader, now.scopes, keptWhole)
      : { reader, omitted: new Set<string>() };
    const { diagnostics, result } = await compileAll(path, reduced.reader, options);
    if (result === undefined && reduced.omitted.size > 0) {
      // A route may name a field of a struct whose fields were left out.
      isReduced = false;
      continue;
    }
    if (result === undefined) return { diagnostics };
    if (now === undefined)
      return {
        diagnostics,
        version: { compiled: result, model: result.model, unchanged: nothingUnchanged },
      };
    const unchanged = findUnchanged(now.scope, result.scope, reduced.omitted);
    // The text of a declaration may be the same although a type that it depends on changed.
    const isSame = (declaration: string): boolean => {
      const [kind, name = ""] = declaration.split(" ");
      return kind === "struct" ? unchanged.types.has(name) : unchanged.services.has(name);
    };
    const changed = [...reduced.omitted].filter((declaration) => !isSame(declaration));
    if (changed.length === 0) {
      const model = withOmitted(result.model, now.model, reduced.omitted);
      return { diagnostics, version: { compiled: result, model, unchanged } };
    }
    for (const declaration of changed) keptWhole.add(declaration);
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

/** Fills in the omitted structs and error lists from the new version, where they are the same. */
function withOmitted(model: Model, now: Model, omitted: ReadonlySet<string>): Model {
  const completed = (type: TypeModel): TypeModel =>
    omitted.has(`struct ${type.name}`) ? (now.typeByName.get(type.name) ?? type) : type;
  const types = model.types.map(completed);
  const listed = new Map(now.services.map((service) => [service.name, service]));
  const services = model.services.map((service) => {
    const same = omitted.has(`service ${service.name}`) ? listed.get(service.name) : undefined;
    return same === undefined ? service : { ...service, listedErrors: same.listedErrors };
  });
  return { ...model, types, services, typeByName: new Map(types.map((type) => [type.name, type])) };
}
