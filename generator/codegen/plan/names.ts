import type { Model } from "../../language/model/model.ts";
import type { MapKeyType, ResolvedType, TypeReference } from "../../language/model/types.ts";
import type { TimestampForm } from "./type-text.ts";

/*
 * Converts schema names to identifiers. Schema names may contain characters that identifiers cannot (`v1/Example`,
 * `A-B`). A name that TypeScript reserves gets a `$` at its end.
 */

/** `GetOrders` → `getOrders`, `URLLookup` → `urlLookup`, `v1/Example` → `v1Example`. The result may be a keyword. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  const acronym = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$/.exec(pascal)?.[0] ?? pascal.charAt(0);
  return acronym.toLowerCase() + pascal.slice(acronym.length);
}

/** `user-name` → `UserName`. Keeps upper-case letters. The result may be the name of a global. */
export function pascalCase(name: string): string {
  if (/^[A-Z][A-Za-z0-9_]*$/.test(name)) return name;
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[0-9]/.test(joined) || joined === "" ? `_${joined}` : joined;
}

/**
 * `TestApi` → `test-api`, `API` → `api`, `v1/Example` → `v1-example`. The result is a valid file name, even on Windows.
 */
export function kebabCase(name: string): string {
  const hyphenated = pascalCase(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2");
  return portableName(hyphenated.toLowerCase(), "-service");
}

/** Maximum length of a file name without its extensions and hash: file systems allow 255 bytes. */
const maxFileNameLength = 200;

/** Names of devices on Windows, in any case and with any extension. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])$/i;

/**
 * Returns a file or folder name that Windows, macOS and Linux accept, for a name of a schema: `Aux` → `Aux-method`. Names of
 * a schema have no hyphen, so the suffix keeps names unique.
 */
export function portableName(name: string, suffix: string): string {
  const valid = /^[A-Za-z0-9_$-]+$/.test(name) ? name : pascalCase(name);
  if (deviceName.test(valid)) return `${valid}${suffix}`;
  if (valid.length <= maxFileNameLength) return valid;
  return `${valid.slice(0, maxFileNameLength)}-${shortHash(name)}`;
}

/** FNV-1a, to tell long names apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Why a segment of a path is no valid file name on every system. Undefined if it is one. */
export function fileNameFault(segment: string): string | undefined {
  if (segment === "" || /^[.]{1,2}$|[. ]$|[<>:"|?*\\/]|\p{Cc}/u.test(segment))
    return "is not a valid file name";
  return deviceName.test(segment.replace(/[. ].*$/s, "")) ? "is the name of a device on Windows" : undefined;
}

/** Names a type or class: `pet` → `Pet`, `Map` → `Map$`. */
export function typeIdentifier(name: string): string {
  const pascal = pascalCase(name);
  return globals.has(pascal) ? `${pascal}$` : pascal;
}

/** Names a function or constant: `GetPet` → `getPet`, `Delete` → `delete$`, `ToString` → `toString$`. */
export function valueIdentifier(name: string): string {
  const camel = camelCase(name);
  return isKeyword(camel) || isGlobalFunction(camel) ? `${camel}$` : camel;
}

/** Names that linters do not allow to shadow: `toString`, `isNaN`. */
function isGlobalFunction(name: string): boolean {
  return (
    name in Object.prototype ||
    /^(globalThis|(de|en)codeURI(Component)?|(un)?escape|is(Finite|NaN)|parse(Float|Int))$/.test(name)
  );
}

/** Names a method of a class, which may be a keyword: `Delete` → `delete`, `Then` → `then$`. */
export function memberIdentifier(name: string): string {
  const camel = camelCase(name);
  return calledByJavaScript.has(camel) ? `${camel}$` : camel;
}

/** `Map$` → `Map`, for use within longer names and outside of TypeScript. */
export function withoutEscape(identifier: string): string {
  return identifier.endsWith("$") ? identifier.slice(0, -1) : identifier;
}

/** Returns the key of an object or interface, quoted if necessary. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Claims the first unused name: `Ping`, `Ping2`, `Ping3`, … Names with the same key are the same name. */
export function claimName(
  wanted: string,
  taken: Set<string>,
  keyOf: (name: string) => string = (name) => name,
): string {
  let name = wanted;
  for (let count = 2; taken.has(keyOf(name)); count++) name = `${wanted}${count}`;
  taken.add(keyOf(name));
  return name;
}

/** Whether a name, such as `class`, cannot be declared in a module. */
export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

/**
 * Names that no function of a module can have. `then` is included, because `await import()` would call an export of
 * this name.
 */
const keywords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static super " +
    "switch then this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Globals that generated code uses, or that surrounding code is likely to need. */
const globals: ReadonlySet<string> = new Set(
  (
    "Array Boolean Date Error Function JSON Map Number Object Partial Promise Readonly Record RegExp Request Response Set String " +
    "Symbol"
  ).split(" "),
);

/** JavaScript calls methods with these names implicitly: `new`, `await`, `JSON.stringify` and template literals. */
const calledByJavaScript: ReadonlySet<string> = new Set([
  "constructor",
  "then",
  "toJSON",
  "toString",
  "valueOf",
]);

/**
 * Names the functions and bodies of methods without their service. The first method of a name has it alone, and those of later
 * services follow the name of their service, so that adding a service or a method renames nothing.
 */
export class MethodNames {
  readonly #owners = new Map<string, string>();

  /** To be called for each method, in the order of the schema: `Ping`, or `StorePing`. */
  of(service: string, method: string): string {
    const name = pascalCase(method);
    const owner = this.#owners.get(name) ?? service;
    this.#owners.set(name, owner);
    return owner === service ? name : pascalCase(service) + name;
  }
}

/** Assigns TypeScript names to the types of a schema. All references in the plan use these names. */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #byName: ReadonlyMap<string, string>;

  /** With Date timestamps, no type of the schema can be named `Date`. */
  constructor({ types }: Model, timestamps: TimestampForm) {
    if (timestamps === "Date") this.#taken.add("Date");
    const names = types.map(({ name }) => name);
    // Names that are valid identifiers are claimed first, regardless of their order in the schema.
    const plain = names.filter((name) => typeIdentifier(name) === name);
    const others = names.filter((name) => typeIdentifier(name) !== name);
    this.#byName = new Map(
      [...plain, ...others].map((name) => [name, claimName(typeIdentifier(name), this.#taken)]),
    );
  }

  of(name: string): string {
    const identifier = this.#byName.get(name);
    if (identifier === undefined) throw new Error(`no type "${name}" in the model`);
    return identifier;
  }

  /** Claims a name for a type that is not in the schema. */
  claim(wanted: string): string {
    return claimName(wanted, this.#taken);
  }

  /** Replaces the type names of all references. */
  resolve(type: ResolvedType): ResolvedType {
    switch (type.kind) {
      case "list":
        return { kind: "list", element: this.resolve(type.element) };
      case "map":
        return { kind: "map", key: this.#key(type.key), value: this.resolve(type.value) };
      case "struct":
      case "enum":
      case "alias":
        return this.#reference(type);
      default:
        return type;
    }
  }

  #key(key: MapKeyType): MapKeyType {
    return key.kind === "core" ? key : { kind: key.kind, name: this.of(key.name) };
  }

  #reference(type: TypeReference): TypeReference {
    const name = this.of(type.name);
    return name === type.name ? type : { kind: type.kind, name };
  }
}
