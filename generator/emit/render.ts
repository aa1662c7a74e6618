import Handlebars from "handlebars/runtime.js";

/** A precompiled template and the view it prints. Views are plain data: every decision is made before. */
export type Template<View> = (view: View) => string;

/** Users' templates by the names of ours that they stand for: `types/types`. */
export type Overrides = ReadonlyMap<string, Template<object>>;

let overrides: Overrides = new Map();

/** Makes a template ready; `specification` is what importing a `.hbs` file gives. */
export function template<View extends object>(specification: NamedSpecification): Template<View> {
  const print = Handlebars.template<View>(specification);
  return (view) => (overrides.get(specification.templateName) ?? print)(view);
}

/** What a `.hbs` file becomes: `client/service`, and how it prints. */
export type NamedSpecification = TemplateSpecification & { readonly templateName: string };

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
