/* Finds functions with the same code, so that one of them serves for all. */

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

/** Functions of which each code exists once, and all constants. */
interface DistinctCode {
  readonly declarations: readonly Declaration[];
  /** Returns the name of the first function with the same code. */
  nameOf(name: string): string;
}

/** Keeps the first of the functions with the same code. The names of equal functions and constants count as the same code. */
export function distinctCode(declarations: readonly Declaration[]): DistinctCode {
  const equal = new Map<string, string>();
  const firstOf = (name: string): string => {
    const other = equal.get(name);
    return other === undefined ? name : firstOf(other);
  };
  for (let count = -1; count !== equal.size; ) {
    count = equal.size;
    const names = new Map<string, string>();
    for (const { name, lines } of declarations) {
      if (equal.has(name)) continue;
      const [first = "", ...rest] = withNames(lines, firstOf);
      const code = [first.replace(name, ""), ...rest].join("\n");
      const other = names.get(code);
      if (other === undefined) names.set(code, name);
      else equal.set(name, other);
    }
  }
  // A constant keeps the name that tells what it belongs to.
  for (const { name, lines } of declarations) if (isConstant(lines)) equal.delete(name);
  return {
    declarations: declarations
      .filter(({ name }) => !equal.has(name))
      .map(({ name, lines }) => ({ name, lines: withNames(lines, firstOf) })),
    nameOf: firstOf,
  };
}
