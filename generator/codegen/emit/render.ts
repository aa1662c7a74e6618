/** Prints a view, with the custom template of the same name if there is one. Views are plain data. */
export type Template<View> = (view: View, overrides?: Overrides) => string;

/** Custom templates by the name of the built-in one that they replace: `types/types`. */
export type Overrides = ReadonlyMap<string, CustomTemplate>;

export type CustomTemplate = (view: object) => string;

const noOverrides: Overrides = new Map();

/** What importing a `.hbs` file gives: `client/service`, and how it prints. */
export interface BuiltinTemplate {
  readonly name: string;
  readonly print: (view: object, absent: typeof missingValue, holds: typeof isTruthy) => string;
}

export function template<View extends object>({ name, print }: BuiltinTemplate): Template<View> {
  return (view, overrides = noOverrides) =>
    overrides.get(name)?.(withLists(view)) ?? print(view, missingValue, isTruthy);
}

/** The views of a long list, each made when it is printed: those of a large schema are never all there at once. */
export function lazyViews<Item, View>(items: readonly Item[], viewOf: (item: Item) => View): Iterable<View> {
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
function missingValue(view: object, key: string): "" {
  if (key in view) return "";
  throw new Error(`"${key}" is not in the view`);
}

/** Whether `{{#if}}` goes on: an empty list is none. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
