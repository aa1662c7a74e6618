import Handlebars from "handlebars/runtime.js";

/** A precompiled template and the view it prints. Views are plain data: every decision is made before. */
export type Template<View> = (view: View) => string;

/** Makes a template ready; `specification` is what importing a `.hbs` file gives. */
export function template<View>(specification: TemplateSpecification): Template<View> {
  const print = Handlebars.template<View>(specification);
  return (view) => print(view);
}
