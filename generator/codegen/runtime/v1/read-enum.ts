/** Rejects responses with enum values that the client's schema lacks, for clients with closed enums. */
import { read } from "./read-shape.ts";
import { type Convert, mismatchError, type Shape, type ValuePath } from "./shape.ts";

type Values = Readonly<Record<string, string>>;

/** Accepts the values of an enum. */
export function readEnum(values: Values): Convert {
  const known = new Set<unknown>(Object.values(values));
  return (value, at) => {
    if (value !== null) check(value, known, at);
    return value;
  };
}

/** Accepts a map whose keys are values of an enum. Null becomes an empty map. */
export function readEnumMap(values: Values, shape?: Shape): Convert {
  const known = new Set<unknown>(Object.values(values));
  return (value, at) => {
    if (value === null) return {};
    if (typeof value !== "object") throw mismatchError(at, "an object", value);
    const map = value as Record<string, unknown>;
    for (const key of Object.keys(map)) {
      at.push(key);
      check(key, known, at);
      if (shape) map[key] = read(map[key], shape, at);
      at.pop();
    }
    return map;
  };
}

/** Maximum number of enum names in a message. */
const namesMax = 40;

function check(value: unknown, known: ReadonlySet<unknown>, at: ValuePath): void {
  if (known.has(value)) return;
  const names = [...known];
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  throw mismatchError(at, `one of ${names.slice(0, namesMax).join(", ")}${more}`, value);
}
