/** Prints a view with a built-in template, or with the custom template that replaces it. Views are plain data. */
export type Template<View> = (view: View, overrides?: Overrides) => string;

/** Custom templates by the name of the built-in template that they replace: `types/types`. */
export type Overrides = ReadonlyMap<string, CustomTemplate>;

export type CustomTemplate = (view: object) => string;

const noOverrides: Overrides = new Map();

/** The default export of a `.hbs` file: its name, such as `client/service`, and its compiled function. */
export interface BuiltinTemplate {
  readonly name: string;
  readonly print: (view: object, missing: typeof missingValue, isTrue: typeof isTruthy) => string;
}

export function template<View extends object>({ name, print }: BuiltinTemplate): Template<View> {
  return (view, overrides = noOverrides) =>
    overrides.get(name)?.(withLists(view)) ?? print(view, missingValue, isTruthy);
}

/** Creates views one at a time while they are printed. Large schemas have too many to keep in memory. */
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

/** Converts lazy views to arrays, because custom templates may use the length of a list. */
function withLists(view: object): object {
  const lists = Object.entries(view).map(([key, value]) => [
    key,
    value instanceof LazyList ? [...value] : value,
  ]);
  return Object.fromEntries(lists);
}

/** Prints undefined and null as nothing. A key that the view does not have is an error in the template. */
function missingValue(view: object, key: string): "" {
  if (key in view) return "";
  throw new Error(`"${key}" is not in the view`);
}

/** The condition of `{{#if}}`, in which an empty list is false. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
