/** A difference between what a request means to its own version and what a handler of the other version received. */
export interface RequestDifference {
  readonly verdict: "breaks" | "differs";
  readonly message: string;
}

/**
 * Compares a request in two versions. `meant`: as a handler of its own version receives it. `seen`: as a handler of the other version
 * receives it. `sent`: its JSON. `known`: the field names of its own version; other fields are new and are ignored.
 */
export function compareReceived(
  { meant, seen, sent }: { readonly meant: unknown; readonly seen: unknown; readonly sent: unknown },
  known: ReadonlySet<string>,
  path = "",
): RequestDifference | undefined {
  if (isObject(meant) && isObject(seen)) {
    for (const key of Object.keys(meant)) {
      if (isAbsent(meant[key])) continue;
      const at = `${path}/${key}`;
      const wasSent = isObject(sent) && !isAbsent(sent[key]);
      if (isAbsent(seen[key])) {
        if (isRenamed(meant, seen, key)) continue;
        return { verdict: "differs", message: `${at} was ${wasSent ? "sent" : "implied"} but is not read` };
      }
      const inner = compareReceived(
        { meant: meant[key], seen: seen[key], sent: isObject(sent) ? sent[key] : undefined },
        known,
        at,
      );
      if (inner !== undefined)
        return wasSent || isObject(meant[key]) ? inner : { ...inner, verdict: "differs" };
    }
    const added = Object.keys(seen).find(
      (key) => !isAbsent(seen[key]) && isAbsent(meant[key]) && known.has(key) && !isRenamed(seen, meant, key),
    );
    return added === undefined
      ? undefined
      : { verdict: "differs", message: `${path}/${added} was omitted but has a value` };
  }
  if (Array.isArray(meant) && Array.isArray(seen)) {
    const list: readonly unknown[] = Array.isArray(sent) ? sent : [];
    for (const [index, value] of meant.entries()) {
      const inner = compareReceived(
        { meant: value, seen: seen[index], sent: list[index] },
        known,
        `${path}/${index}`,
      );
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (sameText(meant, seen) || isSameInstant(meant, seen)) return undefined;
  const isCase = String(meant).toLowerCase() === String(seen).toLowerCase();
  const message = `${path} means ${shown(meant)} but is read as ${shown(seen)}`;
  return { verdict: isCase ? "differs" : "breaks", message };
}

/** Whether a field that only the other version has contains exactly this value. */
function isRenamed(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  key: string,
): boolean {
  return Object.keys(other).some((name) => !Object.hasOwn(one, name) && sameText(one[key], other[name]));
}

/** In a request, null means absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number and a bigint with the same digits are equal. */
function sameText(a: unknown, b: unknown): boolean {
  return shown(a) === shown(b);
}

/** `2026-01-01T01:00:00.5+01:00` is `2026-01-01T00:00:00.5Z`: a handler receives a timestamp in UTC, but a string exactly as it was sent. */
function isSameInstant(a: unknown, b: unknown): boolean {
  const [one, other] = [instantOf(a), instantOf(b)];
  return one !== undefined && one === other;
}

/** The whole second in milliseconds since 1970, followed by the digits of its fraction. */
function instantOf(value: unknown): string | undefined {
  const parts = typeof value === "string" ? timestamp.exec(value) : null;
  if (parts === null) return undefined;
  const [, second = "", fraction = "", offset = ""] = parts;
  return `${Date.parse(second + offset)}${fraction}`;
}

const timestamp =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" || typeof inner === "number" ? `${inner}` : inner,
    ) ?? "nothing"
  );
}
