import type { IrArgument, IrMethod, IrSchema, IrService, IrType } from "./schema.ts";

/** Parts to leave out of an IR. Each property matches the webrpc-gen flag of the same name. */
export interface IrFilter {
  /** Overrides the schema version; may be empty. */
  readonly schemaVersion?: string;
  /** Exact service names; an unknown name selects nothing. Empty or absent: all services. */
  readonly services?: readonly string[];
  /** With `services`: drop the types that the selected services do not use. */
  readonly methodTreeShake?: boolean;
  /** Keep only methods with one of these annotations. A blank value matches any value. */
  readonly match?: ReadonlyMap<string, string>;
  /** Drop methods with one of these annotations. */
  readonly ignore?: ReadonlyMap<string, string>;
}

/**
 * Applies the filters exactly as the reference tool does, so that hashes match: in its order, with `null` for empty lists, and with
 * tree shaking that drops every alias except map keys.
 */
export function filterIr(ir: IrSchema, filter: IrFilter): IrSchema {
  let { types, services, version } = ir;
  version = filter.schemaVersion ?? version;
  const wanted = filter.services ?? [];
  if (wanted.length > 0) {
    if (filter.methodTreeShake === true) types = orNull(usedTypes(ir, new Set(wanted)));
    services = orNull((services ?? []).filter(({ name }) => wanted.includes(name)));
  }
  const { match, ignore } = filter;
  if (ignore !== undefined) services = keepMethods(services, (method) => !hasAnnotation(method, ignore));
  if (match !== undefined) services = keepMethods(services, (method) => hasAnnotation(method, match));
  return { ...ir, version, types, services };
}

/** `"@internal,@acl:admin"` → names and values. Returns undefined if a part has no "@". */
export function parseAnnotationFilter(text: string): ReadonlyMap<string, string> | undefined {
  const filter = new Map<string, string>();
  for (const part of text.split(",")) {
    const at = part.indexOf("@");
    if (at === -1) return undefined;
    const annotation = part.slice(at + 1);
    const colon = annotation.indexOf(":");
    if (colon === -1) filter.set(annotation, "");
    else filter.set(annotation.slice(0, colon), annotation.slice(colon + 1));
  }
  return filter;
}

function keepMethods(
  services: readonly IrService[] | null,
  keep: (method: IrMethod) => boolean,
): readonly IrService[] | null {
  return (
    services?.map((service) => ({ ...service, methods: orNull((service.methods ?? []).filter(keep)) })) ??
    null
  );
}

function hasAnnotation({ annotations }: IrMethod, wanted: ReadonlyMap<string, string>): boolean {
  for (const [name, value] of wanted) {
    const annotation = annotations?.get(name);
    if (annotation == null || annotation.annotationType !== name) continue;
    if (/^ *$/.test(value) || annotation.value === value) return true;
  }
  return false;
}

function usedTypes(ir: IrSchema, services: ReadonlySet<string>): IrType[] {
  const types = ir.types ?? [];
  const names = {
    exact: firstBy(types, ({ name }) => name),
    folded: firstBy(types, ({ name }) => name.toLowerCase()),
  };
  const used = new Set<string>();
  const pending: string[] = [];
  const visit = (expression: string): void => {
    for (const name of typeNamesIn(expression, names)) if (!used.has(name)) pending.push(name);
  };
  for (const { name, methods } of ir.services ?? []) {
    if (!services.has(name)) continue;
    for (const { inputs, outputs } of methods ?? []) {
      for (const { type } of [...(inputs ?? []), ...(outputs ?? [])] as IrArgument[]) visit(type);
    }
  }
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    const type = names.exact.get(name);
    if (type?.kind === "struct") for (const field of type.fields ?? []) visit(field?.type ?? "");
  }
  return types.filter(({ name }) => used.has(name));
}

interface TypeNames {
  readonly exact: ReadonlyMap<string, IrType>;
  readonly folded: ReadonlyMap<string, IrType>;
}

function firstBy(types: readonly IrType[], nameOf: (type: IrType) => string): ReadonlyMap<string, IrType> {
  return new Map(types.toReversed().map((type) => [nameOf(type), type]));
}

/** Yields structs and enums by exact name, and map keys by case-insensitive name, aliases included. */
function* typeNamesIn(expression: string, names: TypeNames): Generator<string> {
  let rest = expression;
  for (;;) {
    if (rest.startsWith("[]")) rest = rest.slice(2);
    else if (rest.startsWith("map<")) {
      const comma = rest.indexOf(",");
      const key = rest.slice(4, comma).toLowerCase();
      const found = names.folded.get(key);
      if (found !== undefined) yield found.name;
      rest = rest.slice(comma + 1, -1);
    } else break;
  }
  const found = names.exact.get(rest);
  if (found !== undefined && found.kind !== "alias") yield found.name;
}

function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
