/** A difference between how two versions read the same request. */
export interface RequestDifference {
  readonly verdict: "breaks" | "differs";
  readonly message: string;
}

/**
 * Compares how two versions read a request. `sent` is the request's JSON, as the caller's version sends it. `own` is the value that
 * a handler of the caller's version receives, and `other` the value that a handler of the other version receives. `known` contains
 * the field names of the caller's version. Fields with other names are new and are ignored.
 */
export function compareReceived(
  { own, other, sent }: { readonly own: unknown; readonly other: unknown; readonly sent: unknown },
  known: ReadonlySet<string>,
  path = "",
): RequestDifference | undefined {
  if (isObject(own) && isObject(other)) {
    for (const key of Object.keys(own)) {
      if (isAbsent(own[key])) continue;
      const at = `${path}/${key}`;
      const wasSent = isObject(sent) && !isAbsent(sent[key]);
      if (isAbsent(other[key])) {
        if (isRenamed(own, other, key)) continue;
        return { verdict: "differs", message: `${at} was ${wasSent ? "sent" : "filled in"} but is not read` };
      }
      const inner = compareReceived(
        { own: own[key], other: other[key], sent: isObject(sent) ? sent[key] : undefined },
        known,
        at,
      );
      if (inner !== undefined)
        return wasSent || isObject(own[key]) ? inner : { ...inner, verdict: "differs" };
    }
    const filledIn = Object.keys(other).find(
      (key) => !isAbsent(other[key]) && isAbsent(own[key]) && known.has(key) && !isRenamed(other, own, key),
    );
    return filledIn === undefined
      ? undefined
      : { verdict: "differs", message: `${path}/${filledIn} was omitted but is filled in` };
  }
  if (Array.isArray(own) && Array.isArray(other)) {
    const sentItems: readonly unknown[] = Array.isArray(sent) ? sent : [];
    for (const [index, value] of own.entries()) {
      const inner = compareReceived(
        { own: value, other: other[index], sent: sentItems[index] },
        known,
        `${path}/${index}`,
      );
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (isSameText(own, other) || isSameInstant(own, other)) return undefined;
  const differsInCaseOnly = String(own).toLowerCase() === String(other).toLowerCase();
  const message = `${path} means ${printed(own)} but is read as ${printed(other)}`;
  return { verdict: differsInCaseOnly ? "differs" : "breaks", message };
}

/** Whether the other version has this value in a field that the first version lacks. */
function isRenamed(
  first: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  key: string,
): boolean {
  return Object.keys(other).some(
    (name) => !Object.hasOwn(first, name) && isSameText(first[key], other[name]),
  );
}

/** In a request, null means absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number and a bigint with the same digits are equal. */
function isSameText(a: unknown, b: unknown): boolean {
  return printed(a) === printed(b);
}

/** `2026-01-01T01:00:00.5+01:00` is `2026-01-01T00:00:00.5Z`: handlers receive timestamps in UTC, but strings exactly as they were sent. */
function isSameInstant(a: unknown, b: unknown): boolean {
  const [one, other] = [instantOf(a), instantOf(b)];
  return one !== undefined && one === other;
}

/** Returns the start of the second, in milliseconds since 1970, and then the fraction of the second: `1767225600000.5`. */
function instantOf(value: unknown): string | undefined {
  const parts = typeof value === "string" ? timestamp.exec(value) : null;
  if (parts === null) return undefined;
  const [, second = "", fraction = "", offset = ""] = parts;
  return `${Date.parse(second + offset)}${fraction}`;
}

const timestamp =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function printed(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" || typeof inner === "number" ? `${inner}` : inner,
    ) ?? "nothing"
  );
}
