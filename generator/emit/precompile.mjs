// Turns a Handlebars template into a module at build time, so that no template is parsed at run time. Used by the esbuild and the
// vitest configuration.
import { readFile } from "node:fs/promises";
import Handlebars from "handlebars";

const options = { noEscape: true, strict: true, knownHelpersOnly: true, preventIndent: true };

/** `templates/x.hbs` → `export default { … }`, a specification for `Handlebars.template`. */
async function precompile(path) {
  return `export default ${Handlebars.precompile(await readFile(path, "utf8"), options)};`;
}

export const esbuildTemplates = {
  name: "handlebars-templates",
  setup(build) {
    build.onLoad({ filter: /\.hbs$/ }, async ({ path }) => ({
      contents: await precompile(path),
      loader: "js",
    }));
  },
};

export const vitestTemplates = {
  name: "handlebars-templates",
  enforce: "pre",
  async load(id) {
    return id.endsWith(".hbs") ? precompile(id) : undefined;
  },
};
