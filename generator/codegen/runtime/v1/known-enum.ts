/** Rejects responses with enum values that the client's schema lacks, for clients with closed enums. */
import { asMap } from "./json-values.ts";
import { type Convert, mismatchError, type Shape, type ValuePath } from "./shape.ts";

type Values = Readonly<Record<string, string>>;

/** Accepts the values of an enum. The server checks those of requests. */
export function asEnum(values: Values): Convert {
  const known = new Set<unknown>(Object.values(values));
  return (value, at, isRequest) => {
    if (value !== null && !isRequest) check(value, known, at);
    return value;
  };
}

/** Accepts a map whose keys are values of an enum. Null becomes an empty map. */
export function asEnumMap(values: Values, inner?: Shape): Convert {
  const known = new Set<unknown>(Object.values(values));
  const asValues = asMap(inner);
  return (value, at, isRequest) => {
    const map = asValues(value, at, isRequest);
    if (!isRequest)
      for (const key of Object.keys(map as object)) {
        at.push(key);
        check(key, known, at);
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
