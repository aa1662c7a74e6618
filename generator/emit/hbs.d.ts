/** A template, precompiled when it is bundled or tested: `precompile.mjs`. */
declare module "*.hbs" {
  const specification: TemplateSpecification & { readonly templateName: string };
  export default specification;
}

declare module "handlebars/runtime.js" {
  import Handlebars from "handlebars";
  export default Handlebars;
}

/** The runtime's files by name, read when the program is bundled: `precompile.mjs`. */
declare module "ridlkit:runtime" {
  export const runtimeTexts: Readonly<Record<string, string>>;
}
