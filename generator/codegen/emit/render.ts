/** A template and the view it prints. Views are plain data: every decision is made before. */
export type Template<View> = (view: View) => string;

/** Users' templates by the names of ours that they stand for: `types/types`. */
export type Overrides = ReadonlyMap<string, Template<object>>;

/** What importing a `.hbs` file gives: `client/service`, and how it prints. */
export interface OwnTemplate {
  readonly name: string;
  readonly print: (view: object, absent: typeof absentIn, holds: typeof isHeld) => string;
}

let overrides: Overrides = new Map();

/** Makes a template ready. */
export function template<View extends object>({ name, print }: OwnTemplate): Template<View> {
  return (view) => overrides.get(name)?.(withLists(view)) ?? print(view, absentIn, isHeld);
}

/** The views of a long list, each made when it is printed: those of a large schema are never all there at once. */
export function eachAs<Item, View>(items: readonly Item[], viewOf: (item: Item) => View): Iterable<View> {
  return new LazyList(items, viewOf);
}

class LazyList<Item, View> {
  readonly #items: readonly Item[];
  readonly #viewOf: (item: Item) => View;

  constructor(items: readonly Item[], viewOf: (item: Item) => View) {
    this.#items = items;
    this.#viewOf = viewOf;
  }

  *[Symbol.iterator](): Generator<View> {
    for (const item of this.#items) yield this.#viewOf(item);
  }
}

/** A user's template may ask for the length of any list. */
function withLists(view: object): object {
  const lists = Object.entries(view).map(([key, value]) => [
    key,
    value instanceof LazyList ? [...value] : value,
  ]);
  return Object.fromEntries(lists);
}

/** What is printed of undefined and null: nothing. A name that a view does not know at all is a fault of the template. */
function absentIn(view: object, key: string): "" {
  if (key in view) return "";
  throw new Error(`"${key}" is not in the view`);
}

/** Whether `{{#if}}` goes on: an empty list is none. */
function isHeld(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Prints with users' templates in the place of ours. */
export function printWith<Result>(given: Overrides, print: () => Result): Result {
  const before = overrides;
  overrides = given;
  try {
    return print();
  } finally {
    overrides = before;
  }
}
