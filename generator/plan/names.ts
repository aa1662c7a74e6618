/**
 * Casing and escapes, each decided in one place. A schema name may hold what no identifier can (`v1/Example`, `A-B`); a name that
 * TypeScript keeps for itself gets a `$` at its end.
 */

/** `GetOrders` → `getOrders`, `URLLookup` → `urlLookup`, `v1/Example` → `v1Example`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  const acronym = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$/.exec(pascal)?.[0] ?? pascal.charAt(0);
  return safeIdentifier(acronym.toLowerCase() + pascal.slice(acronym.length));
}

/** `user-name` → `UserName`; letters that are upper case already stay. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return safeIdentifier(/^[0-9]/.test(joined) || joined === "" ? `_${joined}` : joined);
}

/** `TestApi` → `test-api`, `API` → `api`, `v1/Example` → `v1-example`: the name of a file. */
export function kebabCase(name: string): string {
  const parted = pascalCase(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2");
  return parted.toLowerCase().replace(/\$$/, "");
}

/** `class` → `class$`. */
function safeIdentifier(name: string): string {
  return reserved.has(name) ? `${name}$` : name;
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

/** Keywords, and the globals that generated code itself uses. */
const reserved: ReadonlySet<string> = new Set(
  (
    "any arguments as async await bigint boolean break case catch class const constructor continue debugger declare default delete " +
    "do else enum eval export extends false finally for from function get if implements import in instanceof interface is keyof " +
    "let module namespace never new null number object of package private protected public readonly require return set static " +
    "string super switch symbol this throw true try type typeof undefined unique unknown var void while with yield " +
    "Array Error Map Object Promise Readonly Record Set String Number Boolean Symbol Function Date RegExp Request Response JSON"
  ).split(" "),
);
