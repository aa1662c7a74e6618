/** A function or a constant of the validators, and what it is made of. */
export interface Declaration {
  /** No two of one side share it, whatever files they stand in. */
  readonly name: string;
  readonly lines: readonly string[];
  /** Names of those that it uses; all of them are in the same list. */
  readonly uses: ReadonlySet<string>;
}

/** One file of a side. */
export interface DeclarationFile {
  readonly declared: readonly Declaration[];
  /** What others of the same side import from it. */
  readonly exported: ReadonlySet<string>;
  /** What it imports from the file that all share, sorted. */
  readonly imported: readonly string[];
}

export interface FileSplit {
  /** One a group of roots, in their order. */
  readonly own: readonly DeclarationFile[];
  /** What more than one of them uses; undefined if there is nothing. */
  readonly shared: DeclarationFile | undefined;
}

/** Puts what one group of roots alone leads to into a file of its own, and what several do into one that they share. */
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

/** Number of the group that alone leads to a name, `several` if more than one does. */
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
      // What several lead to, and all behind it, is settled: no name is looked at more than twice.
      if (owner === several || owner === group) continue;
      owners.set(name, owner === undefined ? group : several);
      open.push(...(byName.get(name)?.uses ?? []));
    }
  }
  return owners;
}

const several = -1;
