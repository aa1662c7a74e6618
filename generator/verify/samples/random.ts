/** A reproducible random generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** An integer n with 0 ≤ n < `bound`. */
  below(bound: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** Mulberry32. Its 32 bits of state are enough for choosing test inputs. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new RangeError("nothing to pick from");
      return items[below(items.length)] as Item;
    },
    shuffle<Item>(items: readonly Item[]): Item[] {
      const rest = [...items];
      const shuffled: Item[] = [];
      while (rest.length > 0) shuffled.push(...rest.splice(below(rest.length), 1));
      return shuffled;
    },
  };
}
