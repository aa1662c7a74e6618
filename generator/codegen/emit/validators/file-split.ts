/** A function or constant of the validators, and what it uses. */
export interface Declaration {
  /** Unique within requests or responses, even across files. */
  readonly name: string;
  readonly lines: readonly string[];
  /** Names of the declarations that it uses, all of them in the same list. */
  readonly uses: ReadonlySet<string>;
}

/** One validator file. */
export interface DeclarationFile {
  readonly declared: readonly Declaration[];
  /** Names that other files import. */
  readonly exported: ReadonlySet<string>;
  /** Names that this file imports from the shared file, sorted. */
  readonly imported: readonly string[];
}

export interface FileSplit {
  /** One file per group of roots, in their order. */
  readonly own: readonly DeclarationFile[];
  /** What several files use. Undefined if there is nothing. */
  readonly shared: DeclarationFile | undefined;
}

/**
 * Puts declarations that one group of roots uses into its own file, and declarations that several groups use into a
 * shared one.
 */
export function splitIntoFiles(
  all: readonly Declaration[],
  groups: readonly ReadonlySet<string>[],
): FileSplit {
  const owners = findOwners(all, groups);
  const owned = groups.map((): Declaration[] => []);
  const shared: Declaration[] = [];
  for (const one of all) {
    const owner = owners.get(one.name);
    if (owner === undefined) continue;
    (owned[owner] ?? shared).push(one);
  }
  const inShared = new Set(shared.map(({ name }) => name));
  const importedBy = owned.map((declared, group) => {
    const wanted = [...(groups[group] ?? []), ...declared.flatMap(({ uses }) => [...uses])];
    return [...new Set(wanted.filter((name) => inShared.has(name)))].sort();
  });
  return {
    own: owned.map((declared, group) => ({
      declared,
      exported: groups[group] ?? new Set(),
      imported: importedBy[group] ?? [],
    })),
    shared:
      shared.length === 0
        ? undefined
        : { declared: shared, exported: new Set(importedBy.flat()), imported: [] },
  };
}

/** Returns the index of the group that uses each name, or `several`. */
function findOwners(
  all: readonly Declaration[],
  groups: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  const byName = new Map(all.map((one) => [one.name, one]));
  const owners = new Map<string, number>();
  for (const [group, roots] of groups.entries()) {
    const open = [...roots];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const owner = owners.get(name);
      // Everything that a shared name uses is already shared, so no name is visited more than twice.
      if (owner === several || owner === group) continue;
      owners.set(name, owner === undefined ? group : several);
      open.push(...(byName.get(name)?.uses ?? []));
    }
  }
  return owners;
}

const several = -1;
