import { defineRule, type LintRule } from "../rule.ts";

/** A method without a clause may raise any error; only if each has one is there an error that none can raise. */
export const unusedErrors: LintRule = defineRule({
  name: "unused-errors",
  preset: "strict",
  check({ root }, report) {
    const methods = root.services.flatMap(({ node }) => node.methods);
    if (methods.length === 0 || methods.some(({ errors }) => errors.length === 0)) return;
    const named = new Set(methods.flatMap(({ errors }) => errors.map(({ text }) => text)));
    for (const { node, file } of root.errors) {
      const { text: name, span } = node.name;
      if (!named.has(name)) report({ name }, { file, span, owner: node });
    }
  },
});
