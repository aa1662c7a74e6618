/** A template, precompiled when it is bundled or tested: `precompile.mjs`. */
declare module "*.hbs" {
  const specification: TemplateSpecification;
  export default specification;
}

declare module "handlebars/runtime.js" {
  import Handlebars from "handlebars";
  export default Handlebars;
}
