import { claimName } from "../plan/names.ts";

/* Finds functions and constants with the same code, so that one of them is printed for all. */

/** A function or constant of a file. */
interface Declaration {
  readonly name: string;
  readonly lines: readonly string[];
}

export function isConstant([first = ""]: readonly string[]): boolean {
  return first.startsWith("const ");
}

/** A name outside of texts that is no key and no member of an object. */
const nameOrText = /"(?:[^"\\\n]|\\.)*"|(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$]*:)/g;

/** Replaces the names of the file that code refers to. Constants refer to none, but their patterns may look like names. */
export function withNames(
  lines: readonly string[],
  nameOf: (name: string) => string | undefined,
): readonly string[] {
  if (isConstant(lines)) return lines;
  const locals = new Set(lines.flatMap((line) => /^ +(?:const|let) ([\w$]+)/.exec(line)?.[1] ?? []));
  return lines.map((line) =>
    line.replaceAll(nameOrText, (name) => (locals.has(name) ? name : (nameOf(name) ?? name))),
  );
}

/** The names of the file that code refers to. */
export function referencesIn(lines: readonly string[]): readonly string[] {
  const names = new Set<string>();
  withNames(lines, (name) => {
    names.add(name);
    return undefined;
  });
  return [...names];
}

/** The type of a declaration: `string`, `(value: unknown) => string | undefined`. */
export function typeOf([first = ""]: readonly string[] = []): string | undefined {
  const [, parameters, result] = /^function [\w$]+\((.*)\): (.*) \{$/.exec(first) ?? [];
  return parameters === undefined
    ? /^const [\w$]+: (.*?) = /.exec(first)?.[1]
    : `(${parameters}) => ${result}`;
}

/** The names of a function's parameters. */
export function parametersIn([first = ""]: readonly string[]): readonly string[] {
  return [...first.matchAll(/[(,] ?([\w$]+): /g)].map(([, name = ""]) => name);
}

/** Lets callers of a function replace names that the function refers to, by their types. */
export function withParameters(
  lines: readonly string[],
  types: ReadonlyMap<string, string>,
): readonly string[] {
  if (types.size === 0) return lines;
  const [first = "", ...body] = lines;
  const taken = new Set(lines.join("\n").match(/[\w$]+/g));
  const locals = new Map([...types].map(([name]) => [name, claimName(`${name}$`, taken)]));
  const parameters = [...types].map(([name, type]) => `, ${locals.get(name)}: ${type} = ${name}`);
  return [
    first.replace("): ", () => `${parameters.join("")}): `),
    ...withNames(body, (name) => locals.get(name)),
  ];
}

/** Declarations of which each code exists once. */
interface DistinctCode {
  readonly declarations: readonly Declaration[];
  /** Returns the name of the first declaration with the same code. */
  nameOf(name: string): string;
}

/** Keeps the first of the declarations with the same code. The names of equal declarations count as the same code. */
export function distinctCode(declarations: readonly Declaration[]): DistinctCode {
  const equal = new Map<string, string>();
  const firstOf = (name: string): string => {
    const other = equal.get(name);
    return other === undefined ? name : firstOf(other);
  };
  const users = usersOf(declarations);
  const positions = new Map(declarations.map((declaration, index) => [declaration, index]));
  const byCode = new Map<string, Declaration>();
  let open: readonly Declaration[] = declarations;
  while (open.length > 0) {
    const changed = new Set<Declaration>();
    for (const declaration of open) {
      if (equal.has(declaration.name)) continue;
      const [first = "", ...rest] = withNames(declaration.lines, firstOf);
      const code = [first.replace(declaration.name, ""), ...rest].join("\n");
      const other = byCode.get(code) ?? declaration;
      const isLater = (positions.get(declaration) ?? 0) > (positions.get(other) ?? 0);
      const [kept, dropped] = isLater ? [other, declaration] : [declaration, other];
      byCode.set(code, kept);
      if (kept === dropped) continue;
      equal.set(dropped.name, kept.name);
      for (const user of users.get(dropped.name) ?? []) changed.add(user);
    }
    open = [...changed];
  }
  return {
    declarations: declarations
      .filter(({ name }) => !equal.has(name))
      .map(({ name, lines }) => ({ name, lines: withNames(lines, firstOf) })),
    nameOf: firstOf,
  };
}

/** The declarations that refer to each name. */
function usersOf(declarations: readonly Declaration[]): ReadonlyMap<string, readonly Declaration[]> {
  const users = new Map<string, Declaration[]>();
  for (const declaration of declarations)
    for (const name of referencesIn(declaration.lines))
      users.set(name, [...(users.get(name) ?? []), declaration]);
  return users;
}
