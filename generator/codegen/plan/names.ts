/**
 * Casing and escapes, each decided in one place. A schema name may hold what no identifier can (`v1/Example`, `A-B`); a name that
 * TypeScript keeps for itself gets a `$` at its end.
 */

/** `GetOrders` → `getOrders`, `URLLookup` → `urlLookup`, `v1/Example` → `v1Example`. May be a keyword. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  const acronym = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$/.exec(pascal)?.[0] ?? pascal.charAt(0);
  return acronym.toLowerCase() + pascal.slice(acronym.length);
}

/** `user-name` → `UserName`; letters that are upper case already stay. May be the name of a global. */
export function pascalCase(name: string): string {
  if (/^[A-Z][A-Za-z0-9_]*$/.test(name)) return name;
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[0-9]/.test(joined) || joined === "" ? `_${joined}` : joined;
}

/** `TestApi` → `test-api`, `API` → `api`, `v1/Example` → `v1-example`: the name of a file, on Windows too. */
export function kebabCase(name: string): string {
  const parted = pascalCase(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2");
  const lower = parted.toLowerCase();
  return /^(con|prn|aux|nul|(com|lpt)[1-9])$/.test(lower) ? `${lower}-service` : lower;
}

/** Of a type or a class: `pet` → `Pet`, `Map` → `Map$`. */
export function typeIdentifier(name: string): string {
  const pascal = pascalCase(name);
  return globals.has(pascal) ? `${pascal}$` : pascal;
}

/** Of a function or a constant: `GetPet` → `getPet`, `Delete` → `delete$`. */
export function valueIdentifier(name: string): string {
  const camel = camelCase(name);
  return isKeyword(camel) ? `${camel}$` : camel;
}

/** Of a method of a class, where keywords may stand: `Delete` → `delete`, `Then` → `then$`. */
export function memberIdentifier(name: string): string {
  const camel = camelCase(name);
  return calledByJavaScript.has(camel) ? `${camel}$` : camel;
}

/** `Map$` → `Map`, as a part of longer names and outside of TypeScript. */
export function withoutEscape(identifier: string): string {
  return identifier.endsWith("$") ? identifier.slice(0, -1) : identifier;
}

/** A key of an object or interface: bare where TypeScript allows it, quoted otherwise. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The first name that nobody has taken: `Ping`, `Ping2`, `Ping3`, … Takes it. */
export function claimName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`;
  taken.add(name);
  return name;
}

/** `class`: no declaration of a module can have this name. */
export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

/** What cannot be the name of a function in a module. One with `then` in it would take `await import()` for a promise and call it. */
const keywords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static super " +
    "switch then this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Globals that generated code uses, or that the code around it could hardly do without. */
const globals: ReadonlySet<string> = new Set(
  (
    "Array Boolean Date Error Function JSON Map Number Object Partial Promise Readonly Record RegExp Request Response Set String " +
    "Symbol"
  ).split(" "),
);

/** A method of such a name would be called without anybody asking: by `new`, `await`, `JSON.stringify`, `${…}`. */
const calledByJavaScript: ReadonlySet<string> = new Set([
  "constructor",
  "then",
  "toJSON",
  "toString",
  "valueOf",
]);
